// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel-migrate: reads the command line and starts the run.
#include "Installation.h"
#include "Interrupts.h"
#include "Migrate.h"
#include "Pages.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"

namespace cl = llvm::cl;
using namespace cancel_tools;
using llvm::StringRef;

static cl::OptionCategory Category("cancel-migrate options");
static cl::list<std::string> Paths(cl::Positional, cl::desc("[PATH...] [-- FLAGS]"),
                                   cl::cat(Category));
static cl::list<std::string>
    BuildPaths("p", cl::value_desc("BUILD"), cl::cat(Category),
               cl::desc("Directory of compile_commands.json; by default the nearest one upwards. "
                        "Several for several builds of one tree"));
static cl::opt<bool> Apply("apply", cl::cat(Category),
                           cl::desc("Write the changes instead of printing a patch"));
static cl::opt<std::string> PatchFile("patch", cl::value_desc("FILE"), cl::cat(Category),
                                      cl::desc("Write the patch to a file"));
static cl::opt<std::string> OutDir("out-dir", cl::value_desc("DIR"), cl::cat(Category),
                                   cl::desc("Write the edited files below another directory"));
static cl::opt<bool> AnalysisOnly("analysis-only", cl::cat(Category),
                                  cl::desc("Report the findings; verify and propose nothing"));
static cl::opt<bool> Undo("undo", cl::cat(Category),
                          cl::desc("Take back what the last --apply over this project wrote"));
static cl::opt<bool>
    AllowDirty("allow-dirty", cl::cat(Category),
               cl::desc("With --apply: write to a git tree with uncommitted changes"));
static cl::opt<bool> Quiet("quiet", cl::cat(Category),
                           cl::desc("Print errors alone, and the patch if there is one"));
static cl::opt<unsigned> TuTimeout("tu-timeout", cl::value_desc("SECONDS"), cl::init(0),
                                   cl::cat(Category),
                                   cl::desc("Give a translation unit up after so long; 0: never"));
static cl::opt<std::string>
    StateDir("state-dir", cl::value_desc("DIR"), cl::cat(Category),
             cl::desc("Where --apply keeps what --undo needs; by default below the user's home"));
static cl::opt<std::string>
    Checks("checks", cl::value_desc("GLOBS"), cl::init("*"), cl::cat(Category),
           cl::desc("Checks to run: comma-separated globs, '-' switches off, later ones win"));
static cl::list<std::string>
    CheckOptions("check-option", cl::value_desc("CHECK.KEY=VALUE"), cl::cat(Category),
                 cl::desc("Set an option of a check; --list-checks shows them"));
static cl::opt<bool>
    ListChecks("list-checks", cl::cat(Category),
               cl::desc("List the checks that --checks switches on, and their options"));
static cl::opt<std::string> Explain("explain", cl::value_desc("CHECK"), cl::cat(Category),
                                    cl::desc("Print the page of a check"));
static cl::opt<unsigned>
    Jobs("jobs", cl::value_desc("N"), cl::init(0), cl::cat(Category),
         cl::desc("Translation units parsed at a time; by default one per processor"));
static cl::alias JobsShort("j", cl::aliasopt(Jobs), cl::Prefix, cl::cat(Category),
                           cl::desc("The same as --jobs"));
static cl::opt<std::string>
    CacheDir("cache-dir", cl::value_desc("DIR"), cl::cat(Category),
             cl::desc("Where parses are remembered; by default in the user's cache directory"));
static cl::opt<bool> NoCache("no-cache", cl::cat(Category),
                             cl::desc("Parse everything again and remember nothing"));
static cl::list<std::string> ExtraArgs("extra-arg", cl::value_desc("ARG"), cl::cat(Category),
                                       cl::desc("Append an argument to every compile command"));
static cl::opt<std::string> RuntimeDir(
    "runtime", cl::value_desc("DIR"), cl::cat(Category),
    cl::desc("Include directory of the runtime, for code whose build does not have it yet"));

static constexpr StringRef Overview =
    "Finds costly or wrong cancellation in C++20 coroutines and rewrites what can be rewritten.\n\n"
    "Prints a unified diff and a summary and writes nothing, unless --apply is given. Only files "
    "below\n"
    "the PATHs are reported and edited; without PATH, all that the build compiles and includes, "
    "except\n"
    "system headers and what lies in the build directory. Flags after '--' take the place of a "
    "database.\n\n"
    "Exit code: 0 nothing to do, 1 findings or changes, 2 something failed.\n";

