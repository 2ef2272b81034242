// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one list of commands from the several shapes in which builds describe themselves.
#include "Project.h"

#include "CommandLine.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <set>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using clang::tooling::CompileCommand;
using llvm::StringRef;

namespace cancel_tools {

static std::string absolute(StringRef Path, StringRef Base) {
  llvm::SmallString<256> Result(path::is_absolute(Path) ? StringRef() : Base);
  path::append(Result, Path);
  path::remove_dots(Result, /*remove_dot_dot=*/false); // "x/.." is not "." if x is a symbolic link
  return std::string(Result);
}

static void appendCxx(std::vector<CompileCommand> Commands, StringRef Base,
                      std::vector<CompileCommand> &Out) {
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = llvm::vfs::getRealFileSystem();
  for (CompileCommand &Command : Commands) {
    Command.Directory = absolute(Command.Directory, Base);
    Command.Filename = absolute(Command.Filename, Command.Directory);
    clang::tooling::addExpandedResponseFiles(Command.CommandLine, Command.Directory,
                                             llvm::cl::TokenizeGNUCommandLine, *Files);
    if (compilesCxx(Command))
      Out.push_back(std::move(Command));
  }
}

// Keeps of the commands that come to the same parse, differing in their output for instance, the
// first.
static void dropRepetitions(std::vector<CompileCommand> &Commands) {
  std::set<std::vector<std::string>> Seen;
  llvm::erase_if(Commands, [&](const CompileCommand &Command) {
    std::vector<std::string> Parse = parseCommand(Command, {}, Warnings::AsBuilt);
    Parse.push_back(Command.Directory);
    return !Seen.insert(std::move(Parse)).second;
  });
}

std::string realMainFile(const CompileCommand &Command) {
  llvm::SmallString<256> Real;
  return fs::real_path(Command.Filename, Real) ? Command.Filename : std::string(Real);
}

std::vector<std::string> realMainFiles(llvm::ArrayRef<CompileCommand> Commands) {
  std::vector<std::string> Result;
  Result.reserve(Commands.size());
  for (const CompileCommand &Command : Commands)
    Result.push_back(realMainFile(Command));
  llvm::sort(Result);
  Result.erase(llvm::unique(Result), Result.end());
  return Result;
}

// Clang's reader takes the beginning of a database for the whole of it, so JSON is asked for first.
// A path that is not UTF-8 is the fault of one unit.
static llvm::Error checkJson(StringRef Text) {
  if (Text.trim().empty())
    return llvm::createStringError("it is empty");
  return llvm::json::parse(llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text))
      .takeError();
}

static llvm::Expected<Project> loadFile(StringRef File) {
  const auto Fault = [&](const llvm::Twine &What) {
    return llvm::createStringError("cannot read '" + File + "': " + What +
                                   "; let your build write it anew, or name another one with -p");
  };
  llvm::SmallString<256> RealFile;
  if (std::error_code EC = fs::real_path(File, RealFile))
    return Fault(EC.message());
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return Fault(Text.getError().message());
  if (llvm::Error E = checkJson((*Text)->getBuffer()))
    return Fault(llvm::toString(std::move(E)));
  std::string Message;
  std::unique_ptr<clang::tooling::CompilationDatabase> Database =
      clang::tooling::JSONCompilationDatabase::loadFromBuffer(
          (*Text)->getBuffer(), Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return Fault(StringRef(Message).rtrim(".\n"));

  Project Result;
  Result.Directory = path::parent_path(RealFile).str();
  Result.BuildDirs = {Result.Directory};
  appendCxx(Database->getAllCompileCommands(), Result.Directory, Result.Commands);
  dropRepetitions(Result.Commands);
  return Result;
}

llvm::Expected<Project> loadProject(StringRef BuildPath) {
  if (fs::is_regular_file(BuildPath))
    return loadFile(BuildPath);
  llvm::SmallString<256> File(BuildPath);
  path::append(File, "compile_commands.json");
  if (!fs::exists(File))
    return llvm::createStringError(
        "no compile_commands.json in '" + BuildPath +
        "': configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give the flags of a single file "
        "after '--'");
  return loadFile(File);
}

llvm::Expected<Project> loadProjects(llvm::ArrayRef<std::string> BuildPaths) {
  llvm::Expected<Project> Result = loadProject(BuildPaths.front());
  for (StringRef BuildPath : BuildPaths.drop_front()) {
    if (!Result)
      break;
    llvm::Expected<Project> Next = loadProject(BuildPath);
    if (!Next)
      return Next.takeError();
    llvm::append_range(Result->Commands, Next->Commands);
    llvm::append_range(Result->BuildDirs, Next->BuildDirs);
  }
  if (Result && BuildPaths.size() > 1)
    dropRepetitions(Result->Commands);
  return Result;
}

llvm::Expected<Project> findProject(StringRef Start) {
  llvm::SmallString<256> Directory(Start);
  if (std::error_code EC = fs::make_absolute(Directory))
    return llvm::createStringError(EC, "cannot tell the current directory: " + EC.message());
  if (!fs::is_directory(Directory))
    path::remove_filename(Directory);
  for (StringRef Above = Directory; !Above.empty(); Above = path::parent_path(Above)) {
    llvm::SmallString<256> File(Above);
    path::append(File, "compile_commands.json");
    if (!fs::exists(File))
      continue;
    llvm::Expected<Project> Found = loadFile(File);
    // Nobody said that this is a build directory, unless a symbolic link leads into one.
    llvm::SmallString<256> RealAbove;
    if (Found && !fs::real_path(Above, RealAbove) && RealAbove == Found->Directory)
      Found->BuildDirs.clear();
    return Found;
  }
  return llvm::createStringError(
      "no compile_commands.json in '" + Directory +
      "' or above: name the build directory with -p, or give the flags of "
      "a single file after '--'");
}

llvm::Expected<Project> projectOfFlags(const clang::tooling::CompilationDatabase &Flags,
                                       llvm::ArrayRef<std::string> Files) {
  llvm::SmallString<256> Here;
  if (std::error_code EC = fs::current_path(Here))
    return llvm::createStringError(EC, "cannot tell the current directory: " + EC.message());
  std::vector<CompileCommand> Commands;
  for (const std::string &File : Files) {
    if (fs::is_directory(File))
      return llvm::createStringError("'" + File + "' is a directory: '--' takes source files");
    for (CompileCommand &Command : Flags.getCompileCommands(File)) {
      if (!compilesCxx(Command)) // whoever names the file here means it to be C++
        Command.CommandLine.insert(std::next(Command.CommandLine.begin()), {"-x", "c++"});
      Commands.push_back(std::move(Command));
    }
  }
  Project Result;
  llvm::SmallString<256> RealHere;
  Result.Directory = std::string(fs::real_path(Here, RealHere) ? Here : RealHere);
  appendCxx(std::move(Commands), Here, Result.Commands);
  dropRepetitions(Result.Commands);
  return Result;
}

} // namespace cancel_tools
