// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and reports as JSON: the coordinator and its workers are one program, but not one
// process.
#include "Protocol.h"

#include "llvm/Support/Error.h"

namespace json = llvm::json;

namespace cancel_tools {

static json::Value toJSON(const EnabledCheck &C) {
  std::map<std::string, std::string> Options;
  for (const OptionSpec &Spec : C.What->OptionSpecs)
    Options[Spec.Key.str()] = C.Values.get(Spec.Key).str();
  return json::Object{{"name", C.What->Name}, {"options", toJSON(Options)}};
}

static bool readCheck(const json::Value &V, std::vector<EnabledCheck> &Out, json::Path P) {
  std::string Name;
  std::map<std::string, std::string> Options;
  json::ObjectMapper O(V, P);
  if (!O || !O.map("name", Name) || !O.map("options", Options))
    return false;
  const Check *What = findCheck(Name);
  if (!What) {
    P.field("name").report("unknown check");
    return false;
  }
  EnabledCheck &Enabled = Out.emplace_back(*What);
  for (const auto &[Key, Value] : Options)
    Enabled.Values.set(Key, Value);
  return true;
}

json::Value toJSON(const ParseRequest &R) {
  json::Array Checks;
  for (const EnabledCheck &C : R.Checks)
    Checks.push_back(toJSON(C));
  return json::Object{{"directory", R.Directory},
                      {"commandLine", R.CommandLine},
                      {"overlay", toJSON(R.Overlay)},
                      {"checks", std::move(Checks)},
                      {"runtimeDir", R.RuntimeDir}};
}

llvm::Expected<ParseRequest> requestFromJSON(const json::Value &V) {
  json::Path::Root Root("request");
  json::Path P(Root);
  json::ObjectMapper O(V, P);
  ParseRequest R;
  if (!O || !O.map("directory", R.Directory) || !O.map("commandLine", R.CommandLine) ||
      !O.map("overlay", R.Overlay) || !O.map("runtimeDir", R.RuntimeDir))
    return Root.getError();
  if (const json::Array *Checks = V.getAsObject()->getArray("checks"))
    for (const json::Value &C : *Checks)
      if (!readCheck(C, R.Checks, P.field("checks")))
        return Root.getError();
  return R;
}

static json::Value toJSON(const ParseError &E) {
  return json::Object{{"file", json::fixUTF8(E.File)},
                      {"line", E.Line},
                      {"column", E.Column},
                      {"message", json::fixUTF8(E.Message)}};
}

static bool fromJSON(const json::Value &V, ParseError &E, json::Path P) {
  json::ObjectMapper O(V, P);
  uint64_t Line = 0, Column = 0;
  if (!O || !O.map("file", E.File) || !O.map("line", Line) || !O.map("column", Column) ||
      !O.map("message", E.Message))
    return false;
  E.Line = static_cast<unsigned>(Line);
  E.Column = static_cast<unsigned>(Column);
  return true;
}

json::Value toJSON(const ParseReport &R) {
  json::Array Files, Errors;
  for (const std::string &File : R.Files)
    Files.push_back(json::fixUTF8(File));
  for (const ParseError &E : R.Errors)
    Errors.push_back(toJSON(E));
  return json::Object{{"errors", std::move(Errors)},
                      {"files", std::move(Files)},
                      {"digest", R.Digest},
                      {"facts", toJSON(R.Facts)},
                      {"runtimeHeader", R.RuntimeHeader}};
}

llvm::Expected<ParseReport> reportFromJSON(const json::Value &V) {
  json::Path::Root Root("report");
  json::ObjectMapper O(V, Root);
  ParseReport R;
  if (!O || !O.map("errors", R.Errors) || !O.map("files", R.Files) || !O.map("digest", R.Digest) ||
      !O.map("runtimeHeader", R.RuntimeHeader))
    return Root.getError();
  const json::Value *Facts = V.getAsObject()->get("facts");
  if (!Facts)
    return llvm::createStringError("report.facts is missing");
  llvm::Expected<UnitFacts> Unit = unitFactsFromJSON(*Facts);
  if (!Unit)
    return Unit.takeError();
  R.Facts = std::move(*Unit);
  return R;
}

} // namespace cancel_tools
