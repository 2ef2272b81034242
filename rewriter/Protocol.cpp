// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and reports as JSON: the coordinator and its workers are one program, but not one
// process.
#include "Protocol.h"

#include "FindingJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

namespace json = llvm::json;

namespace cancel_tools {

json::Value toJSON(const EnabledCheck &C) {
  std::map<std::string, std::string> Options;
  for (const OptionSpec &Spec : C.What->OptionSpecs)
    Options[Spec.Key.str()] = C.Values.get(Spec.Key).str();
  return json::Object{{"name", C.What->Name}, {"options", toJSON(Options)}};
}

bool fromJSON(const json::Value &V, std::vector<EnabledCheck> &Checks, json::Path P) {
  const json::Array *Named = V.getAsArray();
  if (!Named) {
    P.report("expected array");
    return false;
  }
  for (const auto &[I, Element] : llvm::enumerate(*Named)) {
    std::string Name;
    std::map<std::string, std::string> Options;
    const json::Path At = P.index(static_cast<unsigned>(I));
    json::ObjectMapper O(Element, At);
    if (!O || !O.map("name", Name) || !O.map("options", Options))
      return false;
    const Check *What = findCheck(Name);
    if (!What) {
      At.field("name").report("unknown check");
      return false;
    }
    EnabledCheck &Enabled = Checks.emplace_back(*What);
    for (const auto &[Key, Value] : Options)
      Enabled.Values.set(Key, Value);
  }
  return true;
}

json::Value toJSON(const ParseRequest &R) {
  return json::Object{{"directory", R.Directory},
                      {"commandLine", R.CommandLine},
                      {"overlay", toJSON(R.Overlay)},
                      {"checks", toJSONArray(R.Checks)},
                      {"runtimeDir", R.RuntimeDir}};
}

llvm::Expected<ParseRequest> requestFromJSON(const json::Value &V) {
  json::Path::Root Root("request");
  json::ObjectMapper O(V, Root);
  ParseRequest R;
  if (!O || !O.map("directory", R.Directory) || !O.map("commandLine", R.CommandLine) ||
      !O.map("overlay", R.Overlay) || !O.map("checks", R.Checks) ||
      !O.map("runtimeDir", R.RuntimeDir))
    return Root.getError();
  return R;
}

static json::Value toJSON(const ParseError &E) {
  return json::Object{{"file", readable(E.File)},
                      {"line", E.Line},
                      {"column", E.Column},
                      {"message", readable(E.Message)}};
}

static bool fromJSON(const json::Value &V, ParseError &E, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", E.File) && mapNumber(O, "line", E.Line) &&
         mapNumber(O, "column", E.Column) && O.map("message", E.Message);
}

json::Value toJSON(const ParseReport &R) {
  json::Array Files;
  for (const std::string &File : R.Files)
    Files.push_back(readable(File));
  return json::Object{{"errors", toJSONArray(R.Errors)},
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
      !O.map("facts", R.Facts) || !O.map("runtimeHeader", R.RuntimeHeader))
    return Root.getError();
  return R;
}

} // namespace cancel_tools
