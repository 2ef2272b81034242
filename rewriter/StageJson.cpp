// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read back equals what was written, as far as it is Unicode.
#include "StageJson.h"

#include "FindingJson.h"

namespace json = llvm::json;

namespace clang::tooling {

json::Value toJSON(const CompileCommand &C) {
  return json::Object{
      {"directory", C.Directory}, {"file", C.Filename}, {"arguments", C.CommandLine}};
}

bool fromJSON(const json::Value &V, CompileCommand &C, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("directory", C.Directory) && O.map("file", C.Filename) &&
         O.map("arguments", C.CommandLine);
}

} // namespace clang::tooling

namespace cancel_tools {

json::Value toJSON(const ParseSettings &S) {
  return json::Object{{"resourceDirectory", S.ResourceDir},
                      {"runtimeDirectory", S.RuntimeDir},
                      {"extraArguments", S.ExtraArgs}};
}

bool fromJSON(const json::Value &V, ParseSettings &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("resourceDirectory", S.ResourceDir) &&
         O.map("runtimeDirectory", S.RuntimeDir) && O.map("extraArguments", S.ExtraArgs);
}

json::Value toJSON(const Failure &F) {
  return json::Object{{"path", readable(F.Path)}, {"reason", readable(F.Reason)}};
}

bool fromJSON(const json::Value &V, Failure &F, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("path", F.Path) && O.map("reason", F.Reason);
}

} // namespace cancel_tools
