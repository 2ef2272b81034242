// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 3, where the user wants more than a parse: a command of the user's own, over the edits.
#ifndef CANCEL_REWRITER_VERIFYWITH_H
#define CANCEL_REWRITER_VERIFYWITH_H

#include "Decide.h"

namespace cancel_tools {

/// A build or a test, in the words of the user's shell.
struct Trial {
  std::string Command;
  /// Directories that are not copied, real paths.
  std::vector<std::string> BuildDirs;
  /// The runtime's headers, for builds that do not have them yet; or empty.
  std::string RuntimeDir;
  bool Quiet = false;
};

/// Runs the command in a copy of the tree, first as it is, then over the plan's edits. Groups with
/// which it fails are found by halving and withdrawn, until it succeeds over those that remain. The
/// tree is the git work tree that holds the edited files, without what git ignores there; outside
/// of git the current directory, or the nearest one above that holds them all. Returns how often
/// the command ran. Errors: it fails without any edit, a file lies outside of the tree, or the tree
/// cannot be copied.
llvm::Expected<size_t> verifyWith(const Trial &, Plan &);

} // namespace cancel_tools

#endif
