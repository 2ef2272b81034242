// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts together what the flags say, what files include and which words they hold.
#include "Prescan.h"

#include "DisplayPath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace cancel_tools {

std::vector<Prescan::Rows> Prescan::needsOf(llvm::ArrayRef<EnabledCheck> Checks) {
  std::vector<Rows> Result;
  for (const EnabledCheck &C : Checks) {
    Rows &OfCheck = Result.emplace_back();
    for (Alternatives (*const Row)() : C.What->Needs)
      OfCheck.push_back(Row());
  }
  return Result;
}

static std::vector<StringRef> allWords(llvm::ArrayRef<std::vector<Alternatives>> Needs) {
  std::vector<StringRef> Words;
  for (const std::vector<Alternatives> &OfCheck : Needs)
    for (const Alternatives &Row : OfCheck)
      llvm::append_range(Words, Row);
  return Words;
}

Prescan::Prescan(llvm::ArrayRef<EnabledCheck> Checks)
    : Needs(needsOf(Checks)), Sought(allWords(Needs)), Files(Sought) {}

bool Prescan::mayHaveFact(const llvm::BitVector &Pieces) const {
  return llvm::any_of(Needs, [&](const Rows &OfCheck) {
    return llvm::all_of(OfCheck, [&](const Alternatives &Row) {
      return llvm::any_of(Row, [&](StringRef Word) { return Sought.canMake(Word, Pieces); });
    });
  });
}

const Prescan::Flags &Prescan::flagsOf(const std::string &Directory,
                                       const std::vector<std::string> &CommandLine) {
  std::vector<std::string> Key = CommandLine;
  Key.back() = llvm::sys::path::extension(Key.back()).str(); // it may choose the language
  Key.push_back(Directory);
  Flags *Result = nullptr;
  {
    const std::lock_guard<std::mutex> Lock(Mutex);
    Result = &KnownFlags[std::move(Key)];
  }
  std::call_once(Result->Known, [&] { learn(*Result, Directory, CommandLine); });
  return *Result;
}

void Prescan::learn(Flags &F, const std::string &Directory,
                    const std::vector<std::string> &CommandLine) {
  F.Search = includeSearch(Directory, CommandLine);
  F.Predefines = scanText(F.Search.Predefines, Sought);
  const std::lock_guard<std::mutex> Lock(Mutex);
  F.Graph = &Graphs.try_emplace(F.Search.Directories, Files, F.Search.Directories).first->second;
}

PrescanAnswer Prescan::look(const std::string &Directory,
                            const std::vector<std::string> &CommandLine) {
  const StringRef MainFile = CommandLine.back();
  if (!llvm::sys::fs::exists(MainFile)) // no fault of its flags
    return {"it cannot be read", {}};
  const Flags &F = flagsOf(Directory, CommandLine);
  if (!F.Search.Obstacle.empty())
    return {"its flags mean " + F.Search.Obstacle, {}};
  if (!F.Predefines.Obstacle.empty())
    return {"its flags: " + F.Predefines.Obstacle, {}};

  std::vector<IncludeGraph::Node *> Roots{F.Graph->at(MainFile)};
  if (!Roots.front())
    return {"it cannot be read", {}};
  for (const IncludeName &Named : F.Predefines.Includes) {
    const auto Found = F.Graph->resolve(Named, {Directory, llvm::sys::path::parent_path(MainFile)});
    if (Found.empty())
      return {"its flags name '" + Named.Name + "', which is not found", {}};
    llvm::append_range(Roots, Found);
  }

  PrescanAnswer Result;
  llvm::BitVector Pieces = F.Predefines.Pieces;
  for (IncludeGraph::Node *Reached : F.Graph->closure(Roots)) {
    if (!Reached->Obstacle.empty())
      return {displayPath(Reached->Path) + " " + Reached->Obstacle, {}};
    Pieces |= Reached->File->Scan.Pieces;
    Result.Files.push_back(Reached->File->RealPath);
  }
  if (mayHaveFact(Pieces))
    return {"it may mention what a check looks for", {}};
  llvm::sort(Result.Files);
  Result.Files.erase(llvm::unique(Result.Files), Result.Files.end());
  return Result;
}

} // namespace cancel_tools
