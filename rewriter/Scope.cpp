// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything is compared as a real path, so that no spelling of a file escapes the scope.
#include "Scope.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <tuple>

using llvm::StringRef;

namespace cancel_tools {

bool isAtOrBelow(StringRef Path, StringRef Directory) {
  if (!Path.consume_front(Directory))
    return false;
  return Path.empty() || Path.front() == '/' || Directory.ends_with("/");
}

bool Scope::Named::covers(StringRef File) const {
  return Expression ? Expression->match(File) : isAtOrBelow(File, RealPath);
}

static llvm::Expected<std::shared_ptr<const llvm::Regex>> compile(StringRef Expression) {
  auto Result = std::make_shared<llvm::Regex>(Expression);
  std::string Fault;
  if (!Result->isValid(Fault))
    return llvm::createStringError("'" + Expression + "' is no regular expression: " + Fault);
  return std::shared_ptr<const llvm::Regex>(std::move(Result));
}

llvm::Expected<Scope> Scope::create(const ScopeSpec &Spec, llvm::ArrayRef<std::string> BuildDirs,
                                    std::vector<std::string> MainFiles) {
  Scope Result;
  Result.Spec.HeaderFilter = Spec.HeaderFilter;
  Result.BuildDirs = BuildDirs.vec();
  Result.MainFiles = std::move(MainFiles);
  llvm::sort(Result.MainFiles);
  if (!Spec.HeaderFilter.empty()) {
    llvm::Expected<Pattern> Filter = compile(Spec.HeaderFilter);
    if (!Filter)
      return Filter.takeError();
    Result.HeaderFilter = std::move(*Filter);
  }
  for (const std::string &Path : Spec.Paths) {
    llvm::SmallString<256> Real;
    if (const std::error_code EC = llvm::sys::fs::real_path(Path, Real)) {
      llvm::Expected<Pattern> Expression = compile(Path);
      // A source of the build that is gone was meant itself.
      llvm::SmallString<256> Absolute(Path);
      std::ignore = llvm::sys::fs::make_absolute(Absolute); // then it equals no source
      const bool IsFound = Expression && !llvm::is_contained(Result.MainFiles, Absolute) &&
                           llvm::any_of(Result.MainFiles,
                                        [&](StringRef File) { return (*Expression)->match(File); });
      if (!IsFound) {
        if (!Expression)
          llvm::consumeError(Expression.takeError());
        return llvm::createStringError("cannot read '" + Path + "': " + EC.message() +
                                       ", and no source of the build matches it as a regular "
                                       "expression");
      }
      Result.Paths.push_back({"", std::move(*Expression)});
    } else {
      Result.Paths.push_back({std::string(Real), nullptr});
    }
    Result.Spec.Paths.push_back(Real.empty() ? Path : std::string(Real));
  }
  return Result;
}

bool Scope::names(StringRef RealPath) const {
  return llvm::any_of(Paths, [&](const Named &N) { return N.covers(RealPath); });
}

bool Scope::mayConcernEveryUnit(llvm::ArrayRef<std::string> Sources) const {
  return Paths.empty() || llvm::any_of(Paths, [&](const Named &N) {
           return llvm::none_of(Sources, [&](StringRef File) { return N.covers(File); });
         });
}

Scope::Place Scope::of(StringRef RealPath) const {
  if (!Paths.empty() && !names(RealPath))
    return Place::Elsewhere;
  const auto BuildDir = llvm::find_if(
      BuildDirs, [&](StringRef Directory) { return isAtOrBelow(RealPath, Directory); });
  // A path above the build directory does not name what is in it; an expression names what it
  // matches.
  auto namesFromWithin = [&](const Named &N) {
    return N.covers(RealPath) && (N.Expression || isAtOrBelow(N.RealPath, *BuildDir));
  };
  if (BuildDir != BuildDirs.end() && llvm::none_of(Paths, namesFromWithin))
    return Place::BuildDir;
  if (HeaderFilter && !std::binary_search(MainFiles.begin(), MainFiles.end(), RealPath.str()) &&
      !HeaderFilter->match(RealPath))
    return Place::FilteredHeader;
  return Place::Inside;
}

} // namespace cancel_tools
