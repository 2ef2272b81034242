// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A proposal in a file, for the stages that are run one by one.
#ifndef CANCEL_REWRITER_PROPOSALFILE_H
#define CANCEL_REWRITER_PROPOSALFILE_H

#include "Proposal.h"

namespace cancel_tools {

/// Writes the file atomically. It has the hashes of the files that are edited, not their texts.
llvm::Error storeProposal(llvm::StringRef File, const Proposal &);

/// Reads what `storeProposal` wrote, and the files that it edits: groups one of whose files has
/// changed since are withdrawn. Errors name the file, and what in it is wrong.
llvm::Expected<Proposal> loadProposal(llvm::StringRef File);

} // namespace cancel_tools

#endif
