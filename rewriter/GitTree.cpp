// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks git itself.
#include "GitTree.h"

#include "Interrupts.h"
#include "ScratchFile.h"

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

static llvm::Expected<std::vector<std::string>> changedIn(StringRef Git, StringRef Root) {
  const ScratchFile Output, Errors;
  const int Code = executeAndWait(Git,
                                  {Git, "-C", Root, "-c", "core.quotePath=false", "status",
                                   "--porcelain", "--untracked-files=no"},
                                  {"", Output.path(), Errors.path()});
  auto Text = llvm::MemoryBuffer::getFile(Code == 0 ? Output.path() : Errors.path());
  if (Code != 0 || !Text)
    return llvm::createStringError("git cannot tell whether '" + Root + "' is clean: " +
                                   lastWords(Text ? (*Text)->getBuffer() : StringRef()));
  llvm::SmallVector<StringRef> Lines;
  (*Text)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Changed;
  for (StringRef Line : Lines)
    Changed.push_back(Line.drop_front(3).str()); // "XY PATH"
  return Changed;
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