static int fail(const llvm::Twine &Message) {
  llvm::errs() << "cancel-migrate: error: " << Message << '\n';
  return 2;
}

static std::vector<EnabledCheck> enabledChecks() {
  std::vector<EnabledCheck> Enabled;
  for (const Check &C : catalogue())
    if (globEnables(Checks, C.Name))
      Enabled.emplace_back(C);
  return Enabled;
}

// "cancel-callback-across-suspend.WarnOutsideLoops=true"
static llvm::Error setOption(StringRef Text, std::vector<EnabledCheck> &Enabled) {
  const auto Wrong = [&](const llvm::Twine &Why) {
    return llvm::createStringError("--check-option=" + Text + ": " + Why);
  };
  auto [Path, Value] = Text.split('=');
  auto [Name, Key] = Path.split('.');
  if (!Text.contains('=') || !Path.contains('.'))
    return Wrong("expected CHECK.KEY=VALUE");
  const Check *Known = findCheck(Name);
  if (!Known)
    return Wrong("no check '" + Name + "'; --list-checks names them");
  const OptionSpec *Spec =
      llvm::find_if(Known->OptionSpecs, [Key = Key](const OptionSpec &S) { return S.Key == Key; });
  if (Spec == Known->OptionSpecs.end())
    return Wrong(Name + " has no option '" + Key + "'; --list-checks shows them");
  if (!Spec->accepts(Value))
    return Wrong("expected " + Spec->expected() + ", not '" + Value + "'");
  for (EnabledCheck &C : Enabled)
    if (C.What == Known)
      C.Values.set(Key, Value);
  return llvm::Error::success();
}

