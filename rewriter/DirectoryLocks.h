// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps runs over the same files apart, whichever build they know the files from.
#ifndef CANCEL_REWRITER_DIRECTORYLOCKS_H
#define CANCEL_REWRITER_DIRECTORYLOCKS_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// Holds the directories of some files against other runs of this program, from construction to
/// destruction; waits for those that have one. A file system without locks has no such protection.
class DirectoryLocks {
public:
  explicit DirectoryLocks(llvm::ArrayRef<std::string> Files);
  DirectoryLocks(const DirectoryLocks &) = delete;
  DirectoryLocks &operator=(const DirectoryLocks &) = delete;
  ~DirectoryLocks();

private:
  std::vector<int> Descriptors;
};

} // namespace cancel_tools

#endif
