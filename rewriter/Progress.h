// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows a person that the program is alive, and how long it will be.
#ifndef CANCEL_REWRITER_PROGRESS_H
#define CANCEL_REWRITER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <mutex>

namespace cancel_tools {

/// On a terminal one line that changes: "[12/200] Analysing, 8.1/s, 0:23 left". Elsewhere, as in a
/// log, a line each half minute. On standard error. Thread-safe.
class Progress {
  using Clock = std::chrono::steady_clock;

public:
  Progress(size_t Count, llvm::StringRef What, bool Quiet)
      : Count(Count), What(What), Quiet(Quiet),
        OnTerminal(!Quiet && llvm::sys::Process::StandardErrIsDisplayed()) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() {
    if (OnTerminal)
      llvm::errs() << "\r\033[K";
  }

  void step() {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Done;
    const Clock::time_point Now = Clock::now();
    if (OnTerminal)
      llvm::errs() << '\r' << line(Now) << "\033[K";
    else if (!Quiet && Now - LastLine >= std::chrono::seconds(30)) {
      llvm::errs() << line(Now) << '\n';
      LastLine = Now;
    }
  }

private:
  std::string line(Clock::time_point Now) const {
    const double Seconds = std::chrono::duration<double>(Now - Begin).count();
    const double Rate = Seconds > 0 ? static_cast<double>(Done) / Seconds : 0;
    std::string Line = llvm::formatv("[{0}/{1}] {2}", Done, Count, What);
    if (Seconds >= 1 && Rate > 0) {
      const auto Left = static_cast<unsigned long>(static_cast<double>(Count - Done) / Rate);
      llvm::raw_string_ostream(Line)
          << llvm::format(", %.1f/s, %lu:%02lu left", Rate, Left / 60, Left % 60);
    }
    return Line;
  }

  const size_t Count;
  const llvm::StringRef What;
  const bool Quiet;
  const bool OnTerminal;
  const Clock::time_point Begin = Clock::now();
  Clock::time_point LastLine = Begin;
  std::mutex Mutex;
  size_t Done = 0;
};

} // namespace cancel_tools

#endif
