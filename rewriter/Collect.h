// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 1: from compile commands to facts.
#ifndef CANCEL_REWRITER_COLLECT_H
#define CANCEL_REWRITER_COLLECT_H

#include "CommandLine.h"
#include "Project.h"
#include "Scope.h"
#include "Worker.h"

#include "llvm/ADT/StringSet.h"

namespace cancel_tools {

/// Whether units that never mention what the checks look for are left unparsed.
enum class Skipping { Allowed, Forbidden };

/// What a run asks: which questions, of which code.
struct Inquiry {
  Project From;
  Scope Within;
  ParseSettings Settings;
  std::vector<EnabledCheck> Checks;
  Skipping Skip = Skipping::Allowed;
};

/// What the stage did with a unit.
enum class UnitState {
  /// Nothing: nobody asked for it, and what it reads is unknown.
  OutOfScope,
  /// The pre-scan found that it does not mention what the checks look for.
  Skipped,
  Parsed,
};

/// A translation unit of the project.
struct Unit {
  clang::tooling::CompileCommand Command;
  UnitState State = UnitState::OutOfScope;
  /// Real paths of the files it read, or may read if it was skipped; sorted; in
  /// `Collection::Paths`.
  std::vector<llvm::StringRef> Files;

  bool reads(llvm::StringRef File) const;
};

/// Something that went wrong and that the run went on without.
struct Failure {
  std::string Path;
  std::string Reason;
};

/// What the stage found out. Not copyable: units refer to its paths.
struct Collection {
  /// Each path once, however many units read the file.
  llvm::StringSet<> Paths;
  std::vector<Unit> Units;
  /// By unit; none for one that was not parsed or has an error.
  std::vector<std::optional<UnitFacts>> Facts;
  std::vector<Failure> Failures;
  /// Units that an earlier run had parsed.
  size_t Remembered = 0;

  Collection() = default;
  Collection(Collection &&) = default;
  Collection &operator=(Collection &&) = default;
  Collection(const Collection &) = delete;

  size_t unitsThatAre(UnitState) const;
};

/// Parses and examines the units below the scope's paths; all of them if there are no paths or if
/// one is no source of the project, as a header is. A unit with an error gives no facts but a
/// failure, unless it is skipped.
Collection collect(const Inquiry &, const Workers &);

} // namespace cancel_tools

#endif
