// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes clangd's decisions for this project's checks: clangd would leave them all out, without a
// word.
//
// clangd has no interface for that, so the linker sends its calls here (--wrap, see CMakeLists.txt,
// which also gives the mangled names). A clangd that renames these functions or changes their
// parameters does not link; only functions whose result is the same in LLVM 19 and 22 are taken,
// because the linker would not see that change.
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

using clang::tidy::ClangTidyOptions;

// clang::clangd::isFastTidyCheck: under FastCheckFilter's default, clangd runs only the checks that
// its built-in table calls fast.
std::optional<bool> clangdIsFast(llvm::StringRef Check) asm("__real_" IS_FAST_SYMBOL);
std::optional<bool> isFast(llvm::StringRef Check) asm("__wrap_" IS_FAST_SYMBOL);

// clang::clangd::getTidyOptionsForFile: which checks run for a file. There is no provider when
// clang-tidy is switched off altogether.
using Provider = llvm::function_ref<void(ClangTidyOptions &, llvm::StringRef)>;
ClangTidyOptions clangdOptions(Provider, llvm::StringRef File) asm("__real_" OPTIONS_SYMBOL);
ClangTidyOptions options(Provider, llvm::StringRef File) asm("__wrap_" OPTIONS_SYMBOL);

std::optional<bool> isFast(llvm::StringRef Check) {
  return Check.starts_with("cancel-") ? true : clangdIsFast(Check);
}

ClangTidyOptions options(Provider Project, llvm::StringRef File) {
  ClangTidyOptions Result = clangdOptions(Project, File);
  // On by default, and first in the list: "-*" and "-cancel-..." in the project's own list take
  // them away.
  if (Project)
    Result.Checks = "cancel-*," + Result.Checks.value_or(std::string());
  return Result;
}

// clang::clangd::remote::getClient, as clangd's own build without gRPC defines it: no remote index,
// and no dependency on gRPC. The pointer is null, so the type it would point to stays unknown.
namespace clang::clangd {
class SymbolIndex;
namespace remote {
struct NoIndex {
  void operator()(SymbolIndex *) const {}
};
std::unique_ptr<SymbolIndex, NoIndex> getClient(llvm::StringRef, llvm::StringRef) {
  return nullptr;
}
} // namespace remote
} // namespace clang::clangd
