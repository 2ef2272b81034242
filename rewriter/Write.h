// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 4: the only code of the tool that changes a file of the user's.
#ifndef CANCEL_REWRITER_WRITE_H
#define CANCEL_REWRITER_WRITE_H

#include "Decide.h"
#include "Journal.h"

namespace cancel_tools {

/// Error: one of the files lies in a git work tree with changes that are not committed.
llvm::Error refuseDirtyTree(llvm::ArrayRef<std::string> Files);

/// Replaces every file that the plan edits, all or none, and returns how many. A group whose files
/// are not as they were when the plan was made is withdrawn first, whole.
llvm::Expected<size_t> write(Plan &, Journal &);

} // namespace cancel_tools

#endif
