// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything is compared as a real path, so that no spelling of a file escapes the scope.
#include "Scope.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace cancel_tools {

bool isAtOrBelow(StringRef Path, StringRef Directory) {
  if (!Path.consume_front(Directory))
    return false;
  return Path.empty() || Path.front() == '/' || Directory.ends_with("/");
}

llvm::Expected<Scope> Scope::create(llvm::ArrayRef<std::string> Paths,
                                    llvm::ArrayRef<std::string> BuildDirs) {
  Scope Result;
  Result.BuildDirs = BuildDirs.vec();
  for (const std::string &Path : Paths) {
    llvm::SmallString<256> Real;
    if (std::error_code EC = llvm::sys::fs::real_path(Path, Real))
      return llvm::createStringError("cannot read '" + Path + "': " + EC.message());
    Result.Paths.emplace_back(Real);
  }
  return Result;
}

Scope::Place Scope::of(StringRef RealPath) const {
  const auto BuildDir = llvm::find_if(
      BuildDirs, [&](StringRef Directory) { return isAtOrBelow(RealPath, Directory); });
  const bool Generated = BuildDir != BuildDirs.end();
  if (Paths.empty())
    return Generated ? Place::BuildDir : Place::Inside;
  auto covers = [&](StringRef Path) { return isAtOrBelow(RealPath, Path); };
  if (llvm::none_of(Paths, covers))
    return Place::Elsewhere;
  // A path above the build directory does not name what is in it.
  auto coversFromWithin = [&](StringRef Path) {
    return covers(Path) && isAtOrBelow(Path, *BuildDir);
  };
  return Generated && llvm::none_of(Paths, coversFromWithin) ? Place::BuildDir : Place::Inside;
}

} // namespace cancel_tools
