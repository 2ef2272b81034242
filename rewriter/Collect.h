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

/// A translation unit of the project.
struct Unit {
  clang::tooling::CompileCommand Command;
  /// Whether it was parsed. The others lie outside the scope.
  bool Collected = false;
  /// Real paths of the files it read, sorted; in `Collection::Paths`.
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
  std::vector<UnitFacts> Facts;
  std::vector<Failure> Failures;

  Collection() = default;
  Collection(Collection &&) = default;
  Collection(const Collection &) = delete;

  size_t collectedUnits() const;
};

/// Parses and examines the units below the scope's paths; all of them if there are no paths or if
/// one is no source of the project, as a header is. A unit with an error gives no facts but a
/// failure.
Collection collect(const Project &, const Scope &, const ParseSettings &,
                   llvm::ArrayRef<EnabledCheck>, const Workers &);

} // namespace cancel_tools

#endif
