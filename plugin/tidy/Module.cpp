// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the catalogue known to the clang-tidy or clangd that contains or loads this object.
#include "Host.h"
#include "LLVMCompat.h"

#include CANCEL_TIDY_REGISTRY_HEADER

namespace cancel_tools {

namespace {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    for (const Check &What : catalogue())
      Factories.registerCheckFactory(What.Name,
                                     [&What](llvm::StringRef, clang::tidy::ClangTidyContext *Tidy) {
                                       return std::make_unique<Host>(What, *Tidy);
                                     });
  }
};

// A static object because clang-tidy finds modules in no other way.
const clang::tidy::ClangTidyModuleRegistry::Add<Module>
    Registered("cancel", "Cancellation and memory order in C++20 coroutines.");

} // namespace

} // namespace cancel_tools
