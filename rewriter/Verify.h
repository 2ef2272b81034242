// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 3: every unit that reads an edited file is parsed again before anything is written.
#ifndef CANCEL_REWRITER_VERIFY_H
#define CANCEL_REWRITER_VERIFY_H

#include "Decide.h"

namespace cancel_tools {

/// What the stage did, apart from what it took out of the plan.
struct Verification {
  /// Units parsed over the edits.
  size_t Units = 0;
  /// Runs of the user's own command.
  size_t CommandRuns = 0;
  /// A header that the edits include and that some unit's own flags do not reach.
  std::optional<std::string> MissingHeader;
};

/// Parses these units, all that the plan affects, over the plan's edits, held in memory, with the
/// warnings of their build. A group that brings an error which the unit does not have without the
/// edits is withdrawn with that error; what remains is parsed again. When it returns, all units
/// parse over the plan as well as before.
Verification verify(Plan &, llvm::ArrayRef<AffectedUnit>, const ParseSettings &, const Workers &);

} // namespace cancel_tools

#endif
