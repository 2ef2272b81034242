// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves the collection behind: of its units, only those that the plan affects are needed further.
#include "Proposal.h"

namespace cancel_tools {

Proposal propose(const Inquiry &Asked, Collection Collected) {
  Proposal Result;
  std::vector<UnitFacts> Facts;
  for (std::optional<UnitFacts> &OfUnit : Collected.Facts)
    if (OfUnit)
      Facts.push_back(std::move(*OfUnit));
  Result.Decided = decide(Asked.Checks, std::move(Facts), Asked.Within);
  Result.Affected = affectedUnits(Result.Decided, Collected.Units);
  Result.Settings = Asked.Settings;
  Result.ProjectDirectory = Asked.From.Directory;
  Result.BuildDirs = Asked.From.BuildDirs;
  Result.UnitsAnalysed = Collected.unitsThatAre(UnitState::Parsed);
  Result.UnitsSkipped = Collected.unitsThatAre(UnitState::Skipped);
  Result.UnitsRemembered = Collected.Remembered;
  Result.Failures = std::move(Collected.Failures);
  return Result;
}

} // namespace cancel_tools
