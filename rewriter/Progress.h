// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows a person that the program is alive.
#ifndef CANCEL_REWRITER_PROGRESS_H
#define CANCEL_REWRITER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

namespace cancel_tools {

/// A counter on standard error, "[12/200] Parsing"; silent unless that is a terminal. Thread-safe.
class Progress {
public:
  Progress(size_t Count, llvm::StringRef What)
      : Count(Count), What(What), Shown(llvm::sys::Process::StandardErrIsDisplayed()) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() {
    if (Shown)
      llvm::errs() << "\r\033[K";
  }

  void step() {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Done;
    if (Shown)
      llvm::errs() << "\r[" << Done << '/' << Count << "] " << What;
  }

private:
  const size_t Count;
  const llvm::StringRef What;
  const bool Shown;
  std::mutex Mutex;
  size_t Done = 0;
};

} // namespace cancel_tools

#endif
