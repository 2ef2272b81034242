// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every difference between the Clang APIs of LLVM 19 to 22 that this project meets, and no other
// code.
#ifndef CANCEL_ANALYSIS_LLVMCOMPAT_H
#define CANCEL_ANALYSIS_LLVMCOMPAT_H

#include "llvm/Config/llvm-config.h"

#if __has_include("clang/Options/Options.h")
#include "clang/Options/Options.h"
#else
#include "clang/Driver/Options.h"
#endif

/// Where clang-tidy declares its registry of modules: LLVM 22 moved it and warns at the old header.
/// A macro, because the analysis must not see clang-tidy.
#if LLVM_VERSION_MAJOR >= 22
#define CANCEL_TIDY_REGISTRY_HEADER "clang-tidy/ClangTidyModule.h"
#else
#define CANCEL_TIDY_REGISTRY_HEADER "clang-tidy/ClangTidyModuleRegistry.h"
#endif

namespace cancel_tools {

/// The table of the compiler driver's options: LLVM 22 moved it out of the driver.
#if __has_include("clang/Options/Options.h")
namespace driver_options = clang::options;
inline const llvm::opt::OptTable &driverOptions() { return clang::getDriverOptTable(); }
#else
namespace driver_options = clang::driver::options;
inline const llvm::opt::OptTable &driverOptions() { return clang::driver::getDriverOptTable(); }
#endif

} // namespace cancel_tools

#endif
