// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edited files somewhere else than in the tree.
#ifndef CANCEL_REWRITER_OUTDIR_H
#define CANCEL_REWRITER_OUTDIR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace cancel_tools {

/// Writes each text below `Directory`, at the path that its file has relative to `Root`; replaces
/// what is there. Error: the first file that cannot be written; those before it are there.
llvm::Error writeBelow(llvm::StringRef Directory,
                       const std::map<std::string, std::string> &NewTexts, llvm::StringRef Root);

} // namespace cancel_tools

#endif
