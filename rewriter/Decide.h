// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 2: from the facts of all units to the edits that will be made, decided once for the whole
// program.
#ifndef CANCEL_REWRITER_DECIDE_H
#define CANCEL_REWRITER_DECIDE_H

#include "Collect.h"
#include "Layout.h"

#include <memory>

namespace cancel_tools {

/// Edits that are made together or not at all.
struct EditGroup {
  std::string Name;
  /// Sorted, each once.
  std::vector<Edit> Edits;
  /// The findings that the group repairs, as positions in `Plan::Findings`.
  std::vector<size_t> Members;
};

/// Content hash of each file as the parser read it, by real path.
using FileHashes = std::map<std::string, std::string>;

/// What will be reported and what will be edited. Deterministic: it does not depend on the order of
/// units.
struct Plan {
  /// Those in scope, sorted by place.
  std::vector<Finding> Findings;
  /// The groups to be made, sorted by name. No two collide.
  std::vector<EditGroup> Groups;
  /// The present text of each file that a group edits.
  std::map<std::string, std::string> Texts;
  /// Findings in the build directory, which nobody asked for.
  size_t LeftOutInBuildDir = 0;

  /// How the project lays its code out.
  std::shared_ptr<Layout> Layouts = std::make_shared<Layout>();

  /// Gives the groups up; their findings are refused for this reason. Positions refer to `Groups`
  /// before the call.
  void withdraw(const std::map<size_t, std::string> &Reasons);

  /// The new text of each file that the given groups edit, the touched lines laid out as the
  /// project wants it.
  std::map<std::string, std::string> editedTexts(llvm::ArrayRef<EditGroup> Of) const;
};

/// A unit that may read files which a plan edits.
struct AffectedUnit {
  clang::tooling::CompileCommand Command;
  /// Those files, real paths, sorted.
  std::vector<std::string> Reads;
};

/// Real paths of the files that the plan edits, sorted.
std::vector<std::string> editedFiles(const Plan &);

/// In the order of the project's commands.
std::vector<AffectedUnit> affectedUnits(const Plan &, llvm::ArrayRef<Unit>);

/// Decides over given findings: keeps those in scope, and of their groups those whose every edit is
/// in scope, in a regular, writable file that still has the hash that the parser saw, and collides
/// with no other group's. Of colliding groups none is made.
Plan decide(std::vector<Finding>, const FileHashes &, const Scope &);

/// The same over facts.
Plan decide(llvm::ArrayRef<EnabledCheck>, std::vector<UnitFacts>, const Scope &);

} // namespace cancel_tools

#endif
