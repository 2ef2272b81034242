// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the files are that the tool needs beside itself, in a build tree, installed, or moved.
#ifndef CANCEL_REWRITER_INSTALLATION_H
#define CANCEL_REWRITER_INSTALLATION_H

#include "llvm/Support/Error.h"

#include <string>

namespace cancel_tools {

/// The directory above Clang's builtin headers, of the Clang that this program is: beside the
/// executable, where it was built, or where an installed clang of this version says. The error
/// names what was tried.
llvm::Expected<std::string> findResourceDir(llvm::StringRef Executable);

/// The include directory of the runtime: installed beside the executable, or in the source tree;
/// empty if neither exists.
std::string findRuntimeDir(llvm::StringRef Executable);

} // namespace cancel_tools

#endif
