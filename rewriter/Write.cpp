// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary file beside the target, flushed, then renamed over it.
#include "Write.h"

#include "DisplayPath.h"
#include "Interrupts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

#include <tuple>
#include <unistd.h>

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace cancel_tools {

// Writes and flushes; the descriptor is closed whatever happens.
static std::error_code fill(int Descriptor, StringRef Text, const fs::file_status &Like) {
  llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
  Out << Text;
  Out.flush();
  std::error_code EC = Out.error();
  Out.clear_error();
  if (!EC)
    EC = fs::setPermissions(Descriptor, Like.permissions());
  // Only a privileged user can give a file to its old owner; for others the file becomes theirs.
  std::ignore = fs::changeFileOwnership(Descriptor, Like.getUser(), Like.getGroup());
  if (!EC && llvm::sys::RetryAfterSignal(-1, ::fsync, Descriptor) != 0)
    EC = llvm::errnoAsErrorCode();
  return EC;
}

static std::error_code replaceFile(StringRef File, StringRef Text) {
  fs::file_status Status;
  if (std::error_code EC = fs::status(File, Status))
    return EC;
  const UninterruptedScope Uninterrupted; // no file stays beside the target
  llvm::SmallString<256> Temporary;
  int Descriptor = -1;
  if (std::error_code EC = fs::createUniqueFile(File + ".%%%%%%.tmp", Descriptor, Temporary,
                                                fs::OF_None, fs::owner_read | fs::owner_write))
    return EC;
  llvm::sys::RemoveFileOnSignal(Temporary); // a crash
  std::error_code EC = fill(Descriptor, Text, Status);
  if (!EC)
    EC = fs::rename(Temporary, File);
  if (EC)
    std::ignore = fs::remove(Temporary); // what counts is why it could not take the file's place
  llvm::sys::DontRemoveFileOnSignal(Temporary);
  return EC;
}

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

Written write(Plan &P) {
  withdrawStale(P);
  Written Result;
  for (const auto &[File, Text] : P.editedTexts(P.Groups)) {
    if (std::error_code EC = replaceFile(File, Text))
      Result.Failures.push_back({File, "cannot be written: " + EC.message()});
    else
      ++Result.Files;
  }
  return Result;
}

} // namespace cancel_tools