static int listChecks(llvm::ArrayRef<EnabledCheck> Enabled) {
  for (const EnabledCheck &C : Enabled) {
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

static llvm::Error setOutput(Request &R) {
  if (Apply + Undo + !PatchFile.empty() + !OutDir.empty() + AnalysisOnly > 1)
    return llvm::createStringError("only one of --apply, --undo, --patch, --out-dir and "
                                   "--analysis-only makes sense at a time");
  R.Destination = PatchFile.empty() ? OutDir : PatchFile;
  R.To = Apply                ? Output::Tree
         : AnalysisOnly       ? Output::None
         : !PatchFile.empty() ? Output::PatchFile
         : !OutDir.empty()    ? Output::OutDir
                              : Output::Diff;
  return llvm::Error::success();
}

// One directory for each project.
static llvm::Expected<std::string> journalDir(const Project &Of) {
  llvm::SmallString<256> Directory(StateDir.getValue());
  if (Directory.empty()) {
    // The XDG base directory specification's place for what is kept, but not the user's own data.
    if (const std::optional<std::string> State = llvm::sys::Process::GetEnv("XDG_STATE_HOME");
        State && !State->empty())
      Directory = *State;
    else if (llvm::sys::path::home_directory(Directory))
      llvm::sys::path::append(Directory, ".local", "state");
    else
      return llvm::createStringError("you have no home directory: say with --state-dir where the "
                                     "old texts may be kept");
    llvm::sys::path::append(Directory, "cancel-migrate");
  }
  llvm::sys::path::append(Directory, contentHash(Of.Directory));
  if (std::error_code EC = llvm::sys::fs::make_absolute(Directory))
    return llvm::createStringError(EC, "cannot tell the current directory: " + EC.message());
  return std::string(Directory);
}

static llvm::Expected<Project> project(llvm::ArrayRef<std::string> Named,
                                       const clang::tooling::CompilationDatabase *Flags) {
  if (Flags)
    return projectOfFlags(*Flags, Named);
  if (!BuildPaths.empty())
    return loadProjects(std::vector<std::string>(BuildPaths.begin(), BuildPaths.end()));
  return findProject(Named.empty() ? "." : StringRef(Named.front()));
}

static llvm::Expected<ParseSettings> parseSettings(StringRef Executable) {
  ParseSettings Settings;
  Settings.ExtraArgs.assign(ExtraArgs.begin(), ExtraArgs.end());
  Settings.RuntimeDir = RuntimeDir.empty() ? findRuntimeDir(Executable) : RuntimeDir;
  if (llvm::any_of(ExtraArgs, [](StringRef Arg) { return Arg.starts_with("-resource-dir"); }))
    return Settings;
  llvm::Expected<std::string> ResourceDir = findResourceDir(Executable);
  if (!ResourceDir)
    return ResourceDir.takeError();
  Settings.ResourceDir = *ResourceDir;
  return Settings;
}

// None if it is not wanted, or if there is no place for it.
static std::optional<ParseCache> parseCache(StringRef Executable) {
  llvm::SmallString<256> Directory(CacheDir.getValue());
  if (NoCache || (Directory.empty() && !llvm::sys::path::cache_directory(Directory)))
    return std::nullopt;
  if (CacheDir.empty())
    llvm::sys::path::append(Directory, "cancel-migrate");
  llvm::sys::fs::file_status Program; // a program that is built anew is another one
  if (llvm::sys::fs::status(Executable, Program))
    return std::nullopt;
  return std::optional<ParseCache>(
      std::in_place, std::string(Directory),
      llvm::formatv(CANCEL_VERSION " " CLANG_VERSION_STRING " {0} {1}", Program.getSize(),
                    Program.getLastModificationTime().time_since_epoch().count())
          .str());
}

static int run(const std::string &Executable, const clang::tooling::CompilationDatabase *Flags) {
  Request R;
  if (llvm::Error E = setOutput(R))
    return fail(llvm::toString(std::move(E)));
  R.AllowDirty = AllowDirty;
  R.Quiet = Quiet;
  R.Checks = enabledChecks();
  for (const std::string &Option : CheckOptions)
    if (llvm::Error E = setOption(Option, R.Checks))
      return fail(llvm::toString(std::move(E)));
  if ((ListChecks || Explain.getNumOccurrences()) && !Paths.empty())
    return fail((ListChecks ? "--list-checks takes no path: '" : "--explain takes one check: '") +
                Paths.front() + "' is too much");
  if (ListChecks)
    return listChecks(R.Checks);
  if (Explain.getNumOccurrences())
    return explain(Explain);
  if (R.Checks.empty())
    return fail("--checks=" + Checks +
                " switches no check on; --list-checks --checks='*' names them");

  const std::vector<std::string> Named(Paths.begin(), Paths.end());
  llvm::Expected<Project> From = project(Named, Flags);
  if (!From)
    return fail(llvm::toString(From.takeError()));
  R.From = std::move(*From);
  llvm::Expected<std::string> Journals = journalDir(R.From);
  if (Journals)
    R.JournalDir = std::move(*Journals);
  else if (Apply || Undo)
    return fail(llvm::toString(Journals.takeError()));
  else
    llvm::consumeError(Journals.takeError()); // a run that writes nothing has nothing to take back
  if (Undo)
    return undo(R.JournalDir);
  if (R.From.Commands.empty())
    return fail("there is no C++ source to analyse");

  llvm::Expected<Scope> Within = Scope::create(Named, R.From.BuildDirs);
  if (!Within)
    return fail(llvm::toString(Within.takeError()));
  R.Within = std::move(*Within);

  llvm::Expected<ParseSettings> Settings = parseSettings(Executable);
  if (!Settings)
    return fail(llvm::toString(Settings.takeError()));
  R.Settings = std::move(*Settings);

  const std::optional<ParseCache> Cache = parseCache(Executable);
  const int Code =
      migrate(R, Workers(Executable, {.Jobs = Jobs, .SecondsPerUnit = TuTimeout, .Quiet = Quiet},
                         Cache ? &*Cache : nullptr));
  if (Cache) {
    if (std::optional<std::string> Obstacle = Cache->obstacle())
      llvm::errs() << "cancel-migrate: warning: " << *Obstacle << '\n';
    Cache->prune();
  }
  return Code;
}

// LLVM reports every fault of the command line, after the program's path, and guesses what was
// meant.
static StringRef firstComplaint(StringRef Complaints, StringRef Program) {
  StringRef First = Complaints.ltrim().split('\n').first;
  First.consume_front(llvm::sys::path::filename(Program));
  First.consume_front(": ");
  return First.split("  Try: ").first; // the hint is the same for every fault, and names our path
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
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](llvm::raw_ostream &Out) {
    Out << "cancel-migrate " CANCEL_VERSION " (LLVM " CLANG_VERSION_STRING ")\n";
  });
  std::string Complaint;
  llvm::raw_string_ostream Complaints(Complaint);
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &Complaints))
    return Complaint.empty() ? 2
                             : fail(firstComplaint(Complaint, Argv[0])); // a wrong value is told
  return run(llvm::sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(&main)),
             Flags.get());
}
