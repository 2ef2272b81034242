// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 5: says what was found, what was done about it, and why not more.
#ifndef CANCEL_REWRITER_REPORT_H
#define CANCEL_REWRITER_REPORT_H

#include "Proposal.h"

#include "llvm/Support/raw_ostream.h"

namespace cancel_tools {

/// What became of the edits.
struct Delivery {
  /// None if the tree was not to be written.
  std::optional<size_t> FilesWritten;
  /// Where the proposed patch applies; empty if there is none.
  std::string PatchRoot;
  /// Where the patch or the edited files went, if not to standard output and not to the tree.
  std::string Destination;
};

/// 0: nothing to do. 1: findings or changes. 2: something failed.
int exitCode(const Proposal &);

/// What the first stage tells when it is run alone. Returns the exit code.
int reportCollection(const Collection &, llvm::StringRef Directory, llvm::raw_ostream &);

/// The failures alone, for a run that is to be quiet.
void reportFailures(const Proposal &, llvm::raw_ostream &);

/// Each finding with its fate, then failures, then the counts and what the exit code means.
void report(const Proposal &, const Delivery &, llvm::raw_ostream &);

} // namespace cancel_tools

#endif
