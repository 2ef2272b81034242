// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One copy serves all runs, so that each builds only what the edits change.
#include "VerifyWith.h"

#include "Diff.h"
#include "GitTree.h"
#include "ScratchTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace cancel_tools {
namespace {

/// Why the command failed, if it did.
using Fault = std::optional<std::string>;

class CommandVerifier {
public:
  CommandVerifier(const Trial &With, Plan &P, ScratchTree &Tree)
      : With(With), P(P), Tree(Tree), Files(editedFiles(P)) {}

  llvm::Expected<size_t> run() {
    llvm::Expected<Fault> Without = tried({});
    if (!Without)
      return Without.takeError();
    if (*Without)
      return llvm::createStringError("'" + With.Command +
                                     "' fails without any edit as well: " + **Without);
    while (!P.Groups.empty()) {
      llvm::Expected<Fault> Whole = tried(P.Groups);
      if (!Whole)
        return Whole.takeError();
      if (!*Whole)
        break;
      std::map<std::string, std::string> Guilty;
      if (llvm::Error E = blame(P.Groups, **Whole, Guilty))
        return E;
      std::map<size_t, std::string> Reasons;
      for (auto [I, Group] : llvm::enumerate(P.Groups))
        if (auto It = Guilty.find(Group.Name); It != Guilty.end())
          Reasons.emplace(I, "taken back: '" + With.Command + "' fails with it: " + It->second);
      P.withdraw(Reasons);
    }
    return Runs;
  }

private:
  llvm::Expected<Fault> tried(llvm::ArrayRef<EditGroup> Groups) {
    std::map<std::string, std::string> Texts = P.editedTexts(Groups);
    for (const std::string &File : Files)
      Texts.try_emplace(File, P.Texts.at(File));
    if (llvm::Error E = Tree.write(Texts))
      return E;
    ++Runs;
    if (!With.Quiet)
      llvm::errs() << llvm::formatv("run {0} of '{1}', over {2} of {3} changes\n", Runs,
                                    With.Command, Groups.size(), P.Groups.size());
    llvm::Expected<ScratchTree::Ending> End = Tree.run(With.Command, With.RuntimeDir);
    if (!End)
      return End.takeError();
    if (End->Code == 0)
      return std::nullopt;
    return llvm::formatv("exit code {0}, {1}", End->Code,
                         End->LastLine.empty() ? "and it printed nothing" : End->LastLine)
        .str();
  }

  /// Adds the groups that `Why`, known to come from `Groups` together, is to be blamed on.
  llvm::Error blame(llvm::ArrayRef<EditGroup> Groups, const std::string &Why,
                    std::map<std::string, std::string> &To) {
    const size_t Before = To.size();
    if (Groups.size() > 1)
      for (llvm::ArrayRef<EditGroup> Half :
           {Groups.take_front(Groups.size() / 2), Groups.drop_front(Groups.size() / 2)}) {
        llvm::Expected<Fault> OfHalf = tried(Half);
        if (!OfHalf)
          return OfHalf.takeError();
        if (*OfHalf)
          if (llvm::Error E = blame(Half, **OfHalf, To))
            return E;
      }
    if (To.size() == Before) // one group, or several that fail only together
      for (const EditGroup &Group : Groups)
        To.emplace(Group.Name, Why);
    return llvm::Error::success();
  }

  const Trial &With;
  Plan &P;
  ScratchTree &Tree;
  /// All that any run may have edited in the copy.
  const std::vector<std::string> Files;
  size_t Runs = 0;
};

} // namespace

// The git work tree of the files, what git ignores in it left out as in a fresh clone; empty if
// they are in none, or are themselves ignored.
static llvm::Expected<std::string> treeToCopy(llvm::ArrayRef<std::string> Files,
                                              std::vector<std::string> &LeftOut) {
  const std::string Root = workTreeOf(Files.front());
  if (Root.empty())
    return Root;
  llvm::Expected<std::vector<std::string>> Ignored = ignoredIn(Root);
  if (!Ignored)
    return Ignored.takeError();
  for (StringRef Path : *Ignored)
    if (llvm::any_of(Files, [&](StringRef File) { return isAtOrBelow(File, Path); }))
      return "";
  llvm::append_range(LeftOut, *Ignored);
  return Root;
}

llvm::Expected<size_t> verifyWith(const Trial &With, Plan &P) {
  const std::vector<std::string> Files = editedFiles(P);
  if (Files.empty())
    return 0;
  std::vector<std::string> LeftOut = With.BuildDirs;
  llvm::Expected<std::string> Root = treeToCopy(Files, LeftOut);
  if (!Root)
    return Root.takeError();
  if (Root->empty())
    Root = patchRoot(P.editedTexts(P.Groups));
  llvm::Expected<std::unique_ptr<ScratchTree>> Tree = ScratchTree::copy(*Root, LeftOut);
  if (!Tree)
    return Tree.takeError();
  return CommandVerifier(With, P, **Tree).run();
}

} // namespace cancel_tools
