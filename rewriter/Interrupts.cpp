// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal handler may do next to nothing, and other threads go on meanwhile; a thread that waits
// for signals can take a lock.
#include "Interrupts.h"

#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <thread>
#include <unistd.h>

namespace cancel_tools {

static constexpr int Interrupting[] = {SIGINT, SIGTERM, SIGHUP};

// Signals concern the process, so the lock that holds them back is the process's, and so is what it
// guards: what is to be done when they are taken.
static std::mutex &interruptLock() {
  static std::mutex Lock;
  return Lock;
}

static std::list<std::function<void()>> &interruptActions() {
  static std::list<std::function<void()>> Actions;
  return Actions;
}

static sigset_t wantedSignals() {
  sigset_t Signals;
  sigemptyset(&Signals);
  for (int Signal : Interrupting) {
    struct sigaction Now = {};
    // nohup, and a shell for its background jobs, ignore some: so do we.
    if (sigaction(Signal, nullptr, &Now) == 0 && Now.sa_handler != SIG_IGN)
      sigaddset(&Signals, Signal);
  }
  return Signals;
}

[[noreturn]] static void endBySignal(const sigset_t &Signals) {
  int Signal = 0;
  sigwait(&Signals, &Signal);
  // Never given back: nobody makes another file before the end.
  interruptLock().lock();
  for (const std::function<void()> &Action : interruptActions())
    Action();
  llvm::sys::RunInterruptHandlers();
  std::signal(Signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
  std::raise(Signal);
  ::_exit(128 + Signal);
}

void takeInterrupts() {
  const sigset_t Signals = wantedSignals();
  pthread_sigmask(SIG_BLOCK, &Signals, nullptr);
  std::thread(endBySignal, Signals).detach();
}

void releaseInterrupts() {
  sigset_t Signals;
  sigemptyset(&Signals);
  for (int Signal : Interrupting)
    sigaddset(&Signals, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
}

UninterruptedScope::UninterruptedScope() : Lock(interruptLock()) {}

InterruptAction::InterruptAction(std::function<void()> Action) {
  const UninterruptedScope Uninterrupted;
  Place = interruptActions().insert(interruptActions().end(), std::move(Action));
}

InterruptAction::~InterruptAction() {
  const UninterruptedScope Uninterrupted;
  interruptActions().erase(Place);
}

int executeAndWait(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Args,
                   llvm::ArrayRef<std::optional<llvm::StringRef>> Redirects, std::string *Message) {
  bool Failed = false;
  llvm::sys::ProcessInfo Started;
  {
    const UninterruptedScope Uninterrupted;
    Started = llvm::sys::ExecuteNoWait(Program, Args, /*Env=*/std::nullopt, Redirects,
                                       /*MemoryLimit=*/0, Message, &Failed);
  }
  if (Failed)
    return -1;
  return llvm::sys::Wait(Started, /*SecondsToWait=*/std::nullopt, Message).ReturnCode;
}

} // namespace cancel_tools
