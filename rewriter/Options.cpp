// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every option stands here once, with the subcommands that have it. LLVM's command line library
// wants them as objects of static storage; nothing outside this file sees them.
#include "Options.h"

#include "Errors.h"
#include "Installation.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace cl = llvm::cl;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools::options {

static constexpr StringRef Overview =
    "Finds costly or wrong cancellation in C++20 coroutines and rewrites what can be rewritten.\n\n"
    "Prints a unified diff and a summary and writes nothing, unless --apply is given. Only files "
    "below\n"
    "the PATHs, or whose path a PATH matches as a regular expression, are reported and edited; "
    "without\n"
    "PATH, all that the build compiles and includes, except system headers and what lies in the "
    "build\n"
    "directory. Flags after '--' take the place of a database. The subcommands run one stage "
    "each.\n\n"
    "Exit code: 0 nothing to do, 1 findings or changes, 2 something failed.\n";

static cl::OptionCategory Category("cancel-migrate options");

// Subcommands
// ------------------------------------------------------------------------------------------------

static cl::SubCommand CollectStage("collect", "First stage: analyse, and write the facts of each "
                                              "translation unit into a directory");
static cl::SubCommand DecideStage("decide", "Second stage: from facts to a proposal, in a file");
static cl::SubCommand VerifyStage("verify", "Third stage: try the edits of a proposal");
static cl::SubCommand WriteStage("write",
                                 "Last stage: show a proposal, or write it to the tree or a file");

// In whole runs alone; in these and when facts are collected; ...
static cl::SubCommandGroup InRuns({&cl::SubCommand::getTopLevel()});
static cl::SubCommandGroup InCollecting({&cl::SubCommand::getTopLevel(), &CollectStage});
static cl::SubCommandGroup InParsing({&cl::SubCommand::getTopLevel(), &CollectStage, &VerifyStage});
static cl::SubCommandGroup InVerifying({&cl::SubCommand::getTopLevel(), &VerifyStage});
static cl::SubCommandGroup InWriting({&cl::SubCommand::getTopLevel(), &WriteStage});
static cl::SubCommandGroup BetweenStages({&CollectStage, &DecideStage, &VerifyStage});
static cl::SubCommandGroup AfterStages({&DecideStage, &VerifyStage, &WriteStage});

// Options
// ------------------------------------------------------------------------------------------------

static cl::list<std::string> Paths(cl::Positional, cl::desc("[PATH...] [-- FLAGS]"),
                                   cl::cat(Category), cl::sub(InCollecting));
static cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("INPUT"),
                                  cl::cat(Category), cl::sub(AfterStages));
static cl::opt<std::string> OutputPath("o", cl::value_desc("PATH"), cl::Required, cl::cat(Category),
                                       cl::sub(BetweenStages),
                                       cl::desc("Where the stage leaves its result"));

static cl::list<std::string>
    BuildPaths("p", cl::value_desc("BUILD"), cl::cat(Category), cl::sub(InCollecting),
               cl::desc("Directory of compile_commands.json; by default the nearest one upwards. "
                        "Several for several builds of one tree"));
static cl::opt<std::string>
    HeaderFilter("header-filter", cl::value_desc("REGEX"), cl::cat(Category), cl::sub(InCollecting),
                 cl::desc("Report and edit only headers whose path matches; by default all"));
static cl::opt<std::string>
    Checks("checks", cl::value_desc("GLOBS"), cl::init("*"), cl::cat(Category),
           cl::sub(InCollecting),
           cl::desc("Checks to run: comma-separated globs, '-' switches off, later ones win"));
static cl::list<std::string>
    CheckOptions("check-option", cl::value_desc("CHECK.KEY=VALUE"), cl::cat(Category),
                 cl::sub(InCollecting),
                 cl::desc("Set an option of a check; --list-checks shows them"));
static cl::opt<bool> NoPrescan("no-prescan", cl::cat(Category), cl::sub(InCollecting),
                               cl::desc("Parse every translation unit, also those that never "
                                        "mention what the checks look for"));
static cl::list<std::string> ExtraArgs("extra-arg", cl::value_desc("ARG"), cl::cat(Category),
                                       cl::sub(InCollecting),
                                       cl::desc("Append an argument to every compile command"));
static cl::opt<std::string> RuntimeDir(
    "runtime", cl::value_desc("DIR"), cl::cat(Category), cl::sub(InCollecting),
    cl::desc("Include directory of the runtime, for code whose build does not have it yet"));

static cl::opt<unsigned>
    Jobs("jobs", cl::value_desc("N"), cl::init(0), cl::cat(Category), cl::sub(InParsing),
         cl::desc("Translation units parsed at a time; by default one per processor"));
static cl::alias JobsShort("j", cl::aliasopt(Jobs), cl::Prefix, cl::cat(Category),
                           cl::desc("The same as --jobs"));
static cl::opt<unsigned> TuTimeout("tu-timeout", cl::value_desc("SECONDS"), cl::init(0),
                                   cl::cat(Category), cl::sub(InParsing),
                                   cl::desc("Give a translation unit up after so long; 0: never"));
