// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel-migrate: from the command line to the stage, or the run, that it asks for.
#include "Errors.h"
#include "Interrupts.h"
#include "Options.h"
#include "Pages.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace cancel_tools;
using clang::tooling::CompilationDatabase;
using llvm::StringRef;
using options::Task;

static int listChecks() {
  llvm::Expected<std::vector<EnabledCheck>> Enabled = options::checks();
  if (!Enabled)
    return fail(Enabled.takeError());
  for (const EnabledCheck &C : *Enabled) {
    llvm::outs() << C.What->Name << "\n    " << C.What->Summary << '\n';
    for (const OptionSpec &O : C.What->OptionSpecs)
      llvm::outs() << "    " << C.What->Name << '.' << O.Key << '=' << C.Values.get(O.Key) << ": "
                   << O.Help << '\n';
  }
  return 0;
}

static int explain(StringRef CheckName) {
  StringRef Page = pageOf(CheckName);
  if (Page.empty())
    return fail("no check '" + CheckName + "'; --list-checks names them");
  llvm::outs() << Page;
  return 0;
}

// Runs a task that parses, with the cache that the user wants.
static int withWorkers(const std::string &Executable,
                       llvm::function_ref<int(const Workers &)> Run) {
  const std::optional<ParseCache> Cache = options::parseCache(Executable);
  const int Code = Run(Workers(Executable, options::workers(), Cache ? &*Cache : nullptr));
  if (Cache) {
    if (std::optional<std::string> Obstacle = Cache->obstacle())
      llvm::errs() << "cancel-migrate: warning: " << *Obstacle << '\n';
    Cache->prune();
  }
  return Code;
}

// The tasks that concern a project.
static int runOver(const Inquiry &Asked, Task What, const std::string &Executable) {
  if (Asked.From.Commands.empty() && What != Task::Undo)
    return fail("there is no C++ source to analyse");
  if (What == Task::Collect)
    return withWorkers(
        Executable, [&](const Workers &Pool) { return collectTo(options::output(), Asked, Pool); });

  Destination To = options::destination();
  llvm::Expected<std::string> Journals = options::journalDir(Asked.From.Directory);
  if (Journals)
    To.JournalDir = std::move(*Journals);
  else if (To.To == Output::Tree || What == Task::Undo)
    return fail(Journals.takeError());
  else
    llvm::consumeError(Journals.takeError()); // a run that writes nothing has nothing to take back
  if (What == Task::Undo)
    return undo(To.JournalDir);
  return withWorkers(
      Executable, [&](const Workers &Pool) { return migrate(Asked, options::trial(), To, Pool); });
}

static int run(const std::string &Executable, const CompilationDatabase *Flags) {
  llvm::Expected<Task> What = options::task();
  if (!What)
    return fail(What.takeError());
  switch (*What) {
  case Task::ListChecks:
    return listChecks();
  case Task::Explain:
    return explain(options::explained());
  case Task::Decide:
    return decideTo(options::output(), options::input());
  case Task::Verify:
    return withWorkers(Executable, [](const Workers &Pool) {
      return verifyTo(options::output(), options::input(), options::trial(), Pool);
    });
  case Task::Write:
    return writeFrom(options::input(), options::destination(), options::journalDir);
  case Task::Migrate:
  case Task::Undo:
  case Task::Collect:
    break;
  }
  llvm::Expected<Inquiry> Asked = options::inquiry(Executable, Flags);
  if (!Asked)
    return fail(Asked.takeError());
  return runOver(*Asked, *What, Executable);
}

int main(int Argc, const char **Argv) {
  const llvm::InitLLVM Init(Argc, Argv);
  if (Argc == 5 && Argv[1] == WorkerFlag)
    return workerMain(Argv[2], Argv[3], Argv[4]);

  takeInterrupts();
  llvm::InitializeAllTargetInfos(); // a cross compiler's name says its target
  std::string Message;
  const std::unique_ptr<clang::tooling::FixedCompilationDatabase> Flags =
      clang::tooling::FixedCompilationDatabase::loadFromCommandLine(Argc, Argv, Message);
  llvm::errs().enable_colors(options::colors(/*Descriptor=*/2)); // faults of the command line
  if (!options::parse(Argc, Argv))
    return 2;
  llvm::errs().enable_colors(options::colors(/*Descriptor=*/2));
  return run(llvm::sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(&main)),
             Flags.get());
}
