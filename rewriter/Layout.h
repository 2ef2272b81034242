// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Touched lines look as the project wants its lines to look.
#ifndef CANCEL_REWRITER_LAYOUT_H
#define CANCEL_REWRITER_LAYOUT_H

#include "Edits.h"

namespace cancel_tools {

/// Formats the lines that edits touched by the .clang-format that rules over the file, and no
/// other line. The text as it is if there is none, if it is switched off, or if it cannot be read.
std::string laidOut(llvm::StringRef File, EditedText);

} // namespace cancel_tools

#endif
