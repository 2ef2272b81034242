// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes from stage to stage once facts are concluded: in memory in one run, in a file between
// two.
#ifndef CANCEL_REWRITER_PROPOSAL_H
#define CANCEL_REWRITER_PROPOSAL_H

#include "Decide.h"
#include "Verify.h"

namespace cancel_tools {

/// A plan, and all that the later stages and the report need to know about its making.
struct Proposal {
  Plan Decided;
  /// What verification parses.
  std::vector<AffectedUnit> Affected;
  ParseSettings Settings;
  /// As `Project` has them.
  std::string ProjectDirectory;
  std::vector<std::string> BuildDirs;
  size_t UnitsAnalysed = 0;
  /// Those of them that an earlier run had parsed.
  size_t UnitsRemembered = 0;
  /// Not parsed, because they never mention what the checks look for.
  size_t UnitsSkipped = 0;
  /// None while the edits have not been tried.
  std::optional<Verification> Verified;
  /// Of all stages; one line each.
  std::vector<Failure> Failures;
};

/// The second stage: what follows from the facts, which it uses up.
Proposal propose(const Inquiry &, Collection);

} // namespace cancel_tools

#endif
