// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collect -> decide -> verify -> write or diff -> report
#include "Migrate.h"

#include "CollectionFiles.h"
#include "Errors.h"
#include "ProposalFile.h"
#include "Report.h"

using llvm::StringRef;

namespace cancel_tools {

static void tryEdits(Proposal &P, const Workers &Pool) {
  P.Verified = verify(P.Decided, P.Affected, P.Settings, Pool);
}

int migrate(const Inquiry &Asked, Verify How, const Destination &To, const Workers &Pool) {
  llvm::Expected<std::optional<Journal>> Tree = openTree(To);
  if (!Tree)
    return fail(Tree.takeError());
  Proposal P = propose(Asked, collect(Asked, Pool));
  if (llvm::Error E = refuseDirtyTree(P, To))
    return fail(std::move(E));
  if (How == Verify::Parse && To.To != Output::None)
    tryEdits(P, Pool);
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

int verifyTo(StringRef File, StringRef From, const Workers &Pool) {
  llvm::Expected<Proposal> P = loadProposal(From);
  if (!P)
    return fail(P.takeError());
  tryEdits(*P, Pool);
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
