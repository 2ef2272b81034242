// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 5: says what was found, what was done about it, and why not more.
#ifndef CANCEL_REWRITER_REPORT_H
#define CANCEL_REWRITER_REPORT_H

#include "Decide.h"
#include "Verify.h"
#include "Write.h"

#include "llvm/Support/raw_ostream.h"

namespace cancel_tools {

/// Everything that a run has to tell.
struct Outcome {
  explicit Outcome(const Plan &Decided) : Decided(Decided) {}

  const Plan &Decided;
  size_t UnitsAnalysed = 0;
  /// Those of them that an earlier run had parsed.
  size_t UnitsRemembered = 0;
  Verification Verified;
  /// Of all stages; one line each.
  std::vector<Failure> Failures;
  /// None if the run only proposes.
  std::optional<size_t> FilesWritten;
  /// Where the proposed patch applies; empty if there is none.
  std::string PatchRoot;
  /// Where the patch or the edited files went, if not to standard output and not to the tree.
  std::string Destination;
  std::vector<std::string> BuildDirs;
  std::string RuntimeDir;

  /// 0: nothing to do. 1: findings or changes. 2: something failed.
  int exitCode() const;
};

/// The failures alone, for a run that is to be quiet.
void reportFailures(const Outcome &, llvm::raw_ostream &);

/// Each finding with its fate, then failures, then the counts and what the exit code means.
void report(const Outcome &, llvm::raw_ostream &);

} // namespace cancel_tools

#endif
