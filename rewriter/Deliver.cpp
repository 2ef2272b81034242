// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To the tree, or to wherever the user wants to look at it first.
#include "Deliver.h"

#include "Diff.h"
#include "DisplayPath.h"
#include "Errors.h"
#include "OutDir.h"
#include "ReplaceFile.h"
#include "Report.h"
#include "Write.h"

#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace cancel_tools {

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

llvm::Expected<std::optional<Journal>> openTree(const Destination &To) {
  const bool Writes = To.To == Output::Tree;
  if (!Writes && !llvm::sys::fs::exists(To.JournalDir))
    return std::nullopt;
  llvm::Expected<Journal> Tree = Journal::open(To.JournalDir);
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
          "the tree is not as that run found it: remove the cause and run again, or mend those "
          "files by hand and remove '" +
          To.JournalDir + "' to forget that run");
  }
  if (!Writes)
    return std::nullopt;
  return std::optional<Journal>(std::move(*Tree));
}

llvm::Error refuseDirtyTree(const Proposal &P, const Destination &To) {
  return To.To == Output::Tree && !To.AllowDirty ? refuseDirtyTree(editedFiles(P.Decided))
                                                 : llvm::Error::success();
}

static llvm::Error show(const Destination &To, const std::map<std::string, std::string> &NewTexts,
                        StringRef Root) {
  if (To.To == Output::OutDir)
    return writeBelow(To.Path, NewTexts, Root);
  const DiffColors Colors = To.To == Output::Diff && To.Colors ? DiffColors::Yes : DiffColors::No;
  llvm::Expected<std::string> Patch = unifiedDiff(NewTexts, Root, Colors);
  if (!Patch)
    return Patch.takeError();
  if (To.To == Output::PatchFile) {
    if (std::error_code EC = createFile(To.Path, *Patch, Readers::AsUsual))
      return llvm::createStringError(EC,
                                     "cannot write the patch '" + To.Path + "': " + EC.message());
    return llvm::Error::success();
  }
  llvm::outs() << *Patch;
  llvm::outs().flush();
  const std::error_code EC = llvm::outs().error();
  llvm::outs().clear_error();
  return EC ? llvm::createStringError(EC, "cannot write the patch: " + EC.message())
            : llvm::Error::success();
}

int deliver(Proposal &P, const Destination &To, std::optional<Journal> &Tree) {
  Delivery Done;
  Done.Destination = To.Path;
  if (Tree) {
    if (llvm::Expected<size_t> Files = write(P.Decided, *Tree))
      Done.FilesWritten = *Files;
    else
      P.Failures.push_back({"", llvm::toString(Files.takeError())});
  } else if (To.To != Output::None && !P.Decided.Groups.empty()) {
    const std::map<std::string, std::string> NewTexts = P.Decided.editedTexts(P.Decided.Groups);
    Done.PatchRoot = patchRoot(NewTexts);
    if (llvm::Error E = show(To, NewTexts, Done.PatchRoot)) {
      P.Failures.push_back({"", llvm::toString(std::move(E))});
      Done = {}; // what is not there is not to be applied
    }
  }
  To.Quiet ? reportFailures(P, llvm::errs()) : report(P, Done, llvm::errs());
  return exitCode(P);
}

} // namespace cancel_tools
