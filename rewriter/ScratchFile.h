// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in the temporary directory that outlives neither its owner nor an interrupted run.
#ifndef CANCEL_REWRITER_SCRATCHFILE_H
#define CANCEL_REWRITER_SCRATCHFILE_H

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

namespace cancel_tools {

/// Exists, empty, from construction to destruction; also removed when a signal ends the program.
/// Thread-safe as far as different objects go. A temporary directory that takes no files ends the
/// program: nothing can be done without.
class ScratchFile {
public:
  ScratchFile() {
    if (std::error_code EC = llvm::sys::fs::createTemporaryFile("cancel-migrate", "tmp", Path))
      llvm::report_fatal_error("cannot create a temporary file: " + llvm::Twine(EC.message()),
                               /*gen_crash_diag=*/false);
    llvm::sys::RemoveFileOnSignal(Path);
  }
  explicit ScratchFile(llvm::StringRef Text) : ScratchFile() {
    std::error_code EC;
    llvm::raw_fd_ostream Out(Path, EC);
    Out << Text;
    Out.close();
    if (Out.has_error()) {
      Out.clear_error();
      llvm::report_fatal_error("cannot write the temporary file '" + llvm::Twine(Path) + "'",
                               /*gen_crash_diag=*/false);
    }
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  ~ScratchFile() {
    llvm::sys::fs::remove(Path);
    llvm::sys::DontRemoveFileOnSignal(Path);
  }

  llvm::StringRef path() const { return Path; }

private:
  llvm::SmallString<128> Path;
};

} // namespace cancel_tools

#endif
