// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two phases that all checks share: gathering facts, and concluding over those of many
// translation units.
#include "Check.h"
#include "CoroutineCalls.h"
#include "NoLint.h"
#include "TranslationUnit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"

namespace cancel_tools {

static constexpr llvm::StringLiteral TruthValues[] = {"true", "false", "1", "0"};

llvm::StringRef OptionSpec::expected() const {
  return llvm::is_contained(TruthValues, Default) ? "true or false" : "";
}

bool OptionSpec::accepts(llvm::StringRef Value) const {
  return expected().empty() || llvm::is_contained(TruthValues, Value);
}

llvm::StringRef Options::get(llvm::StringRef Key) const {
  if (auto It = Values.find(Key); It != Values.end())
    return It->second;
  const auto *Spec = llvm::find_if(Specs, [&](const OptionSpec &S) { return S.Key == Key; });
  return Spec == Specs.end() ? llvm::StringRef() : llvm::StringRef(Spec->Default);
}

bool Options::isSet(llvm::StringRef Key) const {
  const llvm::StringRef Value = get(Key);
  return Value == "true" || Value == "1";
}

bool globEnables(llvm::StringRef Globs, llvm::StringRef CheckName) {
  bool Enabled = false;
  while (!Globs.empty()) {
    llvm::StringRef Glob;
    std::tie(Glob, Globs) = Globs.split(',');
    Glob = Glob.trim();
    const bool Positive = !Glob.consume_front("-");
    llvm::Expected<llvm::GlobPattern> Pattern = llvm::GlobPattern::create(Glob);
    if (Pattern ? Pattern->match(CheckName) : Glob == CheckName)
      Enabled = Positive;
    if (!Pattern)
      llvm::consumeError(Pattern.takeError());
  }
  return Enabled;
}

namespace {

/// Whether a NOLINT comment silences the check where the fact stands.
bool isSilenced(TranslationUnit &Unit, const Fact &F) {
  const clang::SourceManager &Sources = Unit.sources();
  const auto Entry = Sources.getFileManager().getOptionalFileRef(F.At.File);
  const clang::FileID File = Entry ? Sources.translateFile(*Entry) : clang::FileID();
  return File.isValid() && isSuppressed(Unit.text(File), F.At.Line, F.Check);
}

void recordEditedFiles(TranslationUnit &Unit, UnitFacts &Result) {
  for (const Fact &F : Result.Facts)
    for (const std::vector<Edit> *Edits : {&F.Edits, &F.Alternative})
      for (const Edit &E : *Edits)
        if (auto [It, Fresh] = Result.EditedFiles.try_emplace(E.File); Fresh)
          if (const auto Entry = Unit.sources().getFileManager().getOptionalFileRef(E.File))
            if (const clang::FileID File = Unit.sources().translateFile(*Entry); File.isValid())
              It->second = contentHash(Unit.text(File));
}

/// The one fact for a place that several units or instantiations show.
void merge(Fact &Into, Fact &Other, llvm::StringRef OtherUnit) {
  if (Other.Rank < Into.Rank)
    return;
  if (Into.Rank < Other.Rank) {
    Into = std::move(Other);
    return;
  }
  if (Into.Group.empty()) // refused before it knew its group, whose other members must hear of it
    Into.Group = Other.Group;
  if (Into.Refusal || (!Other.Refusal && Other.Edits == Into.Edits &&
                       Other.Alternative == Into.Alternative && Other.Group == Into.Group))
    return;
  Into.Edits.clear();
  Into.Alternative.clear();
  Into.Refusal =
      Other.Refusal
          ? *Other.Refusal
          : llvm::formatv("the same place needs another edit where {0} uses it", OtherUnit).str();
}

struct Group {
  std::vector<Edit> Edits;
  std::vector<Finding *> Members;
};

/// A group is edited whole or not at all: where one member is refused, so are the others.
void refuseWhole(Group &G, const Finding &Refused) {
  for (Finding *Member : G.Members) {
    Member->Edits.clear();
    if (!Member->Refusal)
      Member->Refusal =
          llvm::formatv("it shares an edit with line {0}, which is not rewritten: {1}",
                        Refused.At.Line, *Refused.Refusal);
  }
}

/// Gives each group's edits to its first finding by place.
void assignCarriers(std::vector<Finding> &Findings) {
  std::map<std::string, Group> Groups;
  for (Finding &F : Findings) {
    if (F.Group.empty())
      continue;
    Group &G = Groups[F.Group];
    G.Members.push_back(&F);
    G.Edits.insert(G.Edits.end(), F.Edits.begin(), F.Edits.end());
    F.Edits.clear();
  }
  for (auto &[Name, G] : Groups) {
    const auto Refused = llvm::find_if(G.Members, [](const Finding *F) { return F->Refusal; });
    if (Refused != G.Members.end()) {
      refuseWhole(G, **Refused);
      continue;
    }
    llvm::sort(G.Edits);
    G.Edits.erase(llvm::unique(G.Edits), G.Edits.end());
    Finding &Carrier = *G.Members.front();
    Carrier.Edits = std::move(G.Edits);
    for (Finding *Member : llvm::drop_begin(G.Members))
      Member->FixedWith = Carrier.At;
  }
}

using FactsByPlace = std::map<std::pair<std::string, Location>, Fact>;

void concludeOne(const EnabledCheck &Enabled, FactsByPlace &Places, const Evidence &Known,
                 std::vector<Finding> &Findings) {
  std::vector<Fact> Own;
  for (auto &[Place, F] : Places)
    if (F.Check == Enabled.What->Name)
      Own.push_back(std::move(F));
  Enabled.What->Conclude(Own, Known, Enabled.Values, Findings);
}

void sortByPlace(std::vector<Finding> &Findings) {
  llvm::sort(Findings, [](const Finding &A, const Finding &B) {
    return std::tie(A.At, A.Check) < std::tie(B.At, B.Check);
  });
}

} // namespace

UnitFacts examine(TranslationUnit &Unit, llvm::ArrayRef<EnabledCheck> Checks) {
  UnitFacts Result;
  Result.MainFile = Unit.realPath(Unit.sources().getMainFileID());
  for (const EnabledCheck &Enabled : Checks)
    Enabled.What->Examine(Unit, Result.Facts);
  findCalls(Unit, Result.Coroutines, Result.Calls);
  llvm::erase_if(Result.Facts, [&](const Fact &F) { return isSilenced(Unit, F); });
  recordEditedFiles(Unit, Result);
  return Result;
}

std::vector<Finding> conclude(llvm::ArrayRef<EnabledCheck> Checks, std::vector<UnitFacts> Units) {
  llvm::sort(Units, [](const UnitFacts &A, const UnitFacts &B) { return A.MainFile < B.MainFile; });
  const CallGraph Calls(Units);
  Evidence Known{Calls, {}};
  FactsByPlace Places;
  for (UnitFacts &Unit : Units)
    for (Fact &F : Unit.Facts) {
      auto [It, Fresh] = Places.try_emplace({F.Check, F.At}, std::move(F));
      if (!Fresh)
        merge(It->second, F, Unit.MainFile);
    }

  std::vector<Finding> Findings;
  for (const bool First : {true, false}) {
    std::vector<Finding> Concluded;
    for (const EnabledCheck &Enabled : Checks)
      if (Enabled.What->ConcludesFirst == First)
        concludeOne(Enabled, Places, Known, Concluded);
    sortByPlace(Concluded);
    assignCarriers(Concluded);
    for (const Finding &F : Concluded)
      if (!F.Edits.empty() || F.FixedWith)
        for (const std::string &Promise : F.Embeds)
          Known.Embedding[Promise] = F.Group;
    llvm::move(Concluded, std::back_inserter(Findings));
  }
  sortByPlace(Findings);
  return Findings;
}

} // namespace cancel_tools
