// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every reason not to edit is found here, before anything is tried.
#include "Decide.h"

#include "DisplayPath.h"
#include "Edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace cancel_tools {

void Plan::withdraw(const std::map<size_t, std::string> &Reasons) {
  std::vector<EditGroup> Kept;
  for (auto [I, Group] : llvm::enumerate(Groups)) {
    auto Reason = Reasons.find(I);
    if (Reason == Reasons.end()) {
      Kept.push_back(std::move(Group));
      continue;
    }
    for (size_t Member : Group.Members) {
      Findings[Member].Edits.clear();
      Findings[Member].FixedWith.reset();
      Findings[Member].Refusal = Reason->second;
    }
  }
  Groups = std::move(Kept);
}

std::map<std::string, std::string> Plan::editedTexts(llvm::ArrayRef<EditGroup> Of) const {
  std::map<std::string, std::vector<Edit>> ByFile;
  for (const EditGroup &Group : Of)
    for (const Edit &E : Group.Edits)
      ByFile[E.File].push_back(E);
  std::map<std::string, std::string> Result;
  for (auto &[File, Edits] : ByFile) {
    llvm::sort(Edits);
    Edits.erase(llvm::unique(Edits), Edits.end());
    Result[File] = edited(Texts.at(File), Edits);
  }
  return Result;
}

static bool isWritable(StringRef File) {
  // access() grants a privileged user everything, but a file that nobody may write is meant to
  // stay.
  llvm::ErrorOr<fs::perms> Permissions = fs::getPermissions(File);
  return Permissions &&
         (*Permissions & (fs::owner_write | fs::group_write | fs::others_write)) != 0 &&
         !fs::access(File, fs::AccessMode::Write) &&
         !fs::access(llvm::sys::path::parent_path(File), fs::AccessMode::Write);
}

static std::optional<std::string> outOfScope(const std::string &File, const Scope &Within) {
  switch (Within.of(File)) {
  case Scope::Place::Inside:
    return std::nullopt;
  case Scope::Place::Elsewhere:
    return "it would edit " + displayPath(File) + ", which no given path covers";
  case Scope::Place::BuildDir:
    return "it would edit " + displayPath(File) + " in the build directory";
  }
  llvm_unreachable("all places are named");
}

// Why a file must not be edited; reads its text into `Text` otherwise.
static std::optional<std::string> obstacle(const std::string &File, const FileHashes &Hashes,
                                           const Scope &Within, std::string &Text) {
  if (std::optional<std::string> Reason = outOfScope(File, Within))
    return Reason;
  const std::string Shown = displayPath(File);
  if (!fs::is_regular_file(File))
    return Shown + " is no regular file";
  if (!isWritable(File))
    return Shown + " is read-only";
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return Shown + " cannot be read: " + Buffer.getError().message();
  auto Hash = Hashes.find(File);
  if (Hash == Hashes.end() || Hash->second != contentHash((*Buffer)->getBuffer()))
    return Shown + " changed while it was analysed; run again";
  Text = (*Buffer)->getBuffer().str();
  return std::nullopt;
}

static void withdrawObstructed(Plan &P, const FileHashes &Hashes, const Scope &Within) {
  std::map<std::string, std::optional<std::string>> Obstacles;
  std::map<size_t, std::string> Reasons;
  for (auto [I, Group] : llvm::enumerate(P.Groups)) {
    for (size_t Member : Group.Members)
      if (auto Reason = outOfScope(P.Findings[Member].At.File, Within))
        Reasons.emplace(I, *Reason);
    for (const Edit &E : Group.Edits) {
      auto [Known, Fresh] = Obstacles.try_emplace(E.File);
      if (Fresh)
        Known->second = obstacle(E.File, Hashes, Within, P.Texts[E.File]);
      if (Known->second)
        Reasons.emplace(I, *Known->second);
    }
  }
  P.withdraw(Reasons);
}

static std::string collisionWith(const Plan &P, const EditGroup &Other) {
  const Location &At = P.Findings[Other.Members.front()].At;
  return "its edit overlaps with that of " + displayPath(At.File) + ":" + std::to_string(At.Line) +
         ":" + std::to_string(At.Column);
}

static void withdrawColliding(Plan &P) {
  struct Placed {
    const Edit *What;
    size_t Group;
  };
  std::vector<Placed> All;
  for (auto [I, Group] : llvm::enumerate(P.Groups))
    for (const Edit &E : Group.Edits)
      All.push_back({&E, I});
  llvm::sort(All, [](const Placed &A, const Placed &B) {
    return std::tie(*A.What, A.Group) < std::tie(*B.What, B.Group);
  });

  std::map<size_t, std::string> Reasons;
  for (auto It = All.begin(); It != All.end(); ++It)
    for (auto Next = std::next(It); Next != All.end() && Next->What->File == It->What->File &&
                                    Next->What->Offset <= It->What->Offset + It->What->Length;
         ++Next)
      if (collide(*It->What, *Next->What)) {
        Reasons.emplace(It->Group, collisionWith(P, P.Groups[Next->Group]));
        Reasons.emplace(Next->Group, collisionWith(P, P.Groups[It->Group]));
      }
  P.withdraw(Reasons);
}

static void formGroups(Plan &P) {
  std::map<std::string, EditGroup> ByName;
  for (auto [I, F] : llvm::enumerate(P.Findings)) {
    if (F.Edits.empty() && !F.FixedWith)
      continue;
    EditGroup &Group = ByName[F.Group];
    Group.Members.push_back(I);
    Group.Edits.insert(Group.Edits.end(), F.Edits.begin(), F.Edits.end());
  }
  for (auto &[Name, Group] : ByName) {
    Group.Name = Name;
    llvm::sort(Group.Edits);
    Group.Edits.erase(llvm::unique(Group.Edits), Group.Edits.end());
    P.Groups.push_back(std::move(Group));
  }
}

// No group has a member out of scope any more, so only positions change.
static void dropOutOfScope(Plan &P, const Scope &Within) {
  std::vector<size_t> NewPosition(P.Findings.size());
  std::vector<Finding> Kept;
  for (auto [I, F] : llvm::enumerate(P.Findings)) {
    NewPosition[I] = Kept.size();
    const Scope::Place Place = Within.of(F.At.File);
    P.LeftOutInBuildDir += Place == Scope::Place::BuildDir;
    if (Place == Scope::Place::Inside)
      Kept.push_back(std::move(F));
  }
  P.Findings = std::move(Kept);
  for (EditGroup &Group : P.Groups)
    for (size_t &Member : Group.Members)
      Member = NewPosition[Member];
}

Plan decide(std::vector<Finding> Findings, const FileHashes &Hashes, const Scope &Within) {
  Plan P;
  P.Findings = std::move(Findings);
  formGroups(P);
  withdrawObstructed(P, Hashes, Within);
  withdrawColliding(P);

  dropOutOfScope(P, Within);
  return P;
}

Plan decide(llvm::ArrayRef<EnabledCheck> Checks, Collection &From, const Scope &Within) {
  FileHashes Hashes;
  for (const UnitFacts &Unit : From.Facts)
    for (const auto &[File, Hash] : Unit.EditedFiles)
      // Units that read different texts of a file: it changed in between. No hash equals the empty
      // one.
      if (auto [Known, Fresh] = Hashes.try_emplace(File, Hash); !Fresh && Known->second != Hash)
        Known->second.clear();
  return decide(conclude(Checks, std::move(From.Facts)), Hashes, Within);
}

} // namespace cancel_tools
