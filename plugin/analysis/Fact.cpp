// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts as JSON: they cross from the process that parsed a translation unit to the one that
// concludes.
#include "Fact.h"

#include "FindingJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace json = llvm::json;

namespace cancel_tools {

static json::Value toJSON(const Fact &F) {
  json::Object O{{"check", F.Check},
                 {"at", toJSON(F.At)},
                 {"function", readable(F.Function)},
                 {"rank", F.Rank},
                 {"attributes", json::Object(F.Attributes)},
                 {"notes", toJSONArray(F.Notes)},
                 {"group", readable(F.Group)},
                 {"edits", toJSONArray(F.Edits)},
                 {"alternative", toJSONArray(F.Alternative)}};
  if (F.Refusal)
    O["refusal"] = readable(*F.Refusal);
  return O;
}

static bool fromJSON(const json::Value &V, Fact &F, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("check", F.Check) || !O.map("at", F.At) || !O.map("function", F.Function) ||
      !mapNumber(O, "rank", F.Rank) || !O.map("group", F.Group) || !O.map("notes", F.Notes) ||
      !O.map("edits", F.Edits) || !O.map("alternative", F.Alternative) ||
      !O.map("refusal", F.Refusal))
    return false;
  const json::Object *Attributes = V.getAsObject()->getObject("attributes");
  if (!Attributes) {
    P.field("attributes").report("expected object");
    return false;
  }
  F.Attributes = *Attributes;
  return true;
}

static json::Value toJSON(const CoroutineFact &C) {
  return json::Object{{"function", readable(C.Function)},
                      {"name", readable(C.Name)},
                      {"promise", readable(C.Promise)}};
}

static bool fromJSON(const json::Value &V, CoroutineFact &C, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("function", C.Function) && O.map("name", C.Name) && O.map("promise", C.Promise);
}

static json::Value toJSON(const CoroutineCall &C) {
  return json::Object{{"caller", readable(C.Caller)},
                      {"callee", readable(C.Callee)},
                      {"calleeName", readable(C.CalleeName)},
                      {"at", toJSON(C.At)},
                      {"repeats", C.Repeats}};
}

static bool fromJSON(const json::Value &V, CoroutineCall &C, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("caller", C.Caller) && O.map("callee", C.Callee) &&
         O.map("calleeName", C.CalleeName) && O.map("at", C.At) && O.map("repeats", C.Repeats);
}

json::Value toJSON(const UnitFacts &U) {
  return json::Object{{"format", FactFormat},          {"mainFile", readable(U.MainFile)},
                      {"facts", toJSONArray(U.Facts)}, {"coroutines", toJSONArray(U.Coroutines)},
                      {"calls", toJSONArray(U.Calls)}, {"editedFiles", toJSON(U.EditedFiles)}};
}

bool fromJSON(const json::Value &V, UnitFacts &U, json::Path P) {
  json::ObjectMapper O(V, P);
  int Format = 0;
  if (!O || !O.map("format", Format))
    return false;
  if (Format != FactFormat) {
    P.field("format").report("these facts were written by another version");
    return false;
  }
  return O.map("mainFile", U.MainFile) && O.map("facts", U.Facts) &&
         O.map("coroutines", U.Coroutines) && O.map("calls", U.Calls) &&
         O.map("editedFiles", U.EditedFiles);
}

std::string contentHash(llvm::StringRef Bytes) {
  llvm::XXH128_hash_t H = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(Bytes));
  return llvm::utohexstr(H.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(H.low64, /*LowerCase=*/true, /*Width=*/16);
}

} // namespace cancel_tools
