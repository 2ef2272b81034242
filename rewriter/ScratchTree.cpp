// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp(1) copies: it knows links, permissions, sparse files and file systems that share blocks.
#include "ScratchTree.h"

#include "Scope.h"
#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

static std::vector<std::string> inheritedEnvironment() {
  std::vector<std::string> Result;
  for (char **Entry = environ; *Entry; ++Entry)
    Result.emplace_back(*Entry);
  return Result;
}

ScratchTree::ScratchTree(std::string Root, std::string Copy)
    : Root(std::move(Root)), Copy(std::move(Copy)), AtInterrupt([this] { removeAll(); }) {}

ScratchTree::~ScratchTree() { removeAll(); }

void ScratchTree::removeAll() {
  if (const int Group = Running)
    ::kill(-Group, SIGKILL);
  std::ignore = fs::remove_directories(Copy); // nothing is lost if some of it stays
}

llvm::Error ScratchTree::copyEntry(const std::string &From, const std::string &IntoDirectory) {
  llvm::Expected<Ending> End =
      spawn({"cp", "-a", "--reflink=auto", "--", From, IntoDirectory}, inheritedEnvironment());
  if (!End)
    return End.takeError();
  if (End->Code == 0)
    return llvm::Error::success();
  return llvm::createStringError("cannot copy '" + From + "': " + lastWords(End->LastLine));
}

// Goes down only where something is to be left out.
llvm::Error ScratchTree::copyBelow(const std::string &Directory, const std::string &To,
                                   llvm::ArrayRef<std::string> LeftOut) {
  std::error_code EC;
  for (fs::directory_iterator It(Directory, EC, /*follow_symlinks=*/false), End; !EC && It != End;
       It.increment(EC)) {
    const std::string Entry = It->path();
    if (llvm::is_contained(LeftOut, Entry))
      continue;
    if (llvm::none_of(LeftOut, [&](StringRef Path) { return isAtOrBelow(Path, Entry); })) {
      if (llvm::Error E = copyEntry(Entry, To))
        return E;
      continue;
    }
    llvm::SmallString<256> Below(To);
    path::append(Below, path::filename(Entry));
    EC = fs::create_directory(Below);
    if (EC)
      break;
    if (llvm::Error E = copyBelow(Entry, std::string(Below), LeftOut))
      return E;
  }
  return EC ? llvm::createStringError(EC, "cannot copy '" + Directory + "': " + EC.message())
            : llvm::Error::success();
}

llvm::Expected<std::unique_ptr<ScratchTree>>
ScratchTree::copy(StringRef Root, llvm::ArrayRef<std::string> LeftOut) {
  llvm::SmallString<128> Copy;
  fs::createUniquePath("cancel-migrate-%%%%%%%%", Copy, /*MakeAbsolute=*/true);
  // Interrupts know the name before the directory is there.
  std::unique_ptr<ScratchTree> Result(new ScratchTree(Root.str(), std::string(Copy)));
  if (std::error_code EC = fs::create_directory(Copy, /*IgnoreExisting=*/false, fs::owner_all))
    return llvm::createStringError(EC, "cannot create a temporary directory: " + EC.message());
  std::vector<std::string> Without = LeftOut.vec();
  llvm::SmallString<128> Itself; // the temporary directory may lie in the tree
  if (!fs::real_path(Copy, Itself))
    Without.emplace_back(Itself);
  if (llvm::Error E = Result->copyBelow(Result->Root, Result->Copy, Without))
    return E;
  return Result;
}

llvm::Error ScratchTree::write(const std::map<std::string, std::string> &Texts) {
  for (const auto &[File, Text] : Texts) {
    StringRef Relative = File;
    if (!isAtOrBelow(File, Root) || !Relative.consume_front(Root))
      return llvm::createStringError("'" + File + "' lies outside of the tree '" + Root + "'");
    llvm::SmallString<256> Target(Copy);
    path::append(Target, Relative);
    if (auto Present = llvm::MemoryBuffer::getFile(Target);
        Present && (*Present)->getBuffer() == Text)
      continue;
    std::error_code EC;
    llvm::raw_fd_ostream Out(Target, EC);
    if (!EC) {
      Out << Text;
      Out.close();
      EC = Out.error();
      Out.clear_error();
    }
    if (EC)
      return llvm::createStringError(EC, "cannot write '" + Target + "': " + EC.message());
  }
  return llvm::Error::success();
}

static std::string lastLine(StringRef File) {
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return {};
  const StringRef Said = (*Text)->getBuffer().rtrim();
  return Said.drop_front(Said.rfind('\n') + 1).trim().str();
}

// With a directory more at the end of where GCC and Clang look for C++ headers.
static std::vector<std::string> environmentWith(StringRef IncludeDir) {
  static constexpr StringRef Variable = "CPLUS_INCLUDE_PATH=";
  std::vector<std::string> Result = inheritedEnvironment();
  if (IncludeDir.empty())
    return Result;
  const auto Present =
      llvm::find_if(Result, [](StringRef Entry) { return Entry.starts_with(Variable); });
  if (Present != Result.end())
    *Present += (":" + IncludeDir).str();
  else
    Result.push_back((Variable + IncludeDir).str());
  return Result;
}

llvm::Expected<ScratchTree::Ending> ScratchTree::run(StringRef Command, StringRef IncludeDir) {
  llvm::SmallString<256> Here, Directory(Copy);
  if (!fs::current_path(Here) && isAtOrBelow(Here, Root))
    path::append(Directory, Here.str().drop_front(Root.size()));
  // The shell enters the copy: not every system's posix_spawn can.
  return spawn(
      {"sh", "-c", "cd \"$1\" && eval \"$2\"", "sh", std::string(Directory), Command.str()},
      environmentWith(IncludeDir));
}

static std::vector<char *> pointersTo(std::vector<std::string> &Strings) {
  std::vector<char *> Result;
  Result.reserve(Strings.size() + 1);
  for (std::string &S : Strings)
    Result.push_back(S.data());
  Result.push_back(nullptr);
  return Result;
}

llvm::Expected<ScratchTree::Ending> ScratchTree::spawn(std::vector<std::string> Arguments,
                                                       std::vector<std::string> Environment) {
  const ScratchFile Log;
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&Files, 1, Log.path().str().c_str(), O_WRONLY | O_TRUNC, 0);
  posix_spawn_file_actions_adddup2(&Files, 1, 2);
  // A group of its own, so that an interrupt reaches whatever it starts, with no signal held back.
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  sigset_t None;
  sigemptyset(&None);
  posix_spawnattr_setsigmask(&Attributes, &None);
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t Process = 0;
  int Failed = 0;
  {
    const UninterruptedScope Uninterrupted; // until the interrupt's action knows the group
    Failed = ::posix_spawnp(&Process, Arguments.front().c_str(), &Files, &Attributes,
                            pointersTo(Arguments).data(), pointersTo(Environment).data());
    if (Failed == 0)
      Running = Process;
  }
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
  if (Failed != 0)
    return llvm::createStringError("cannot run '" + Arguments.front() +
                                   "': " + std::generic_category().message(Failed));
  int Status = 0;
  llvm::sys::RetryAfterSignal(-1, ::waitpid, Process, &Status, 0);
  Running = 0;
  const int Code = WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  return Ending{Code, lastLine(Log.path())};
}

} // namespace cancel_tools
