// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one translation unit tells: the only thing that passes from the phase that sees the AST to
// the phase that concludes.
#ifndef CANCEL_ANALYSIS_FACT_H
#define CANCEL_ANALYSIS_FACT_H

#include "Finding.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace cancel_tools {

/// One observation of a check at one place, with its candidate edit already rendered.
///
/// A fact knows no message: the check's judge writes it, from `Attributes`, once the facts of all
/// translation units are together.
struct Fact {
  /// The catalogue name of the check that made it and that will judge it.
  std::string Check;
  Location At;
  /// Unified symbol resolution string of the enclosing function.
  std::string Function;
  /// Of facts about one place, those of the highest rank count, and their edits must agree: where a
  /// loop turns in one instantiation and not in another, what is right for the first is for both.
  unsigned Rank = 0;
  /// What the judge needs; its keys belong to the check.
  llvm::json::Object Attributes;
  /// Places that explain the fact; messages included, for they name source entities.
  std::vector<Note> Notes;
  /// Facts with the same group are edited together or not at all. Empty: nothing to edit.
  std::string Group;
  /// This fact's part of the group's edit.
  std::vector<Edit> Edits;
  /// Another form of the same, which the judge may choose for the whole group instead.
  std::vector<Edit> Alternative;
  /// Why no edit is offered.
  std::optional<std::string> Refusal;
};

/// A coroutine as the program's other translation units know it. Functions and classes are named by
/// the USR of how they are spelled, so that all instantiations of a template are one.
struct CoroutineFact {
  std::string Function;
  /// What people call it: quoted, or "a lambda".
  std::string Name;
  std::string Promise;
};

/// A call whose result the caller awaits, or returns for its own caller to await.
struct CoroutineCall {
  std::string Caller;
  std::string Callee;
  /// As `CoroutineFact::Name`.
  std::string CalleeName;
  Location At;
  /// The caller is a coroutine, and a loop of it makes the call on every turn, with the same stop
  /// token each time if it passes one that can be told.
  bool Repeats = false;
};

/// All facts of one translation unit.
struct UnitFacts {
  /// Real path of the main file.
  std::string MainFile;
  std::vector<Fact> Facts;
  /// Whatever the checks: who calls whom.
  std::vector<CoroutineFact> Coroutines;
  std::vector<CoroutineCall> Calls;
  /// Real path and content hash of each file that a candidate edit touches, as the parser read it.
  /// An edit is applied only to that content.
  std::map<std::string, std::string> EditedFiles;
};

/// The version of the fact format; a file of another version is refused.
inline constexpr int FactFormat = 2;

llvm::json::Value toJSON(const UnitFacts &);

/// Reads what `toJSON` wrote, as LLVM's `fromJSON` do. Faults: another version, or a value of the
/// wrong shape.
bool fromJSON(const llvm::json::Value &, UnitFacts &, llvm::json::Path);

/// Hash of a file's bytes, as `EditedFiles` holds it. Not cryptographic: it guards against stale
/// edits, not against an adversary.
std::string contentHash(llvm::StringRef Bytes);

} // namespace cancel_tools

#endif
