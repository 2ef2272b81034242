// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the translation units that need not be parsed: none of the files that they can read
// mentions what the checks look for.
#ifndef CANCEL_REWRITER_PRESCAN_H
#define CANCEL_REWRITER_PRESCAN_H

#include "Check.h"
#include "IncludeGraph.h"
#include "IncludeSearch.h"

#include <map>

namespace cancel_tools {

/// What a look at a unit's files came to.
struct PrescanAnswer {
  /// Why the unit must be parsed; empty if no check can have a fact in it.
  std::string WhyParse;
  /// Real paths of all files that the unit may read, sorted; perhaps more than it does. Only for a
  /// unit that need not be parsed.
  std::vector<llvm::StringRef> Files;
};

/// Never skips a unit of which a check would have a fact: what it does not understand is to be
/// parsed. Each file is read once, and each set of flags is shown to Clang once. Thread-safe.
class Prescan {
public:
  explicit Prescan(llvm::ArrayRef<EnabledCheck>);

  /// `CommandLine` is of `parseCommand`, for an absolute main file. The answer's paths belong to
  /// this object.
  PrescanAnswer look(const std::string &Directory, const std::vector<std::string> &CommandLine);

private:
  /// For each check, what `Check::Needs` says.
  using Rows = std::vector<Alternatives>;
  static std::vector<Rows> needsOf(llvm::ArrayRef<EnabledCheck>);

  /// What all units with the same flags have in common.
  struct Flags {
    std::once_flag Known;
    IncludeSearch Search;
    TextScan Predefines;
    IncludeGraph *Graph = nullptr;
  };

  const Flags &flagsOf(const std::string &Directory, const std::vector<std::string> &CommandLine);
  void learn(Flags &, const std::string &Directory, const std::vector<std::string> &CommandLine);
  bool mayHaveFact(const llvm::BitVector &Pieces) const;

  const std::vector<Rows> Needs;
  const WordPieces Sought;
  ScannedFiles Files;
  std::mutex Mutex;
  std::map<std::vector<std::string>, Flags> KnownFlags;
  /// By their search directories.
  std::map<std::vector<std::string>, IncludeGraph> Graphs;
};

} // namespace cancel_tools

#endif
