// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C at a moment of the program's choice: never between the making of a file and the note that
// it must be removed.
#ifndef CANCEL_REWRITER_INTERRUPTS_H
#define CANCEL_REWRITER_INTERRUPTS_H

#include <mutex>

namespace cancel_tools {

/// From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, are taken by a thread of their
/// own: it waits until no `UninterruptedScope` exists, removes the files that
/// llvm::sys::RemoveFileOnSignal names, and ends the program by that signal. Called once, before
/// other threads are started. Programs that this one starts inherit that the signals are held back.
void takeInterrupts();

/// Undoes in this program what it inherited from one that took interrupts.
void releaseInterrupts();

/// While one exists, no interrupt is taken. Any thread; short, and not nested.
class UninterruptedScope {
public:
  UninterruptedScope();

private:
  std::unique_lock<std::mutex> Lock;
};

} // namespace cancel_tools

#endif
