// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last stage: what becomes of a proposal, and what is told of it.
#ifndef CANCEL_REWRITER_DELIVER_H
#define CANCEL_REWRITER_DELIVER_H

#include "Journal.h"
#include "Proposal.h"

namespace cancel_tools {

/// What becomes of the edits.
enum class Output {
  /// A unified diff on standard output.
  Diff,
  /// The same, in a file.
  PatchFile,
  /// The edited files, below another directory.
  OutDir,
  /// The tree itself.
  Tree,
  /// Nothing: findings alone.
  None,
};

struct Destination {
  Output To = Output::Diff;
  /// The patch file or the directory.
  std::string Path;
  bool AllowDirty = false;
  /// Of the diff on standard output.
  bool Colors = false;
  bool Quiet = false;
  /// Where the journal of this project's runs is kept.
  std::string JournalDir;
};

/// Takes back what an interrupted run has written, and says so. Returns the journal if the tree is
/// to be written; of any other tree it is only looked into. Error: the tree is in nobody's state.
llvm::Expected<std::optional<Journal>> openTree(const Destination &);

/// Error: the tree is to be written, and one of the files to be edited lies in a git work tree with
/// changes that are not committed.
llvm::Error refuseDirtyTree(const Proposal &, const Destination &);

/// Writes the patch or the files, and the report on standard error. Returns the exit code.
int deliver(Proposal &, const Destination &, std::optional<Journal> &Tree);

/// Takes the last run over the project back. Returns 0 if everything is as it was before that run,
/// or if there is none; else 2.
int undo(llvm::StringRef JournalDir);

} // namespace cancel_tools

#endif
