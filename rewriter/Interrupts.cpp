// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal handler may do next to nothing, and other threads go on meanwhile; a thread that waits
// for signals can take a lock.
#include "Interrupts.h"

#include "Errors.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <thread>
#include <tuple>
#include <unistd.h>

using llvm::StringRef;

namespace cancel_tools {

static constexpr int Interrupting[] = {SIGINT, SIGTERM, SIGHUP};

namespace {

struct Interrupts {
  /// Holds them back, and guards the rest.
  std::mutex Lock;
  /// What is to be done when they are taken.
  std::list<std::function<void()>> Actions;
  /// What is to be removed then, and in a crash.
  llvm::StringSet<> Files;

  void removeFiles() const {
    for (StringRef File : Files.keys())
      std::ignore = llvm::sys::fs::remove(File); // nothing is lost if it stays
  }
};

} // namespace

// Signals concern the process, so this is the process's. Never destroyed: the thread that takes
// interrupts outlives main.
static Interrupts &interrupts() {
  static Interrupts &Only = *new Interrupts;
  return Only;
}

static void removeFilesInCrash(void *) {
  // Whoever crashed may hold the lock, so this does not wait for ever.
  for (int Tries = 0; Tries != 100; ++Tries, ::usleep(10000))
    if (const std::unique_lock<std::mutex> Lock(interrupts().Lock, std::try_to_lock); Lock)
      return interrupts().removeFiles();
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

// Never gives the lock back: nobody makes another file before the end.
static void cleanUpForGood() {
  interrupts().Lock.lock();
  for (const std::function<void()> &Action : interrupts().Actions)
    Action();
  interrupts().removeFiles();
}

[[noreturn]] static void endBySignal(const sigset_t &Signals) {
  int Signal = 0;
  sigwait(&Signals, &Signal);
  cleanUpForGood();
  std::signal(Signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
  std::raise(Signal);
  ::_exit(128 + Signal);
}

void takeInterrupts() {
  const sigset_t Signals = wantedSignals();
  pthread_sigmask(SIG_BLOCK, &Signals, nullptr);
  llvm::sys::AddSignalHandler(removeFilesInCrash, nullptr);
  std::thread(endBySignal, Signals).detach();
}

void releaseInterrupts() {
  sigset_t Signals;
  sigemptyset(&Signals);
  for (int Signal : Interrupting)
    sigaddset(&Signals, Signal);
  pthread_sigmask(SIG_UNBLOCK, &Signals, nullptr);
}

UninterruptedScope::UninterruptedScope() : Lock(interrupts().Lock) {}

void UninterruptedScope::removeOnSignal(StringRef File) const { interrupts().Files.insert(File); }

void UninterruptedScope::keepOnSignal(StringRef File) const { interrupts().Files.erase(File); }

InterruptAction::InterruptAction(std::function<void()> Action) {
  const UninterruptedScope Uninterrupted;
  Place = interrupts().Actions.insert(interrupts().Actions.end(), std::move(Action));
}

InterruptAction::~InterruptAction() {
  const UninterruptedScope Uninterrupted;
  interrupts().Actions.erase(Place);
}

void giveUp(const llvm::Twine &Why) {
  cleanUpForGood();
  llvm::sys::Process::Exit(fail(Why), /*NoCleanup=*/true);
}

int executeAndWait(StringRef Program, llvm::ArrayRef<StringRef> Args,
                   llvm::ArrayRef<std::optional<StringRef>> Redirects, std::string *Message) {
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
