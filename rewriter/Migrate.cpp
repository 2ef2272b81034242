// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collect -> decide -> verify -> write or diff -> report
#include "Migrate.h"

#include "CollectionFiles.h"
#include "Errors.h"
#include "ProposalFile.h"
#include "Report.h"
#include "VerifyWith.h"

using llvm::StringRef;

namespace cancel_tools {

static llvm::Error tryEdits(Proposal &P, const TrialSettings &How, const Workers &Pool) {
  if (How.Parses)
    P.Verified = verify(P.Decided, P.Affected, P.Settings, Pool);
  if (How.Command.empty())
    return llvm::Error::success();
  llvm::Expected<size_t> Runs =
      verifyWith({How.Command, P.BuildDirs, P.Settings.RuntimeDir, How.Quiet}, P.Decided);
  if (!Runs)
    return Runs.takeError();
  if (!P.Verified)
    P.Verified.emplace();
  P.Verified->CommandRuns = *Runs;
  return llvm::Error::success();
}

int migrate(const Inquiry &Asked, const TrialSettings &How, const Destination &To,
            const Workers &Pool) {
  llvm::Expected<std::optional<Journal>> Tree = openTree(To);
  if (!Tree)
    return fail(Tree.takeError());
  Proposal P = propose(Asked, collect(Asked, Pool));
  if (llvm::Error E = refuseDirtyTree(P, To))
    return fail(std::move(E));
  if (To.To != Output::None)
    if (llvm::Error E = tryEdits(P, How, Pool))
      return fail(std::move(E));
  return deliver(P, To, *Tree);
}

int collectTo(StringRef Directory, const Inquiry &Asked, const Workers &Pool) {
  const Collection Collected = collect(Asked, Pool);
  if (llvm::Error E = storeCollection(Directory, Asked, Collected))
    return fail(std::move(E));
  return reportCollection(Collected, Directory, llvm::errs());
}

// Stores what a stage has made of a proposal, and tells of it.
static int hand(const Proposal &P, StringRef File) {
  if (llvm::Error E = storeProposal(File, P))
    return fail(std::move(E));
  Delivery To;
  To.Destination = File.str();
  report(P, To, llvm::errs());
  return exitCode(P);
}

int decideTo(StringRef File, StringRef Directory) {
  llvm::Expected<std::pair<Inquiry, Collection>> Stored = loadCollection(Directory);
  if (!Stored)
    return fail(Stored.takeError());
  return hand(propose(Stored->first, std::move(Stored->second)), File);
}

int verifyTo(StringRef File, StringRef From, const TrialSettings &How, const Workers &Pool) {
  llvm::Expected<Proposal> P = loadProposal(From);
  if (!P)
    return fail(P.takeError());
  if (llvm::Error E = tryEdits(*P, How, Pool))
    return fail(std::move(E));
  return hand(*P, File);
}

int writeFrom(StringRef File, Destination To,
              llvm::function_ref<llvm::Expected<std::string>(StringRef)> JournalDir) {
  llvm::Expected<Proposal> P = loadProposal(File);
  if (!P)
    return fail(P.takeError());
  llvm::Expected<std::string> Journals = JournalDir(P->ProjectDirectory);
  if (Journals)
    To.JournalDir = std::move(*Journals);
  else if (To.To == Output::Tree)
    return fail(Journals.takeError());
  else
    llvm::consumeError(Journals.takeError()); // nothing is written that would have to be taken back
  llvm::Expected<std::optional<Journal>> Tree = openTree(To);
  if (!Tree)
    return fail(Tree.takeError());
  P = loadProposal(File); // once more: the files may just have been given their old texts back
  if (!P)
    return fail(P.takeError());
  if (llvm::Error E = refuseDirtyTree(*P, To))
    return fail(std::move(E));
  return deliver(*P, To, *Tree);
}

} // namespace cancel_tools
