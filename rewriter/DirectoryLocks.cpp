// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the order of names, so that no two runs wait for each other.
#include "DirectoryLocks.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <unistd.h>

namespace cancel_tools {

DirectoryLocks::DirectoryLocks(llvm::ArrayRef<std::string> Files) {
  std::set<std::string> Directories;
  for (const std::string &File : Files)
    Directories.insert(llvm::sys::path::parent_path(File).str());
  for (const std::string &Directory : Directories) {
    const int Descriptor = ::open(Directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (Descriptor == -1)
      continue;
    llvm::sys::RetryAfterSignal(-1, ::flock, Descriptor, LOCK_EX);
    Descriptors.push_back(Descriptor);
  }
}

DirectoryLocks::~DirectoryLocks() {
  for (int Descriptor : Descriptors)
    ::close(Descriptor);
}

} // namespace cancel_tools
