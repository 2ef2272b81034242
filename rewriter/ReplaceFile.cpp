// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary file beside the target, flushed, then renamed over it.
#include "ReplaceFile.h"

#include "Interrupts.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <optional>
#include <tuple>
#include <unistd.h>

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace cancel_tools {

static std::error_code sync(int Descriptor) {
  return llvm::sys::RetryAfterSignal(-1, ::fsync, Descriptor) == 0 ? std::error_code()
                                                                   : llvm::errnoAsErrorCode();
}

enum class Durable { Yes, No };

// Writes; the descriptor is closed whatever happens.
static std::error_code fill(int Descriptor, StringRef Text, Durable D,
                            const std::optional<fs::file_status> &Like) {
  llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
  Out << Text;
  Out.flush();
  std::error_code EC = Out.error();
  Out.clear_error();
  if (Like) {
    if (!EC)
      EC = fs::setPermissions(Descriptor, Like->permissions());
    // Only a privileged user can give a file to its old owner; for others the file becomes theirs.
    std::ignore = fs::changeFileOwnership(Descriptor, Like->getUser(), Like->getGroup());
  }
  return EC || D == Durable::No ? EC : sync(Descriptor);
}

static std::error_code writeAt(StringRef File, StringRef Text, unsigned Mode, Durable D,
                               const std::optional<fs::file_status> &Like) {
  const UninterruptedScope Uninterrupted; // no file stays beside the target
  llvm::SmallString<256> Temporary;
  int Descriptor = -1;
  if (std::error_code EC =
          fs::createUniqueFile(File + ".%%%%%%.tmp", Descriptor, Temporary, fs::OF_None, Mode))
    return EC;
  Uninterrupted.removeOnSignal(Temporary); // a crash
  std::error_code EC = fill(Descriptor, Text, D, Like);
  if (!EC)
    EC = fs::rename(Temporary, File);
  if (EC)
    std::ignore = fs::remove(Temporary); // what counts is why it could not take the file's place
  Uninterrupted.keepOnSignal(Temporary);
  return EC;
}

static unsigned modeFor(Readers Who) {
  return Who == Readers::UserAlone ? fs::owner_read | fs::owner_write
                                   : fs::all_read | fs::all_write; // less the umask
}

std::error_code replaceFile(StringRef File, StringRef Text) {
  fs::file_status Status;
  if (std::error_code EC = fs::status(File, Status))
    return EC;
  if (std::error_code EC = writeAt(File, Text, modeFor(Readers::UserAlone), Durable::Yes, Status))
    return EC;
  return syncDirectory(llvm::sys::path::parent_path(File));
}

std::error_code createFile(StringRef File, StringRef Text, Readers Who) {
  return writeAt(File, Text, modeFor(Who), Durable::Yes, std::nullopt);
}

std::error_code createLosableFile(StringRef File, StringRef Text) {
  return writeAt(File, Text, modeFor(Readers::AsUsual), Durable::No, std::nullopt);
}

std::error_code syncDirectory(StringRef Directory) {
  const std::string Path = Directory.empty() ? "." : Directory.str();
  const int Descriptor = ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Descriptor < 0)
    return llvm::errnoAsErrorCode();
  const std::error_code EC = sync(Descriptor);
  ::close(Descriptor);
  // Some file systems cannot; the rename is as durable there as it gets.
  return EC == std::errc::invalid_argument ? std::error_code() : EC;
}

} // namespace cancel_tools
