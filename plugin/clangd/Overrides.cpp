// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes clangd's decisions for this project's checks: clangd would leave them all out, without a
// word.
//
// clangd has no interface for that, so the linker sends its calls here (--wrap, see
// CMakeLists.txt). The names are mangled and the types are clangd's own of LLVM 19 and 22; a clangd
// that renames them does not link.
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

using clang::tidy::ClangTidyOptions;

// clang::clangd::isFastTidyCheck: under FastCheckFilter's default, clangd runs only the checks that
// its built-in table calls fast.
std::optional<bool> clangdIsFast(llvm::StringRef Check) asm(
    "__real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");
std::optional<bool>
isFast(llvm::StringRef Check) asm("__wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE");

// clang::clangd::provideDefaultChecks: which checks run where the project's configuration says
// nothing.
using Provider = llvm::unique_function<void(ClangTidyOptions &, llvm::StringRef File)>;
Provider clangdDefaults() asm("__real__ZN5clang6clangd20provideDefaultChecksEv");
Provider defaults() asm("__wrap__ZN5clang6clangd20provideDefaultChecksEv");

std::optional<bool> isFast(llvm::StringRef Check) {
  return Check.starts_with("cancel-") ? true : clangdIsFast(Check);
}

Provider defaults() {
  return [Clangd = clangdDefaults()](ClangTidyOptions &Options, llvm::StringRef File) mutable {
    Clangd(Options, File);
    // First in the list, so that "-*" and "-cancel-..." in the project's own list take them away.
    Options.Checks = "cancel-*," + Options.Checks.value_or(std::string());
  };
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
