// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a command finds what its source includes, as Clang itself sets the search up.
#ifndef CANCEL_REWRITER_INCLUDESEARCH_H
#define CANCEL_REWRITER_INCLUDESEARCH_H

#include <string>
#include <vector>

namespace cancel_tools {

/// What the flags alone decide of the files that a unit reads.
struct IncludeSearch {
  /// All directories that are searched, absolute, in their order.
  std::vector<std::string> Directories;
  /// The text before that of the main file: macros, and the headers that -include and -imacros
  /// name.
  std::string Predefines;
  /// What makes Clang read files that no include directive names; empty if nothing does.
  std::string Obstacle;
};

/// `CommandLine` is of `parseCommand`; its main file need not exist. Thread-safe.
IncludeSearch includeSearch(const std::string &Directory,
                            const std::vector<std::string> &CommandLine);

} // namespace cancel_tools

#endif
