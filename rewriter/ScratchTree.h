// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of the user's tree in which commands of the user's may run.
#ifndef CANCEL_REWRITER_SCRATCHTREE_H
#define CANCEL_REWRITER_SCRATCHTREE_H

#include "Interrupts.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cancel_tools {

/// Exists, in the temporary directory, from construction to destruction; an interrupt ends what
/// runs in it and removes it.
class ScratchTree {
public:
  /// Copies `Root` whole, but for the directories `LeftOut` (real paths): what a build generated
  /// names the original tree, and would build that. Error: what `cp` says.
  static llvm::Expected<std::unique_ptr<ScratchTree>> copy(llvm::StringRef Root,
                                                           llvm::ArrayRef<std::string> LeftOut);
  ScratchTree(const ScratchTree &) = delete;
  ScratchTree &operator=(const ScratchTree &) = delete;
  ~ScratchTree();

  /// Gives these files, named by their place in the original tree, new texts; one that has its text
  /// already is not touched, for the sake of builds that look at times. Error: one cannot be
  /// written, or lies outside of the tree.
  llvm::Error write(const std::map<std::string, std::string> &Texts);

  struct Ending {
    /// 0, or the exit code, or 128 and the signal, as shells have it.
    int Code = 0;
    /// The last line that it printed and that is not empty.
    std::string LastLine;
  };
  /// Runs a shell command and waits for it, in the copy of the current directory, or of the root if
  /// that is not in the tree, with `IncludeDir` where compilers look last for headers.
  llvm::Expected<Ending> run(llvm::StringRef Command, llvm::StringRef IncludeDir);

private:
  ScratchTree(std::string Root, std::string Copy);
  void removeAll();
  llvm::Error copyBelow(const std::string &Directory, const std::string &To,
                        llvm::ArrayRef<std::string> LeftOut);
  llvm::Error copyEntry(const std::string &From, const std::string &IntoDirectory);
  llvm::Expected<Ending> spawn(std::vector<std::string> Arguments,
                               std::vector<std::string> Environment);

  const std::string Root;
  const std::string Copy;
  /// The command that runs, also the number of its process group; 0 while none does.
  std::atomic<int> Running{0};
  InterruptAction AtInterrupt;
};

} // namespace cancel_tools

#endif
