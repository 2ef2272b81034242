// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check is: two pure phases, examine and conclude, and the name, options and page that
// belong to them.
#ifndef CANCEL_ANALYSIS_CHECK_H
#define CANCEL_ANALYSIS_CHECK_H

#include "CallGraph.h"
#include "Fact.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace cancel_tools {

class TranslationUnit;

/// One option of a check. All options are spelled as text, as clang-tidy's are; hosts read and
/// store them by looping over the check's table, so that a key cannot be read under one name and
/// stored under another.
struct OptionSpec {
  llvm::StringLiteral Key;
  llvm::StringLiteral Default;
  llvm::StringLiteral Help;

  /// What values it takes, to complete "expected ..."; empty for any text. Told by the default.
  llvm::StringRef expected() const;
  bool accepts(llvm::StringRef Value) const;
};

/// The values of one check's options. A key that is not set has its default.
class Options {
public:
  explicit Options(llvm::ArrayRef<OptionSpec> Specs) : Specs(Specs) {}

  void set(llvm::StringRef Key, llvm::StringRef Value) { Values[Key] = Value.str(); }
  llvm::StringRef get(llvm::StringRef Key) const;
  /// True for "true" and "1".
  bool isSet(llvm::StringRef Key) const;

private:
  llvm::ArrayRef<OptionSpec> Specs;
  llvm::StringMap<std::string> Values;
};

/// Words that mean the same to a check: where none of them is written, what they name is missing.
using Alternatives = std::vector<llvm::StringRef>;

/// What the program shows beside a check's own facts.
struct Evidence {
  const CallGraph &Calls;
  /// The promises that findings of the checks before make stop_frames: by their keys, the group of
  /// the edits.
  std::map<std::string, std::string> Embedding;
};

/// A check. The two functions share no state; neither knows its host.
struct Check {
  /// "cancel-<thing>-<fault>"; also the name of its page and its test folder.
  llvm::StringLiteral Name;
  /// One sentence, for --list-checks.
  llvm::StringLiteral Summary;
  llvm::ArrayRef<OptionSpec> OptionSpecs;
  /// A translation unit can have a fact only if of each row a word is an identifier, or a keyword,
  /// in some file that it reads or in its flags, be it pasted together there. A host need not parse
  /// the others. No row: nothing can be told without parsing.
  llvm::ArrayRef<Alternatives (*)()> Needs;
  /// Appends what this translation unit shows, each candidate edit rendered. Needs the AST.
  void (*Examine)(TranslationUnit &, std::vector<Fact> &);
  /// Appends what the facts amount to. `Facts` are this check's, of all translation units at hand,
  /// one per place, sorted by place. Needs no AST.
  void (*Conclude)(llvm::ArrayRef<Fact> Facts, const Evidence &, const Options &,
                   std::vector<Finding> &);
  /// Others want to know what it concludes.
  bool ConcludesFirst = false;
};

/// A check that the user has switched on, with the values of its options.
struct EnabledCheck {
  const Check *What = nullptr;
  Options Values;

  explicit EnabledCheck(const Check &C) : What(&C), Values(C.OptionSpecs) {}
};

/// First phase: the facts that the given checks find in one translation unit. Facts at places that
/// a NOLINT comment covers are left out, so that no edit group contains them.
UnitFacts examine(TranslationUnit &, llvm::ArrayRef<EnabledCheck>);

/// Second phase: findings over the facts of any number of translation units, sorted by place. The
/// result does not depend on the order of `Units`.
///
/// A place that several units (or several instantiations of a template) see is one finding. It
/// keeps its edit only if all of them render the same one; else it is refused and says which file
/// disagrees. Of each edit group exactly one finding, the first by place, carries the edits.
std::vector<Finding> conclude(llvm::ArrayRef<EnabledCheck>, std::vector<UnitFacts> Units);

/// Every check, sorted by name.
llvm::ArrayRef<Check> catalogue();

/// The check of that name, or null.
const Check *findCheck(llvm::StringRef Name);

/// Whether a clang-tidy style list of globs ("-*,cancel-*") switches the check on; later globs win.
bool globEnables(llvm::StringRef Globs, llvm::StringRef CheckName);

} // namespace cancel_tools

#endif
