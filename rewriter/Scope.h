// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files a run is about: what the user named, and what the build generates.
#ifndef CANCEL_REWRITER_SCOPE_H
#define CANCEL_REWRITER_SCOPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <string>
#include <vector>

namespace cancel_tools {

/// A scope as the user gives it.
struct ScopeSpec {
  /// Files, directories, or regular expressions that are searched for in the paths of files; none
  /// means everything.
  std::vector<std::string> Paths;
  /// Headers are covered only if this regular expression is found in their path; empty covers all.
  std::string HeaderFilter;
};

/// Answers for real paths. Immutable; thread-safe.
class Scope {
public:
  enum class Place {
    Inside,
    /// The user named paths, and this is below none of them.
    Elsewhere,
    /// A header that the filter leaves out.
    FilteredHeader,
    /// In the build directory, and no named path lies there.
    BuildDir,
  };

  /// `BuildDirs` and `MainFiles`, the sources of the project, are real paths. Errors: a path that
  /// does not exist and, as a regular expression, is found in no main file; a filter that is none.
  static llvm::Expected<Scope> create(const ScopeSpec &, llvm::ArrayRef<std::string> BuildDirs,
                                      std::vector<std::string> MainFiles);

  Place of(llvm::StringRef RealPath) const;
  bool contains(llvm::StringRef RealPath) const { return of(RealPath) == Place::Inside; }

  /// Whether one of the paths that the user named covers the file.
  bool names(llvm::StringRef RealPath) const;
  /// Whether the user named nothing, or something that covers none of these main files, as a header
  /// does: any unit may read it.
  bool mayConcernEveryUnit(llvm::ArrayRef<std::string> MainFiles) const;

  /// Gives the same scope again, wherever it is made.
  const ScopeSpec &spec() const { return Spec; }

private:
  using Pattern = std::shared_ptr<const llvm::Regex>;

  /// With real paths.
  ScopeSpec Spec;
  /// Each covers files: a real path, or an expression.
  struct Named {
    std::string RealPath;
    Pattern Expression;

    bool covers(llvm::StringRef File) const;
  };
  std::vector<Named> Paths;
  Pattern HeaderFilter;
  std::vector<std::string> BuildDirs;
  /// Sorted.
  std::vector<std::string> MainFiles;
};

/// Whether `Path` is `Directory` or below it. Both absolute, without dots.
bool isAtOrBelow(llvm::StringRef Path, llvm::StringRef Directory);

} // namespace cancel_tools

#endif
