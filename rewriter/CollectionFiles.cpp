// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit's file is named by its command alone, so that it is the same file in every collection.
#include "CollectionFiles.h"

#include "FindingJson.h"
#include "JsonFile.h"
#include "Protocol.h"
#include "StageJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace path = llvm::sys::path;
using clang::tooling::CompileCommand;
using llvm::StringRef;

namespace cancel_tools {

static std::string in(StringRef Directory, const llvm::Twine &Name) {
  llvm::SmallString<256> File(Directory);
  path::append(File, Name);
  return std::string(File);
}

static std::string indexOf(StringRef Directory) { return in(Directory, "collection.json"); }

static std::string unitFile(StringRef Directory, const CompileCommand &Command) {
  const std::string Name = contentHash(llvm::formatv("{0}", toJSON(Command)).str());
  return in(Directory, "units/" + Name + ".json");
}

static std::error_code removeEach(StringRef Directory, llvm::function_ref<bool(StringRef)> Which) {
  std::error_code EC;
  for (fs::directory_iterator It(Directory, EC), End; !EC && It != End; It.increment(EC))
    if (Which(path::filename(It->path())))
      if (std::error_code Failed = fs::remove(It->path()))
        return Failed;
  return EC;
}

// Takes away what an earlier collection left, first of all what says that it is whole. One that was
// killed may have left temporary files.
static std::error_code clear(StringRef Directory) {
  if (std::error_code EC = fs::remove(indexOf(Directory)))
    return EC;
  const std::string Units = in(Directory, "units");
  if (std::error_code EC = fs::create_directories(Units))
    return EC;
  const std::string Index = path::filename(indexOf(Directory)).str();
  if (std::error_code EC = removeEach(Directory, [&](StringRef Name) {
        return Name.starts_with(Index) && Name.ends_with(".tmp");
      }))
    return EC;
  return removeEach(
      Units, [](StringRef Name) { return Name.ends_with(".json") || Name.ends_with(".tmp"); });
}

static size_t unitsInScope(const Collection &C) {
  return C.Units.size() - C.unitsThatAre(UnitState::OutOfScope);
}

static llvm::Error storeUnit(StringRef File, const Unit &U, const std::optional<UnitFacts> &Facts) {
  json::Array Files;
  for (StringRef Read : U.Files)
    Files.push_back(readable(Read));
  json::Object Fields{{"command", toJSON(U.Command)},
                      {"files", std::move(Files)},
                      {"skipped", U.State == UnitState::Skipped}};
  if (Facts)
    Fields["facts"] = toJSON(*Facts);
  return writeStageFile(File, std::move(Fields));
}

llvm::Error storeCollection(StringRef Directory, const Inquiry &Asked, const Collection &Found) {
  if (std::error_code EC = clear(Directory))
    return llvm::createStringError(EC, "cannot write to '" + Directory + "': " + EC.message());
  for (auto [U, Facts] : llvm::zip_equal(Found.Units, Found.Facts))
    if (U.State != UnitState::OutOfScope)
      if (llvm::Error E = storeUnit(unitFile(Directory, U.Command), U, Facts))
        return E;
  return writeStageFile(indexOf(Directory),
                        json::Object{{"directory", Asked.From.Directory},
                                     {"buildDirectories", Asked.From.BuildDirs},
                                     {"commands", toJSONArray(Asked.From.Commands)},
                                     {"paths", Asked.Within.spec().Paths},
                                     {"headerFilter", Asked.Within.spec().HeaderFilter},
                                     {"settings", toJSON(Asked.Settings)},
                                     {"checks", toJSONArray(Asked.Checks)},
                                     {"failures", toJSONArray(Found.Failures)},
                                     {"units", unitsInScope(Found)},
                                     {"remembered", Found.Remembered}});
}

static llvm::Error loadUnit(StringRef File, Unit &U, std::optional<UnitFacts> &Facts,
                            llvm::StringSet<> &Paths) {
  std::vector<std::string> Files;
  bool Skipped = false;
  if (llvm::Error E = readStageFile(File, [&](json::ObjectMapper &O) {
        return O.map("files", Files) && O.map("skipped", Skipped) && O.map("facts", Facts);
      }))
    return E;
  for (StringRef Read : Files)
    U.Files.push_back(Paths.insert(Read).first->getKey());
  U.State = Skipped ? UnitState::Skipped : UnitState::Parsed;
  return llvm::Error::success();
}

llvm::Expected<std::pair<Inquiry, Collection>> loadCollection(StringRef Directory) {
  if (!fs::exists(indexOf(Directory)))
    return llvm::createStringError("'" + Directory +
                                   "' holds no finished collection: run 'cancel-migrate collect "
                                   "-o " +
                                   Directory + "'");
  std::pair<Inquiry, Collection> Result;
  auto &[Asked, Found] = Result;
  ScopeSpec Spec;
  size_t Units = 0;
  if (llvm::Error E = readStageFile(indexOf(Directory), [&](json::ObjectMapper &O) {
        return O.map("directory", Asked.From.Directory) &&
               O.map("buildDirectories", Asked.From.BuildDirs) &&
               O.map("commands", Asked.From.Commands) && O.map("paths", Spec.Paths) &&
               O.map("headerFilter", Spec.HeaderFilter) && O.map("settings", Asked.Settings) &&
               O.map("checks", Asked.Checks) && O.map("failures", Found.Failures) &&
               mapNumber(O, "units", Units) && mapNumber(O, "remembered", Found.Remembered);
      }))
    return E;
  llvm::Expected<Scope> Within =
      Scope::create(Spec, Asked.From.BuildDirs, realMainFiles(Asked.From.Commands));
  if (!Within)
    return Within.takeError();
  Asked.Within = std::move(*Within);

  for (const CompileCommand &Command : Asked.From.Commands) {
    Found.Units.push_back({Command, UnitState::OutOfScope, {}});
    Found.Facts.emplace_back();
    const std::string File = unitFile(Directory, Command);
    if (fs::exists(File))
      if (llvm::Error E = loadUnit(File, Found.Units.back(), Found.Facts.back(), Found.Paths))
        return E;
  }
  if (const size_t Present = unitsInScope(Found); Present != Units)
    return llvm::createStringError(
        llvm::formatv("'{0}' has the facts of {1} of its {2} translation units: collect again",
                      Directory, Present, Units)
            .str());
  return Result;
}

} // namespace cancel_tools