static cl::opt<std::string>
    CacheDir("cache-dir", cl::value_desc("DIR"), cl::cat(Category), cl::sub(InParsing),
             cl::desc("Where parses are remembered; by default in the user's cache directory"));
static cl::opt<bool> NoCache("no-cache", cl::cat(Category), cl::sub(InParsing),
                             cl::desc("Parse everything again and remember nothing"));

enum class Verification { Parse, None };
static cl::opt<Verification>
    Verify("verify", cl::cat(Category), cl::sub(InVerifying), cl::init(Verification::Parse),
           cl::desc("Whether the edits are tried before they are shown or written"),
           cl::values(clEnumValN(Verification::Parse, "parse",
                                 "parse all that they affect again (default)"),
                      clEnumValN(Verification::None, "none", "believe them")));
static cl::opt<std::string> VerifyWith(
    "verify-with", cl::value_desc("COMMAND"), cl::cat(Category), cl::sub(InVerifying),
    cl::desc("Besides, keep only edits over which this command succeeds, a build or "
             "test, in a copy of the tree without its build directories and what git ignores"));
static cl::opt<bool> AnalysisOnly("analysis-only", cl::cat(Category), cl::sub(InRuns),
                                  cl::desc("Report the findings; verify and propose nothing"));

static cl::opt<bool> Apply("apply", cl::cat(Category), cl::sub(InWriting),
                           cl::desc("Write the changes instead of printing a patch"));
static cl::opt<std::string> PatchFile("patch", cl::value_desc("FILE"), cl::cat(Category),
                                      cl::sub(InWriting), cl::desc("Write the patch to a file"));
static cl::opt<std::string> OutDir("out-dir", cl::value_desc("DIR"), cl::cat(Category),
                                   cl::sub(InWriting),
                                   cl::desc("Write the edited files below another directory"));
static cl::opt<bool>
    AllowDirty("allow-dirty", cl::cat(Category), cl::sub(InWriting),
               cl::desc("With --apply: write to a git tree with uncommitted changes"));
static cl::opt<std::string>
    StateDir("state-dir", cl::value_desc("DIR"), cl::cat(Category), cl::sub(InWriting),
             cl::desc("Where --apply keeps what --undo needs; by default below the user's home"));
static cl::opt<bool> Undo("undo", cl::cat(Category), cl::sub(InRuns),
                          cl::desc("Take back what the last --apply over this project wrote"));

static cl::opt<cl::boolOrDefault>
    UseColor("use-color", cl::cat(Category), cl::sub(cl::SubCommand::getAll()),
             cl::desc("Colour what is printed; by default on a terminal alone"));
static cl::opt<bool> Quiet("quiet", cl::cat(Category), cl::sub(cl::SubCommand::getAll()),
                           cl::desc("Print errors alone, and the patch if there is one"));

static cl::opt<bool>
    ListChecks("list-checks", cl::cat(Category), cl::sub(InRuns),
               cl::desc("List the checks that --checks switches on, and their options"));
static cl::opt<std::string> Explain("explain", cl::value_desc("CHECK"), cl::cat(Category),
                                    cl::sub(InRuns), cl::desc("Print the page of a check"));

// Reading
// ------------------------------------------------------------------------------------------------

// LLVM reports every fault, after the program's path, and guesses what was meant.
static StringRef firstComplaint(StringRef Complaints, StringRef Program) {
  StringRef First = Complaints.ltrim().split('\n').first;
  First.consume_front(path::filename(Program));
  First.consume_front(": ");
  return First.split("  Try: ").first; // the hint is the same for every fault, and names our path
}

bool parse(int Argc, const char *const *Argv) {
  for (cl::SubCommand *Stage :
       {&cl::SubCommand::getTopLevel(), &CollectStage, &DecideStage, &VerifyStage, &WriteStage})
    cl::HideUnrelatedOptions(Category, *Stage);
  cl::SetVersionPrinter([](llvm::raw_ostream &Out) {
    Out << "cancel-migrate " CANCEL_VERSION " (LLVM " CLANG_VERSION_STRING ")\n";
  });
  std::string Complaint;
  llvm::raw_string_ostream Complaints(Complaint);
  if (cl::ParseCommandLineOptions(Argc, Argv, Overview, &Complaints))
    return true;
  if (!Complaint.empty()) // LLVM has told a wrong value itself
    fail(firstComplaint(Complaint, Argv[0]));
  return false;
}

llvm::Expected<Task> task() {
  if (CollectStage)
    return Task::Collect;
  if (DecideStage)
    return Task::Decide;
  if (VerifyStage)
    return Task::Verify;
  if (Apply + Undo + !PatchFile.empty() + !OutDir.empty() + AnalysisOnly > 1)
    return llvm::createStringError("only one of --apply, --undo, --patch, --out-dir and "
                                   "--analysis-only makes sense at a time");
  if (WriteStage)
    return Task::Write;
  const bool Explains = Explain.getNumOccurrences() != 0;
  if ((ListChecks || Explains) && !Paths.empty())
    return llvm::createStringError(
        llvm::Twine(ListChecks ? "--list-checks takes no path" : "--explain takes one check") +
        ": '" + Paths.front() + "' is too much");
  return ListChecks ? Task::ListChecks
         : Explains ? Task::Explain
         : Undo     ? Task::Undo
                    : Task::Migrate;
}

