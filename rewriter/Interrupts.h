// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C at a moment of the program's choice: never between the making of a file and the note that
// it must be removed.
#ifndef CANCEL_REWRITER_INTERRUPTS_H
#define CANCEL_REWRITER_INTERRUPTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>

namespace cancel_tools {

/// From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, are taken by a thread of their
/// own: it waits until no `UninterruptedScope` exists, removes the files that such scopes have
/// named, and ends the program by that signal. A crash removes them too. Called once, before other
/// threads are started. Programs that this one starts inherit that the signals are held back.
void takeInterrupts();

/// Undoes in this program what it inherited from one that took interrupts.
void releaseInterrupts();

/// While one exists, no interrupt is taken. Any thread; short, and not nested.
class UninterruptedScope {
public:
  UninterruptedScope();

  /// Names a file that is to be removed if an interrupt or a crash ends the program.
  /// llvm::sys::RemoveFileOnSignal would do, but its list never shrinks and is walked for each
  /// file.
  void removeOnSignal(llvm::StringRef File) const;
  /// Takes that back.
  void keepOnSignal(llvm::StringRef File) const;

private:
  std::unique_lock<std::mutex> Lock;
};

/// While one exists, an interrupt calls `Action` before it ends the program, in the thread that
/// takes interrupts. Any thread.
class InterruptAction {
public:
  explicit InterruptAction(std::function<void()> Action);
  InterruptAction(const InterruptAction &) = delete;
  InterruptAction &operator=(const InterruptAction &) = delete;
  ~InterruptAction();

private:
  std::list<std::function<void()>>::iterator Place;
};

/// Says why the program cannot go on, cleans up as an interrupt does, and ends it with exit code 2.
/// Any thread, but not within an `UninterruptedScope`.
[[noreturn]] void giveUp(const llvm::Twine &Why);

/// llvm::sys::ExecuteAndWait without limits. No interrupt is taken before the program has opened
/// its redirections, which would make a file anew that was just removed.
int executeAndWait(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Args,
                   llvm::ArrayRef<std::optional<llvm::StringRef>> Redirects,
                   std::string *Message = nullptr);

} // namespace cancel_tools

#endif
