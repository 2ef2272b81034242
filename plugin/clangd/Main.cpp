// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel-clangd: clangd with the project's checks linked in, because a released clangd loads no
// modules.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include <string>
#include <vector>

namespace clang::clangd {
int clangdMain(int argc, char *argv[]); // LLVM installs the library, not its header
} // namespace clang::clangd

namespace {

constexpr llvm::StringLiteral ResourceDirFlag = "--resource-dir=" CANCEL_RESOURCE_DIR;

/// Clang's own headers are where this program was built, unless the user says otherwise or they are
/// gone; then clangd looks beside its executable, as it always does.
bool needsResourceDir(llvm::ArrayRef<char *> Arguments) {
  const auto Names = [](llvm::StringRef Text) { return Text.contains("-resource-dir"); };
  const bool Given = llvm::any_of(Arguments, Names) ||
                     Names(llvm::sys::Process::GetEnv("CLANGD_FLAGS").value_or(std::string()));
  return !Given && llvm::sys::fs::is_directory(CANCEL_RESOURCE_DIR);
}

} // namespace

int main(int argc, char *argv[]) {
  std::vector<char *> Arguments(argv, argv + argc);
  std::string Flag = ResourceDirFlag.str();
  if (needsResourceDir(Arguments))
    Arguments.push_back(Flag.data());
  const int Count = static_cast<int>(Arguments.size());
  Arguments.push_back(nullptr);
  return clang::clangd::clangdMain(Count, Arguments.data());
}
