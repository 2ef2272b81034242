// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collect -> decide -> verify -> write or diff -> report
#include "Migrate.h"

#include "Decide.h"
#include "Diff.h"
#include "DisplayPath.h"
#include "OutDir.h"
#include "ReplaceFile.h"
#include "Report.h"
#include "Verify.h"
#include "Write.h"

#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace cancel_tools {

static int fail(llvm::Error E) {
  llvm::errs() << "cancel-migrate: error: " << llvm::toString(std::move(E)) << '\n';
  return 2;
}

static void tell(const Restoration &What, StringRef Run) {
  llvm::raw_ostream &Out = llvm::errs();
  Out << "cancel-migrate: " << Run << ": " << What.Restored.size() << " file"
      << (What.Restored.size() == 1 ? "" : "s") << " restored\n";
  for (const std::string &File : What.ChangedSince)
    Out << "error: " << displayPath(File) << " was changed since and is left as it is\n";
  for (const auto &[File, Reason] : What.Failures)
    Out << "error: " << displayPath(File) << " cannot be restored: " << Reason << '\n';
}

int undo(StringRef JournalDir) {
  llvm::Expected<Journal> Tree = Journal::open(JournalDir);
  if (!Tree)
    return fail(Tree.takeError());
  llvm::Expected<std::optional<Restoration>> Back = Tree->undo();
  if (!Back)
    return fail(Back.takeError());
  if (!*Back) {
    llvm::errs() << "cancel-migrate: there is no run to undo\n";
    return 0;
  }
  tell(**Back, "the last run is taken back");
  return (*Back)->isComplete() ? 0 : 2;
}

// The journal of a tree that is to be written; of any other tree it is only looked into.
static llvm::Expected<std::optional<Journal>> openTree(const Request &R) {
  const bool Writes = R.To == Output::Tree;
  if (!Writes && !llvm::sys::fs::exists(R.JournalDir))
    return std::nullopt;
  llvm::Expected<Journal> Tree = Journal::open(R.JournalDir);
  if (!Tree) {
    if (Writes)
      return Tree.takeError();
    llvm::consumeError(Tree.takeError()); // somebody writes, or wrote as another user
    return std::nullopt;
  }
  llvm::Expected<std::optional<Restoration>> Back = Tree->recover();
  if (!Back)
    return Back.takeError();
  if (*Back) {
    tell(**Back, "an earlier run was interrupted while it wrote and is taken back");
    if (!(*Back)->isComplete())
      return llvm::createStringError(
          "the tree is not as that run found it: mend those files by hand, "
          "then remove '" +
          R.JournalDir + "' to forget that run");
  }
  if (!Writes)
    return std::nullopt;
  return std::optional<Journal>(std::move(*Tree));
}

static llvm::Error propose(const Request &R, const std::map<std::string, std::string> &NewTexts,
                           StringRef Root) {
  if (R.To == Output::OutDir)
    return writeBelow(R.Destination, NewTexts, Root);
  llvm::Expected<std::string> Patch = unifiedDiff(NewTexts, Root);
  if (!Patch)
    return Patch.takeError();
  if (R.To == Output::PatchFile) {
    if (std::error_code EC = createFile(R.Destination, *Patch, Readers::AsUsual))
      return llvm::createStringError(EC, "cannot write the patch '" + R.Destination +
                                             "': " + EC.message());
    return llvm::Error::success();
  }
  llvm::outs() << *Patch;
  llvm::outs().flush();
  const std::error_code EC = llvm::outs().error();
  llvm::outs().clear_error();
  return EC ? llvm::createStringError(EC, "cannot write the patch: " + EC.message())
            : llvm::Error::success();
}

int migrate(const Request &R, const Workers &Pool) {
  llvm::Expected<std::optional<Journal>> Tree = openTree(R);
  if (!Tree)
    return fail(Tree.takeError());

  Collection Collected = collect(R.From, R.Within, R.Settings, R.Checks, Pool);
  const size_t Remembered = Pool.remembered();
  Plan Decided = decide(R.Checks, Collected, R.Within);
  if (*Tree && !R.AllowDirty)
    if (llvm::Error E = refuseDirtyTree(editedFiles(Decided)))
      return fail(std::move(E));

  Outcome Told(Decided);
  Told.UnitsAnalysed = Collected.collectedUnits();
  Told.UnitsRemembered = Remembered;
  Told.BuildDirs = R.From.BuildDirs;
  Told.RuntimeDir = R.Settings.RuntimeDir;
  Told.Destination = R.Destination;
  if (R.To != Output::None)
    Told.Verified = verify(Decided, Collected, R.Settings, Pool);
  Told.Failures = std::move(Collected.Failures);

  if (*Tree) {
    if (llvm::Expected<size_t> Files = write(Decided, **Tree))
      Told.FilesWritten = *Files;
    else
      Told.Failures.push_back({"", llvm::toString(Files.takeError())});
  } else if (R.To != Output::None && !Decided.Groups.empty()) {
    const std::map<std::string, std::string> NewTexts = Decided.editedTexts(Decided.Groups);
    Told.PatchRoot = patchRoot(NewTexts);
    if (llvm::Error E = propose(R, NewTexts, Told.PatchRoot))
      Told.Failures.push_back({"", llvm::toString(std::move(E))});
  }
  R.Quiet ? reportFailures(Told, llvm::errs()) : report(Told, llvm::errs());
  return Told.exitCode();
}

} // namespace cancel_tools
