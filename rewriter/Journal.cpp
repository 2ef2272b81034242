// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One directory a run: "journal.json" and the old texts, "0", "1", ... The journal comes last and
// so says that everything is there.
#include "Journal.h"

#include "Fact.h"
#include "JsonFile.h"
#include "ReplaceFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <tuple>
#include <unistd.h>

namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {
namespace {

constexpr int JournalFormat = 1;
constexpr unsigned KeptRuns = 10;

struct Entry {
  std::string File;
  std::string OldHash, NewHash;
};

json::Value toJSON(const Entry &E) {
  return json::Object{{"file", E.File}, {"old", E.OldHash}, {"new", E.NewHash}};
}

bool fromJSON(const json::Value &V, Entry &E, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", E.File) && O.map("old", E.OldHash) && O.map("new", E.NewHash);
}

std::string inDirectory(StringRef Directory, const llvm::Twine &Name) {
  llvm::SmallString<256> Result(Directory);
  path::append(Result, Name);
  return std::string(Result);
}

std::optional<std::string> textOf(StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return std::nullopt;
  return (*Buffer)->getBuffer().str();
}

} // namespace

/// A run as its journal tells it.
struct Journal::Run {
  unsigned Number = 0;
  bool Done = false;
  std::vector<Entry> Files;

  std::string text() const {
    return llvm::formatv("{0:2}\n", json::Value(json::Object{{"format", JournalFormat},
                                                             {"done", Done},
                                                             {"files", json::Array(Files)}}))
        .str();
  }
};

llvm::Expected<Journal> Journal::open(StringRef Directory) {
  const auto Fail = [&](const llvm::Twine &What, std::error_code EC) {
    return llvm::createStringError(EC, "cannot " + What + " '" + Directory + "': " + EC.message() +
                                           "; --state-dir names another place");
  };
  if (std::error_code EC = fs::create_directories(Directory))
    return Fail("make the journal", EC);
  int Lock = -1;
  if (std::error_code EC = fs::openFileForWrite(inDirectory(Directory, "lock"), Lock,
                                                fs::CD_OpenAlways, fs::OF_None))
    return Fail("open the journal", EC);
  if (fs::tryLockFile(Lock)) {
    ::close(Lock);
    return llvm::createStringError(
        "another run is at work on this source tree; wait for it to end");
  }
  return Journal(Directory.str(), Lock);
}

Journal::Journal(Journal &&Other) noexcept
    : Directory(std::move(Other.Directory)), Lock(std::exchange(Other.Lock, -1)) {}

Journal::~Journal() {
  if (Lock >= 0)
    ::close(Lock); // and unlocks
}

std::string Journal::pathOf(unsigned Number) const {
  return inDirectory(Directory, "run-" + llvm::Twine(Number));
}

static llvm::Expected<std::pair<bool, std::vector<Entry>>> readJournal(StringRef File) {
  const auto Fault = [&](const llvm::Twine &What) {
    return llvm::createStringError("cannot read '" + File + "': " + What +
                                   "; to forget that run, remove '" + path::parent_path(File) +
                                   "'");
  };
  llvm::Expected<json::Value> V = readJsonFile(File);
  if (!V)
    return Fault(llvm::toString(V.takeError()));
  json::Path::Root Root("");
  json::ObjectMapper O(*V, Root);
  int64_t Format = 0;
  bool Done = false;
  std::vector<Entry> Files;
  if (!O || !O.map("format", Format) || !O.map("done", Done) || !O.map("files", Files))
    return Fault(llvm::toString(Root.getError()));
  if (Format != JournalFormat)
    return Fault("another version has written it");
  return std::pair(Done, std::move(Files));
}

// A run that was killed could not remove what it was about to rename.
static void removeTemporaries(StringRef File) {
  const llvm::Regex Temporary("^" + llvm::Regex::escape(path::filename(File)) +
                              "\\.[0-9a-f]{6}\\.tmp$");
  std::error_code EC;
  for (fs::directory_iterator It(path::parent_path(File), EC), End; It != End && !EC;
       It.increment(EC))
    if (Temporary.match(path::filename(It->path())))
      std::ignore = fs::remove(It->path()); // nothing is lost if it stays
}

// Oldest first. A directory without a journal is of a run that had not begun to write, and is
// removed.
llvm::Expected<std::vector<Journal::Run>> Journal::runs() const {
  std::vector<Run> Found;
  std::error_code EC;
  for (fs::directory_iterator It(Directory, EC), End; It != End && !EC; It.increment(EC)) {
    StringRef Name = path::filename(It->path());
    Run R;
    if (!Name.consume_front("run-") || Name.getAsInteger(10, R.Number))
      continue;
    const std::string File = inDirectory(It->path(), "journal.json");
    if (!fs::exists(File)) {
      std::ignore = fs::remove_directories(It->path()); // it costs space, nothing else
      continue;
    }
    auto Read = readJournal(File);
    if (!Read)
      return Read.takeError();
    std::tie(R.Done, R.Files) = std::move(*Read);
    Found.push_back(std::move(R));
  }
  if (EC)
    return llvm::createStringError(EC,
                                   "cannot read the journal '" + Directory + "': " + EC.message());
  llvm::sort(Found, [](const Run &A, const Run &B) { return A.Number < B.Number; });
  return Found;
}

llvm::Expected<std::optional<Restoration>> Journal::takeBack(const Run &R) {
  Restoration Result;
  for (const auto &[I, E] : llvm::enumerate(R.Files)) {
    removeTemporaries(E.File);
    const std::optional<std::string> Now = textOf(E.File);
    const std::string Hash = Now ? contentHash(*Now) : std::string();
    if (Hash == E.OldHash)
      continue;
    if (Hash != E.NewHash) {
      Result.ChangedSince.push_back(E.File);
      continue;
    }
    const std::optional<std::string> Old = textOf(inDirectory(pathOf(R.Number), llvm::Twine(I)));
    if (!Old || contentHash(*Old) != E.OldHash)
      Result.Failures.push_back({E.File, "its old text is lost"});
    else if (std::error_code EC = replaceFile(E.File, *Old))
      Result.Failures.push_back({E.File, EC.message()});
    else
      Result.Restored.push_back(E.File);
  }
  if (Result.isComplete())
    if (std::error_code EC = fs::remove_directories(pathOf(R.Number), /*IgnoreErrors=*/false))
      return llvm::createStringError(EC, "cannot forget the run: " + EC.message());
  return Result;
}

llvm::Expected<std::optional<Restoration>> Journal::recover() {
  llvm::Expected<std::vector<Run>> Known = runs();
  if (!Known)
    return Known.takeError();
  if (Known->empty() || Known->back().Done)
    return std::nullopt;
  return takeBack(Known->back());
}

llvm::Expected<std::optional<Restoration>> Journal::undo() {
  llvm::Expected<std::vector<Run>> Known = runs();
  if (!Known)
    return Known.takeError();
  if (Known->empty())
    return std::nullopt;
  return takeBack(Known->back());
}

llvm::Error Journal::replace(const std::map<std::string, std::string> &OldTexts,
                             const std::map<std::string, std::string> &NewTexts) {
  llvm::Expected<std::vector<Run>> Known = runs();
  if (!Known)
    return Known.takeError();
  Run R;
  R.Number = Known->empty() ? 1 : Known->back().Number + 1;
  const std::string RunDir = pathOf(R.Number), JournalFile = inDirectory(RunDir, "journal.json");
  const auto Fail = [&](StringRef File, std::error_code EC) {
    std::ignore = fs::remove_directories(RunDir);
    return llvm::createStringError(EC, "cannot write '" + File + "': " + EC.message() +
                                           "; nothing was changed");
  };

  if (std::error_code EC = fs::create_directory(RunDir))
    return Fail(RunDir, EC);
  for (const auto &[File, NewText] : NewTexts) {
    const std::string &OldText = OldTexts.at(File);
    const std::string Copy = inDirectory(RunDir, llvm::Twine(R.Files.size()));
    if (std::error_code EC = createFile(Copy, OldText, Readers::UserAlone))
      return Fail(Copy, EC);
    R.Files.push_back({File, contentHash(OldText), contentHash(NewText)});
  }
  if (std::error_code EC = createFile(JournalFile, R.text(), Readers::UserAlone))
    return Fail(JournalFile, EC);
  for (StringRef Made : {StringRef(RunDir), StringRef(Directory)})
    if (std::error_code EC = syncDirectory(Made))
      return Fail(Made, EC);

  const auto GiveBack = [&](StringRef File, std::error_code EC) -> llvm::Error {
    llvm::Expected<std::optional<Restoration>> Back = takeBack(R);
    if (!Back)
      return Back.takeError();
    return llvm::createStringError(
        EC, "cannot write '" + File + "': " + EC.message() +
                ((*Back)->isComplete() ? "; nothing was changed"
                                       : "; some files could not be given back their old text, "
                                         "--undo tries again"));
  };
  for (const auto &[File, NewText] : NewTexts)
    if (std::error_code EC = replaceFile(File, NewText))
      return GiveBack(File, EC);
  R.Done = true; // without this note the next run would take all back
  if (std::error_code EC = createFile(JournalFile, R.text(), Readers::UserAlone))
    return GiveBack(JournalFile, EC);
  for (const Run &Old : *Known)
    if (Old.Number + KeptRuns <= R.Number)
      std::ignore = fs::remove_directories(pathOf(Old.Number)); // it costs space, nothing else
  return llvm::Error::success();
}

} // namespace cancel_tools
