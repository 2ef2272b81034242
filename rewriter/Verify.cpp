// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the groups that break a unit by halving: almost always there are none, and then one parse
// tells.
#include "Verify.h"

#include "DisplayPath.h"
#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

#include <memory>
#include <mutex>
#include <set>

using llvm::StringRef;

namespace cancel_tools {
namespace {

/// Edited texts where worker processes can read them.
class Overlay {
public:
  explicit Overlay(const std::map<std::string, std::string> &Texts) {
    for (const auto &[File, Text] : Texts)
      TextFiles.emplace(File, std::make_unique<ScratchFile>(Text));
  }

  /// The texts of the files that `IsRead`.
  std::map<std::string, std::string> paths(llvm::function_ref<bool(StringRef)> IsRead) const {
    std::map<std::string, std::string> Result;
    for (const auto &[File, Text] : TextFiles)
      if (IsRead(File))
        Result.emplace(File, Text->path().str());
    return Result;
  }

private:
  std::map<std::string, std::unique_ptr<ScratchFile>> TextFiles;
};

/// What stays the same of an error when lines move: its file and its message, but types in messages
/// are named by their place too, as "(lambda at FILE:LINE:COLUMN)" is.
std::string withoutPlace(const ParseError &E) {
  const llvm::Regex Place(" at [^()]*:[0-9]+:[0-9]+");
  std::string Message = E.Message;
  while (Place.match(Message))
    Message = Place.sub("", Message);
  return displayPath(E.File) + ": " + Message;
}

/// The groups that break one unit, and how.
using Blame = std::map<std::string, std::string>;

class Verifier {
public:
  Verifier(Plan &P, llvm::ArrayRef<AffectedUnit> Units, const ParseSettings &Settings,
           const Workers &Pool)
      : P(P), Units(Units), Settings(Settings), Pool(Pool), Baselines(Units.size()) {}

  Verification run() {
    std::set<size_t> Parsed;
    std::vector<size_t> Pending = affectedBy(P.Groups);
    while (!Pending.empty()) {
      Parsed.insert(Pending.begin(), Pending.end());
      const std::vector<EditGroup> Guilty = withdraw(round(Pending));
      Pending = affectedBy(Guilty);
      // A unit whose edits are all gone is as it was.
      const std::vector<size_t> StillEdited = affectedBy(P.Groups);
      llvm::erase_if(Pending, [&](size_t U) { return !llvm::is_contained(StillEdited, U); });
    }
    Result.Units = Parsed.size();
    if (P.Groups.empty())
      Result.MissingHeader.reset();
    return Result;
  }

private:
  static bool mayRead(const AffectedUnit &U, StringRef File) {
    return llvm::binary_search(U.Reads, File);
  }

  std::vector<EditGroup> groupsFor(const AffectedUnit &U) const {
    std::vector<EditGroup> Result;
    for (const EditGroup &Group : P.Groups)
      if (llvm::any_of(Group.Edits, [&](const Edit &E) { return mayRead(U, E.File); }))
        Result.push_back(Group);
    return Result;
  }

  std::vector<size_t> affectedBy(llvm::ArrayRef<EditGroup> Groups) const {
    std::set<std::string> Files;
    for (const EditGroup &Group : Groups)
      for (const Edit &E : Group.Edits)
        Files.insert(E.File);
    std::vector<size_t> Result;
    for (const auto &[I, U] : llvm::enumerate(Units))
      if (llvm::any_of(Files, [&U = U](StringRef File) { return mayRead(U, File); }))
        Result.push_back(I);
    return Result;
  }

  ParseReport parseOver(const AffectedUnit &U, const Overlay &Texts) const {
    return Pool.parse({U.Command.Directory, parseCommand(U.Command, Settings, Warnings::AsBuilt),
                       Texts.paths([&](StringRef File) { return mayRead(U, File); }),
                       /*Checks=*/{}, Settings.RuntimeDir});
  }

