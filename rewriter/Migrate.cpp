// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collect -> decide -> verify -> write or diff -> report
#include "Migrate.h"

#include "Decide.h"
#include "Diff.h"
#include "Report.h"
#include "Verify.h"
#include "Write.h"

namespace cancel_tools {

static llvm::Error printPatch(const std::map<std::string, std::string> &NewTexts,
                              llvm::StringRef Root) {
  llvm::Expected<std::string> Patch = unifiedDiff(NewTexts, Root);
  if (!Patch)
    return Patch.takeError();
  llvm::outs() << *Patch;
  llvm::outs().flush();
  const std::error_code EC = llvm::outs().error();
  llvm::outs().clear_error();
  return llvm::errorCodeToError(EC);
}

int migrate(const Request &R, const Workers &Pool) {
  Collection Collected = collect(R.From, R.Within, R.Settings, R.Checks, Pool);
  const size_t Remembered = Pool.remembered();
  Plan Decided = decide(R.Checks, Collected, R.Within);

  Outcome Told(Decided);
  Told.UnitsAnalysed = Collected.collectedUnits();
  Told.UnitsRemembered = Remembered;
  Told.Verified = verify(Decided, Collected, R.Settings, Pool);
  Told.Failures = std::move(Collected.Failures);
  Told.BuildDir = R.From.BuildDir;
  Told.RuntimeDir = R.Settings.RuntimeDir;

  if (R.Apply) {
    Told.Applied = write(Decided);
  } else if (!Decided.Groups.empty()) {
    const std::map<std::string, std::string> NewTexts = Decided.editedTexts(Decided.Groups);
    Told.PatchRoot = patchRoot(NewTexts);
    if (llvm::Error E = printPatch(NewTexts, Told.PatchRoot))
      Told.Failures.push_back({Told.PatchRoot, "gets no patch: " + llvm::toString(std::move(E))});
  }
  report(Told, llvm::errs());
  return Told.exitCode();
}

} // namespace cancel_tools
