// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run from compile commands to report: the order of the stages, and nothing else.
#ifndef CANCEL_REWRITER_MIGRATE_H
#define CANCEL_REWRITER_MIGRATE_H

#include "Collect.h"

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

/// What the user asked for.
struct Request {
  Project From;
  Scope Within;
  ParseSettings Settings;
  std::vector<EnabledCheck> Checks;
  Output To = Output::Diff;
  /// The patch file or the directory.
  std::string Destination;
  bool AllowDirty = false;
  bool Quiet = false;
  /// Where the journal of this project's runs is kept.
  std::string JournalDir;
};

/// Prints the patch on standard output, unless it goes elsewhere, and the report on standard error.
/// First takes back what an interrupted run has written. Returns the exit code.
int migrate(const Request &, const Workers &);

/// Takes the last run over the project back. Returns 0 if everything is as it was before that run,
/// or if there is none; else 2.
int undo(llvm::StringRef JournalDir);

} // namespace cancel_tools

#endif
