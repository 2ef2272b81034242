// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collect -> decide -> verify -> write or diff -> report
#include "Migrate.h"

#include "Decide.h"
#include "Diff.h"
#include "Report.h"
#include "Verify.h"
#include "Write.h"

namespace cancel_tools {

int migrate(const Request &R, const Workers &Pool) {
  Collection Collected = collect(R.From, R.Within, R.Settings, R.Checks, Pool);
  Plan Decided = decide(R.Checks, Collected, R.Within);

  Outcome Told(Decided);
  Told.UnitsAnalysed = Collected.collectedUnits();
  Told.Verified = verify(Decided, Collected, R.Settings, Pool);
  Told.Failures = std::move(Collected.Failures);
  Told.BuildDir = R.From.BuildDir;
  Told.RuntimeDir = R.Settings.RuntimeDir;

  if (R.Apply) {
    Told.Applied = write(Decided);
  } else if (!Decided.Groups.empty()) {
    const std::map<std::string, std::string> NewTexts = Decided.editedTexts(Decided.Groups);
    Told.PatchRoot = patchRoot(NewTexts);
    llvm::Expected<std::string> Patch = unifiedDiff(NewTexts, Told.PatchRoot);
    if (Patch)
      llvm::outs() << *Patch;
    else
      Told.Failures.push_back(
          {Told.PatchRoot, "has no patch: " + llvm::toString(Patch.takeError())});
    llvm::outs().flush();
  }
  report(Told, llvm::errs());
  return Told.exitCode();
}

} // namespace cancel_tools
