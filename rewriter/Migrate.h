// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the stages, and nothing else: all in one run, or one by one with files between them.
#ifndef CANCEL_REWRITER_MIGRATE_H
#define CANCEL_REWRITER_MIGRATE_H

#include "Deliver.h"

namespace cancel_tools {

// All return the exit code: 0 nothing to do, 1 findings or changes, 2 something failed.

/// How the edits are tried before they are shown or written.
struct TrialSettings {
  /// Whether all that they affect is parsed.
  bool Parses = true;
  /// A command of the user's own that must succeed over them, or empty.
  std::string Command;
  bool Quiet = false;
};

/// From compile commands to report.
int migrate(const Inquiry &, const TrialSettings &, const Destination &, const Workers &);

/// First stage: the facts, into a directory. 0 unless something failed.
int collectTo(llvm::StringRef Directory, const Inquiry &, const Workers &);

/// Second stage: from the facts in a directory to a proposal in a file.
int decideTo(llvm::StringRef File, llvm::StringRef Directory);

/// Third stage: from a proposal to one whose edits have been tried.
int verifyTo(llvm::StringRef File, llvm::StringRef From, const TrialSettings &, const Workers &);

/// Last stage. `JournalDir` finds the place of a project's journal.
int writeFrom(
    llvm::StringRef File, Destination,
    llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef ProjectDirectory)> JournalDir);

} // namespace cancel_tools

#endif
