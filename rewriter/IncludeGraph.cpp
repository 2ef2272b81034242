// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No lock is held while files are looked for and read, but for the real path of a new directory.
#include "IncludeGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

static ScannedFiles::File read(StringRef Path, const WordPieces &Sought) {
  ScannedFiles::File Result;
  Result.Scan.Pieces.resize(Sought.count());
  fs::file_status Status;
  llvm::SmallString<256> Real;
  if (fs::status(Path, Status) || !fs::is_regular_file(Status) || fs::real_path(Path, Real)) {
    Result.Scan.Obstacle = "is no regular file"; // a pipe can be read once
    return Result;
  }
  Result.RealPath = std::string(Real);
  auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Text) {
    Result.Scan.Obstacle = "cannot be read";
    return Result;
  }
  Result.Scan = scanText((*Text)->getBuffer(), Sought);
  // Clang looks into frameworks around the includer as well.
  if (Path.contains(".framework/"))
    Result.Scan.Obstacle = "belongs to a framework";
  return Result;
}

const ScannedFiles::File &ScannedFiles::at(StringRef Path) {
  Entry *E = nullptr;
  {
    const std::lock_guard<std::mutex> Lock(Mutex);
    std::unique_ptr<Entry> &Slot = Entries[Path];
    if (!Slot)
      Slot = std::make_unique<Entry>();
    E = Slot.get();
  }
  std::call_once(E->Read, [&] { E->Content = read(Path, Sought); });
  return E->Content;
}

const std::string &IncludeGraph::realDirectory(StringRef Path) {
  const auto [It, Fresh] = RealDirectories.try_emplace(Path);
  if (llvm::SmallString<256> Real; Fresh && !fs::real_path(Path, Real))
    It->second = std::string(Real);
  return It->second;
}

IncludeGraph::Node *IncludeGraph::at(StringRef Path) {
  fs::file_status Status;
  if (fs::status(Path, Status) || fs::is_directory(Status))
    return nullptr;
  const std::lock_guard<std::mutex> Lock(Mutex);
  llvm::SmallString<256> Name(realDirectory(path::parent_path(Path)));
  if (Name.empty())
    return nullptr;
  path::append(Name, path::filename(Path));
  std::unique_ptr<Node> &Slot = Nodes[Name];
  if (!Slot) {
    Slot = std::make_unique<Node>();
    Slot->Path = std::string(Name);
  }
  return Slot.get();
}

llvm::SmallVector<IncludeGraph::Node *, 4>
IncludeGraph::resolve(const IncludeName &Include, llvm::ArrayRef<StringRef> Includers) {
  llvm::SmallVector<Node *, 4> Found;
  const auto LookIn = [&](StringRef Directory, llvm::SmallVectorImpl<Node *> &Into) {
    llvm::SmallString<256> Candidate(Directory);
    path::append(Candidate, Include.Name);
    if (Node *There = at(Candidate))
      Into.push_back(There);
  };
  if (path::is_absolute(Include.Name)) {
    LookIn("", Found);
    return Found;
  }
  if (Include.Quoted)
    for (StringRef Directory : Includers)
      LookIn(Directory, Found);
  {
    const std::lock_guard<std::mutex> Lock(Mutex);
    if (const auto Known = Searched.find(Include.Name); Known != Searched.end()) {
      llvm::append_range(Found, Known->second);
      return Found;
    }
  }
  llvm::SmallVector<Node *, 2> Result;
  for (StringRef Directory : Directories)
    LookIn(Directory, Result);
  llvm::append_range(Found, Result);
  const std::lock_guard<std::mutex> Lock(Mutex);
  Searched.try_emplace(Include.Name, std::move(Result));
  return Found;
}

void IncludeGraph::expand(Node &Of) {
  Of.File = &Files.at(Of.Path);
  Of.Obstacle = Of.File->Scan.Obstacle;
  for (const IncludeName &Include : Of.File->Scan.Includes) {
    const auto Found = resolve(Include, {path::parent_path(Of.Path)});
    for (Node *Included : Found)
      if (!llvm::is_contained(Of.Includes, Included))
        Of.Includes.push_back(Included);
    if (Found.empty() && Include.Quoted)
      Of.Obstacle = "includes '" + Include.Name + "', which is not found";
  }
}

std::vector<IncludeGraph::Node *> IncludeGraph::closure(llvm::ArrayRef<Node *> From) {
  std::vector<Node *> Result;
  llvm::SmallPtrSet<Node *, 32> Seen;
  const auto Reach = [&](Node *N) {
    if (Seen.insert(N).second)
      Result.push_back(N);
  };
  llvm::for_each(From, Reach);
  for (size_t I = 0; I != Result.size(); ++I) {
    Node &Next = *Result[I];
    std::call_once(Next.Expanded, [&] { expand(Next); });
    llvm::for_each(Next.Includes, Reach);
  }
  return Result;
}

} // namespace cancel_tools
