// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks git itself.
#include "GitTree.h"

#include "Interrupts.h"
#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <optional>
#include <set>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

std::string workTreeOf(StringRef File) {
  for (StringRef Above = path::parent_path(File); !Above.empty();
       Above = path::parent_path(Above)) {
    llvm::SmallString<256> Mark(Above);
    path::append(Mark, ".git"); // a directory, or a file in a linked work tree
    if (fs::exists(Mark))
      return Above.str();
  }
  return {};
}

// What git prints in the work tree, in pieces.
static llvm::Expected<std::vector<std::string>>
ask(StringRef Git, StringRef Root, llvm::ArrayRef<StringRef> Question, char End, StringRef What) {
  const ScratchFile Output, Errors;
  // Without a lock, which would stay in the user's tree if git were killed.
  llvm::SmallVector<StringRef> Command = {Git,  "--no-optional-locks", "-C", Root,
                                          "-c", "core.quotePath=false"};
  llvm::append_range(Command, Question);
  const int Code = executeAndWait(Git, Command, {"", Output.path(), Errors.path()});
  auto Text = llvm::MemoryBuffer::getFile(Code == 0 ? Output.path() : Errors.path());
  if (Code != 0 || !Text)
    return llvm::createStringError("git cannot tell " + What + " '" + Root +
                                   "': " + lastWords(Text ? (*Text)->getBuffer() : StringRef()));
  llvm::SmallVector<StringRef> Pieces;
  (*Text)->getBuffer().split(Pieces, End, -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(Pieces.begin(), Pieces.end());
}

static llvm::Expected<std::vector<std::string>> changedIn(StringRef Git, StringRef Root) {
  llvm::Expected<std::vector<std::string>> Changed =
      ask(Git, Root, {"status", "--porcelain", "--untracked-files=no"}, '\n',
          "what is not committed in");
  if (Changed)
    for (std::string &Line : *Changed)
      Line.erase(0, 3); // "XY PATH"
  return Changed;
}

llvm::Expected<std::vector<std::string>> ignoredIn(StringRef Root) {
  const llvm::ErrorOr<std::string> Git = llvm::sys::findProgramByName("git");
  if (!Git)
    return std::vector<std::string>();
  llvm::Expected<std::vector<std::string>> Ignored = ask(
      *Git, Root, {"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"},
      '\0', "what it ignores in");
  if (Ignored)
    for (std::string &Path : *Ignored)
      Path = (Root + "/" + StringRef(Path).rtrim('/')).str();
  return Ignored;
}

llvm::Expected<std::optional<DirtyTree>> findDirtyTree(llvm::ArrayRef<std::string> Files) {
  const llvm::ErrorOr<std::string> Git = llvm::sys::findProgramByName("git");
  if (!Git)
    return std::nullopt;
  std::set<std::string> Roots;
  for (const std::string &File : Files)
    Roots.insert(workTreeOf(File));
  Roots.erase("");
  for (const std::string &Root : Roots) {
    llvm::Expected<std::vector<std::string>> Changed = changedIn(*Git, Root);
    if (!Changed)
      return Changed.takeError();
    if (!Changed->empty())
      return DirtyTree{Root, std::move(*Changed)};
  }
  return std::nullopt;
}

} // namespace cancel_tools
