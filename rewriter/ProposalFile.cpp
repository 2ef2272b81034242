// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A proposal may be days old when it is read: nothing in it is taken for the present text of a
// file.
#include "ProposalFile.h"

#include "DisplayPath.h"
#include "FindingJson.h"
#include "JsonFile.h"
#include "StageJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace json = llvm::json;
using llvm::StringRef;

namespace cancel_tools {

static json::Value toJSON(const EditGroup &G) {
  return json::Object{{"name", readable(G.Name)},
                      {"edits", toJSONArray(G.Edits)},
                      {"members", json::Array(G.Members)}};
}

static bool fromJSON(const json::Value &V, EditGroup &G, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<uint64_t> Members;
  if (!O || !O.map("name", G.Name) || !O.map("edits", G.Edits) || !O.map("members", Members))
    return false;
  G.Members.assign(Members.begin(), Members.end());
  return true;
}

static json::Value toJSON(const AffectedUnit &U) {
  return json::Object{{"command", toJSON(U.Command)}, {"reads", json::Array(U.Reads)}};
}

static bool fromJSON(const json::Value &V, AffectedUnit &U, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("command", U.Command) && O.map("reads", U.Reads);
}

static json::Value toJSON(const Verification &V) {
  return json::Object{
      {"units", V.Units}, {"commandRuns", V.CommandRuns}, {"missingHeader", V.MissingHeader}};
}

static bool fromJSON(const json::Value &V, Verification &Out, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapNumber(O, "units", Out.Units) && mapNumber(O, "commandRuns", Out.CommandRuns) &&
         O.map("missingHeader", Out.MissingHeader);
}

llvm::Error storeProposal(StringRef File, const Proposal &What) {
  const Plan &P = What.Decided;
  std::map<std::string, std::string> Hashes;
  for (const std::string &Edited : editedFiles(P))
    Hashes[Edited] = contentHash(P.Texts.at(Edited));
  json::Object Fields{{"directory", What.ProjectDirectory},
                      {"buildDirectories", What.BuildDirs},
                      {"settings", toJSON(What.Settings)},
                      {"findings", toJSONArray(P.Findings)},
                      {"groups", toJSONArray(P.Groups)},
                      {"hashes", toJSON(Hashes)},
                      {"leftOutInBuildDirectory", P.LeftOutInBuildDir},
                      {"affected", toJSONArray(What.Affected)},
                      {"unitsAnalysed", What.UnitsAnalysed},
                      {"unitsRemembered", What.UnitsRemembered},
                      {"unitsSkipped", What.UnitsSkipped},
                      {"failures", toJSONArray(What.Failures)}};
  if (What.Verified)
    Fields["verified"] = toJSON(*What.Verified);
  return writeStageFile(File, std::move(Fields));
}

// What the groups refer to must be there: the file may have been changed by hand.
static bool isConsistent(const Plan &P, const std::map<std::string, std::string> &Hashes) {
  return llvm::all_of(P.Groups, [&](const EditGroup &Group) {
    return !Group.Members.empty() &&
           llvm::all_of(Group.Members, [&](size_t M) { return M < P.Findings.size(); }) &&
           llvm::all_of(Group.Edits, [&](const Edit &E) { return Hashes.count(E.File) != 0; });
  });
}

static void readTexts(Plan &P, const std::map<std::string, std::string> &Hashes) {
  std::map<std::string, std::string> Stale;
  for (const auto &[File, Hash] : Hashes)
    if (auto Text = llvm::MemoryBuffer::getFile(File); !Text)
      Stale[File] = displayPath(File) + " cannot be read: " + Text.getError().message();
    else if (contentHash((*Text)->getBuffer()) != Hash)
      Stale[File] = displayPath(File) + " changed since it was analysed; collect again";
    else
      P.Texts[File] = (*Text)->getBuffer().str();
  std::map<size_t, std::string> Reasons;
  for (auto [I, Group] : llvm::enumerate(P.Groups))
    for (const Edit &E : Group.Edits)
      if (auto Known = Stale.find(E.File); Known != Stale.end())
        Reasons.emplace(I, Known->second);
  P.withdraw(Reasons);
}

llvm::Expected<Proposal> loadProposal(StringRef File) {
  Proposal Result;
  Plan &P = Result.Decided;
  std::map<std::string, std::string> Hashes;
  if (llvm::Error E = readStageFile(File, [&](json::ObjectMapper &O) {
        return O.map("directory", Result.ProjectDirectory) &&
               O.map("buildDirectories", Result.BuildDirs) && O.map("settings", Result.Settings) &&
               O.map("findings", P.Findings) && O.map("groups", P.Groups) &&
               O.map("hashes", Hashes) &&
               mapNumber(O, "leftOutInBuildDirectory", P.LeftOutInBuildDir) &&
               O.map("affected", Result.Affected) &&
               mapNumber(O, "unitsAnalysed", Result.UnitsAnalysed) &&
               mapNumber(O, "unitsRemembered", Result.UnitsRemembered) &&
               mapNumber(O, "unitsSkipped", Result.UnitsSkipped) &&
               O.map("verified", Result.Verified) && O.map("failures", Result.Failures);
      }))
    return E;
  if (!isConsistent(P, Hashes))
    return llvm::createStringError("cannot read '" + File +
                                   "': its groups do not fit its findings");
  readTexts(P, Hashes);
  return Result;
}

} // namespace cancel_tools
