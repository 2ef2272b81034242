// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in the temporary directory that outlives neither its owner nor an interrupted run.
#ifndef CANCEL_REWRITER_SCRATCHFILE_H
#define CANCEL_REWRITER_SCRATCHFILE_H

#include "Interrupts.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

namespace cancel_tools {

/// Exists, empty, from construction to destruction; also removed when a signal ends the program.
/// Thread-safe as far as different objects go. A temporary directory that takes no files ends the
/// program: nothing can be done without.
class ScratchFile {
public:
  ScratchFile() {
    const UninterruptedScope Uninterrupted;
    if (std::error_code EC = llvm::sys::fs::createTemporaryFile("cancel-migrate", "tmp", Path))
      giveUp("cannot create a temporary file: " + EC.message());
    llvm::sys::RemoveFileOnSignal(Path);
  }
  explicit ScratchFile(llvm::StringRef Text) : ScratchFile() {
    std::error_code EC;
    llvm::raw_fd_ostream Out(Path, EC);
    Out << Text;
    Out.close();
    if (EC = Out.error(); EC) {
      Out.clear_error();
      giveUp("cannot write the temporary file '" + Path.str().str() + "': " + EC.message());
    }
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  ~ScratchFile() {
    std::ignore = llvm::sys::fs::remove(Path); // nothing is lost if it stays
    llvm::sys::DontRemoveFileOnSignal(Path);
  }

  llvm::StringRef path() const { return Path; }

private:
  [[noreturn]] static void giveUp(const std::string &Message) {
    llvm::errs() << "cancel-migrate: error: " << Message << '\n';
    llvm::sys::RunInterruptHandlers(); // removes the other scratch files
    llvm::sys::Process::Exit(2, /*NoCleanup=*/true);
  }

  llvm::SmallString<128> Path;
};

} // namespace cancel_tools

#endif
