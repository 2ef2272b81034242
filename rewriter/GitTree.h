// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether git could give back what a run overwrites.
#ifndef CANCEL_REWRITER_GITTREE_H
#define CANCEL_REWRITER_GITTREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// The root of the git work tree that holds the file, or empty.
std::string workTreeOf(llvm::StringRef File);

/// What git ignores in the work tree, as absolute paths; a directory stands for all that is in it.
/// Nothing while there is no git to ask. Error: git cannot tell.
llvm::Expected<std::vector<std::string>> ignoredIn(llvm::StringRef Root);

/// A work tree with changes that are not committed.
struct DirtyTree {
  std::string Root;
  /// Relative to the root, as git prints them.
  std::vector<std::string> Changed;
};

/// The first of the git work trees that hold one of `Files` and in which a tracked file differs
/// from the last commit. Files outside of any, and trees while there is no git to ask, are none.
/// Error: git cannot tell.
llvm::Expected<std::optional<DirtyTree>> findDirtyTree(llvm::ArrayRef<std::string> Files);

} // namespace cancel_tools

#endif
