// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in the temporary directory that outlives neither its owner nor an interrupted run.
#ifndef CANCEL_REWRITER_SCRATCHFILE_H
#define CANCEL_REWRITER_SCRATCHFILE_H

#include "Interrupts.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

namespace cancel_tools {

/// Exists, empty, from construction to destruction; also removed when a signal ends the program.
/// Thread-safe as far as different objects go. A temporary directory that takes no files ends the
/// program: nothing can be done without.
class ScratchFile {
public:
  ScratchFile() {
    if (std::error_code EC = create())
      giveUp(llvm::Twine("cannot create a temporary file: ") + EC.message() + Advice);
  }
  explicit ScratchFile(llvm::StringRef Text) : ScratchFile() {
    std::error_code EC;
    llvm::raw_fd_ostream Out(Path, EC);
    Out << Text;
    Out.close();
    if (EC = Out.error(); EC) {
      Out.clear_error();
      cannotBeWritten(EC.message());
    }
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  ~ScratchFile() {
    std::ignore = llvm::sys::fs::remove(Path); // nothing is lost if it stays
    UninterruptedScope().keepOnSignal(Path);
  }

  llvm::StringRef path() const { return Path; }

  /// For whoever learns that another program could not write it.
  [[noreturn]] void cannotBeWritten(llvm::StringRef Why) const {
    giveUp("cannot write the temporary file '" + Path + "': " + Why + Advice);
  }

private:
  static constexpr llvm::StringLiteral Advice =
      "; make room there, or name another directory in TMPDIR";

  std::error_code create() {
    const UninterruptedScope Uninterrupted;
    std::error_code EC = llvm::sys::fs::createTemporaryFile("cancel-migrate", "tmp", Path);
    if (!EC)
      Uninterrupted.removeOnSignal(Path);
    return EC;
  }

  llvm::SmallString<128> Path;
};

/// What a program that failed has printed. One that could not even print met a full disk.
inline std::string lastWords(llvm::StringRef Printed) {
  return Printed.trim().empty() ? "it printed nothing; is the temporary directory full?"
                                : Printed.trim().str();
}

} // namespace cancel_tools

#endif