  /// The first of the errors that the unit does not have without any edit.
  std::optional<ParseError> newError(size_t UnitIndex, std::vector<ParseError> Errors) {
    if (Errors.empty())
      return std::nullopt;
    std::optional<std::vector<ParseError>> &Baseline = Baselines[UnitIndex];
    if (!Baseline)
      Baseline = parseOver(Units[UnitIndex], Overlay({})).Errors;
    std::multiset<std::string> Known;
    for (const ParseError &E : *Baseline)
      Known.insert(withoutPlace(E));
    for (ParseError &E : Errors) {
      auto It = Known.find(withoutPlace(E));
      if (It == Known.end())
        return std::move(E);
      Known.erase(It);
    }
    return std::nullopt;
  }

  std::optional<ParseError> newErrorOver(size_t UnitIndex, llvm::ArrayRef<EditGroup> Groups) {
    const Overlay Texts(P.editedTexts(Groups));
    return newError(UnitIndex, parseOver(Units[UnitIndex], Texts).Errors);
  }

  /// Adds the groups that `Error`, known to come from `Groups` together, is to be blamed on.
  void blame(size_t UnitIndex, llvm::ArrayRef<EditGroup> Groups, const ParseError &Error,
             Blame &To) {
    const size_t Before = To.size();
    if (Groups.size() > 1)
      for (llvm::ArrayRef<EditGroup> Half :
           {Groups.take_front(Groups.size() / 2), Groups.drop_front(Groups.size() / 2)})
        if (std::optional<ParseError> OfHalf = newErrorOver(UnitIndex, Half))
          blame(UnitIndex, Half, *OfHalf, To);
    if (To.size() != Before)
      return;
    // One group, or several that break the unit only together.
    for (const EditGroup &Group : Groups)
      To.emplace(Group.Name, "taken back: " + displayPath(Units[UnitIndex].Command.Filename) +
                                 " does not compile with it: " + describe(Error));
  }

  Blame round(llvm::ArrayRef<size_t> Chosen) {
    const Overlay Texts(P.editedTexts(P.Groups));
    std::vector<Blame> Blames(Chosen.size());
    std::mutex Mutex;
    Pool.forEach(Chosen.size(), "Verifying", [&](size_t I) {
      const AffectedUnit &U = Units[Chosen[I]];
      ParseReport Report = parseOver(U, Texts);
      if (std::optional<ParseError> Error = newError(Chosen[I], std::move(Report.Errors)))
        blame(Chosen[I], groupsFor(U), *Error, Blames[I]);
      std::lock_guard<std::mutex> Lock(Mutex);
      if (Report.RuntimeHeader && // one of them, whichever worker is done first
          (!Result.MissingHeader || *Report.RuntimeHeader < *Result.MissingHeader))
        Result.MissingHeader = Report.RuntimeHeader;
    });
    Blame All;
    for (Blame &OfUnit : Blames) // in the order of units: the first error is the one reported
      All.merge(OfUnit);
    return All;
  }

  std::vector<EditGroup> withdraw(const Blame &Guilty) {
    std::vector<EditGroup> Groups;
    std::map<size_t, std::string> Reasons;
    for (auto [I, Group] : llvm::enumerate(P.Groups))
      if (auto It = Guilty.find(Group.Name); It != Guilty.end()) {
        Groups.push_back(Group);
        Reasons.emplace(I, It->second);
      }
    P.withdraw(Reasons);
    return Groups;
  }

  Plan &P;
  const llvm::ArrayRef<AffectedUnit> Units;
  const ParseSettings &Settings;
  const Workers &Pool;
  /// Errors without edits, by unit; each is used by one task at a time.
  std::vector<std::optional<std::vector<ParseError>>> Baselines;
  Verification Result;
};

} // namespace

Verification verify(Plan &P, llvm::ArrayRef<AffectedUnit> Units, const ParseSettings &Settings,
                    const Workers &Pool) {
  return Verifier(P, Units, Settings, Pool).run();
}

} // namespace cancel_tools
