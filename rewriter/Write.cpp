// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks once more at every file, then leaves it to the journal.
#include "Write.h"

#include "DirectoryLocks.h"
#include "DisplayPath.h"
#include "GitTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace cancel_tools {

static bool holds(StringRef File, StringRef Text) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  return Buffer && (*Buffer)->getBuffer() == Text;
}

static void withdrawStale(Plan &P) {
  std::map<std::string, bool> Stale;
  std::map<size_t, std::string> Reasons;
  for (auto [I, Group] : llvm::enumerate(P.Groups))
    for (const Edit &E : Group.Edits) {
      auto [Known, Fresh] = Stale.try_emplace(E.File);
      if (Fresh)
        Known->second = !holds(E.File, P.Texts.at(E.File));
      if (Known->second)
        Reasons.emplace(I, displayPath(E.File) + " changed during the run; run again");
    }
  P.withdraw(Reasons);
}

llvm::Error refuseDirtyTree(llvm::ArrayRef<std::string> Files) {
  llvm::Expected<std::optional<DirtyTree>> Dirty = findDirtyTree(Files);
  if (!Dirty)
    return Dirty.takeError();
  if (!*Dirty)
    return llvm::Error::success();
  const std::vector<std::string> &Changed = (*Dirty)->Changed;
  return llvm::createStringError(
      "'" + (*Dirty)->Root + "' has changes that are not committed (" + Changed.front() +
      (Changed.size() > 1 ? " and " + std::to_string(Changed.size() - 1) + " more" : "") +
      "); commit them first, or give --allow-dirty: nothing was written");
}

llvm::Expected<size_t> write(Plan &P, Journal &To) {
  const DirectoryLocks Held(editedFiles(P)); // from the last look to the last write
  withdrawStale(P);
  const std::map<std::string, std::string> NewTexts = P.editedTexts(P.Groups);
  if (NewTexts.empty())
    return 0;
  if (llvm::Error E = To.replace(P.Texts, NewTexts))
    return E;
  return NewTexts.size();
}

} // namespace cancel_tools