StringRef explained() { return Explain; }
StringRef input() { return Input; }
StringRef output() { return OutputPath; }

bool colors(int Descriptor) {
  if (UseColor != cl::BOU_UNSET)
    return UseColor == cl::BOU_TRUE;
  // https://no-color.org
  const std::optional<std::string> NoColor = llvm::sys::Process::GetEnv("NO_COLOR");
  return (!NoColor || NoColor->empty()) && llvm::sys::Process::FileDescriptorHasColors(Descriptor);
}

TrialSettings trial() {
  return {.Parses = Verify == Verification::Parse, .Command = VerifyWith, .Quiet = Quiet};
}

WorkerSettings workers() { return {.Jobs = Jobs, .SecondsPerUnit = TuTimeout, .Quiet = Quiet}; }

Destination destination() {
  Destination Result;
  Result.To = Apply                ? Output::Tree
              : AnalysisOnly       ? Output::None
              : !PatchFile.empty() ? Output::PatchFile
              : !OutDir.empty()    ? Output::OutDir
                                   : Output::Diff;
  Result.Path = PatchFile.empty() ? OutDir : PatchFile;
  Result.AllowDirty = AllowDirty;
  Result.Colors = colors(/*Descriptor=*/1);
  Result.Quiet = Quiet;
  return Result;
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

llvm::Expected<std::vector<EnabledCheck>> checks() {
  std::vector<EnabledCheck> Enabled;
  for (const Check &C : catalogue())
    if (globEnables(Checks, C.Name))
      Enabled.emplace_back(C);
  for (const std::string &Option : CheckOptions)
    if (llvm::Error E = setOption(Option, Enabled))
      return E;
  return Enabled;
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

llvm::Expected<Inquiry> inquiry(StringRef Executable,
                                const clang::tooling::CompilationDatabase *Flags) {
  Inquiry Result;
  llvm::Expected<std::vector<EnabledCheck>> Enabled = checks();
  if (!Enabled)
    return Enabled.takeError();
  Result.Checks = std::move(*Enabled);
  if (Result.Checks.empty())
    return llvm::createStringError("--checks=" + Checks +
                                   " switches no check on; --list-checks --checks='*' names them");

  const std::vector<std::string> Named(Paths.begin(), Paths.end());
  llvm::Expected<Project> From = project(Named, Flags);
  if (!From)
    return From.takeError();
  Result.From = std::move(*From);

  llvm::Expected<Scope> Within = Scope::create({Named, HeaderFilter}, Result.From.BuildDirs,
                                               realMainFiles(Result.From.Commands));
  if (!Within)
    return Within.takeError();
  Result.Within = std::move(*Within);

  llvm::Expected<ParseSettings> Settings = parseSettings(Executable);
  if (!Settings)
    return Settings.takeError();
  Result.Settings = std::move(*Settings);
  Result.Skip = NoPrescan ? Skipping::Forbidden : Skipping::Allowed;
  return Result;
}

// One directory for each project.
llvm::Expected<std::string> journalDir(StringRef ProjectDirectory) {
  llvm::SmallString<256> Directory(StateDir.getValue());
  if (Directory.empty()) {
    // The XDG base directory specification's place for what is kept, but not the user's own data.
    if (const std::optional<std::string> State = llvm::sys::Process::GetEnv("XDG_STATE_HOME");
        State && !State->empty())
      Directory = *State;
    else if (path::home_directory(Directory))
      path::append(Directory, ".local", "state");
    else
      return llvm::createStringError("you have no home directory: say with --state-dir where the "
                                     "old texts may be kept");
    path::append(Directory, "cancel-migrate");
  }
  path::append(Directory, contentHash(ProjectDirectory));
  if (std::error_code EC = llvm::sys::fs::make_absolute(Directory))
    return llvm::createStringError(EC, "cannot tell the current directory: " + EC.message());
  return std::string(Directory);
}

std::optional<ParseCache> parseCache(StringRef Executable) {
  llvm::SmallString<256> Directory(CacheDir.getValue());
  if (NoCache || (Directory.empty() && !path::cache_directory(Directory)))
    return std::nullopt;
  if (CacheDir.empty())
    path::append(Directory, "cancel-migrate");
  llvm::sys::fs::file_status Program; // a program that is built anew is another one
  if (llvm::sys::fs::status(Executable, Program))
    return std::nullopt;
  return std::optional<ParseCache>(
      std::in_place, std::string(Directory),
      llvm::formatv(CANCEL_VERSION " " CLANG_VERSION_STRING " {0} {1}", Program.getSize(),
                    Program.getLastModificationTime().time_since_epoch().count())
          .str());
}

} // namespace cancel_tools::options
