// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files a run is about: the paths that the user named, and what the build generates.
#ifndef CANCEL_REWRITER_SCOPE_H
#define CANCEL_REWRITER_SCOPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// Answers for real paths. Immutable; thread-safe.
class Scope {
public:
  enum class Place {
    Inside,
    /// The user named paths, and this is below none of them.
    Elsewhere,
    /// In the build directory, and no named path lies there.
    BuildDir,
  };

  /// `Paths` are files or directories as the user typed them; none means everything. `BuildDirs`
  /// are real paths. Error: a path that does not exist.
  static llvm::Expected<Scope> create(llvm::ArrayRef<std::string> Paths,
                                      llvm::ArrayRef<std::string> BuildDirs);

  Place of(llvm::StringRef RealPath) const;
  bool contains(llvm::StringRef RealPath) const { return of(RealPath) == Place::Inside; }

  /// The real paths that the user named.
  llvm::ArrayRef<std::string> paths() const { return Paths; }

private:
  std::vector<std::string> Paths;
  std::vector<std::string> BuildDirs;
};

/// Whether `Path` is `Directory` or below it. Both absolute, without dots.
bool isAtOrBelow(llvm::StringRef Path, llvm::StringRef Directory);

} // namespace cancel_tools

#endif
