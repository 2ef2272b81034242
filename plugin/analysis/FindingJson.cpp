// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is left out: what is read back equals what was written.
#include "FindingJson.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Error.h"

namespace json = llvm::json;

namespace cancel_tools {

json::Value readable(llvm::StringRef Text) {
  return json::isUTF8(Text) ? json::Value(Text.str()) : json::Value(json::fixUTF8(Text));
}

static json::Value lossless(llvm::StringRef Bytes) {
  if (json::isUTF8(Bytes))
    return Bytes.str();
  return json::Object{{"base64", llvm::encodeBase64(Bytes)}};
}

static bool fromLossless(const json::Value &V, std::string &Bytes, json::Path P) {
  const json::Object *Encoded = V.getAsObject();
  if (!Encoded)
    return fromJSON(V, Bytes, P);
  json::ObjectMapper O(V, P);
  std::string Base64;
  if (!O || !O.map("base64", Base64))
    return false;
  std::vector<char> Decoded;
  if (llvm::Error E = llvm::decodeBase64(Base64, Decoded)) {
    llvm::consumeError(std::move(E));
    P.field("base64").report("expected base64");
    return false;
  }
  Bytes.assign(Decoded.begin(), Decoded.end());
  return true;
}

json::Value toJSON(const Location &L) {
  return json::Object{
      {"file", readable(L.File)}, {"offset", L.Offset}, {"line", L.Line}, {"column", L.Column}};
}

bool fromJSON(const json::Value &V, Location &L, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", L.File) && mapNumber(O, "offset", L.Offset) &&
         mapNumber(O, "line", L.Line) && mapNumber(O, "column", L.Column);
}

json::Value toJSON(const Note &N) {
  return json::Object{{"at", toJSON(N.At)}, {"message", readable(N.Message)}};
}

bool fromJSON(const json::Value &V, Note &N, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("at", N.At) && O.map("message", N.Message);
}

json::Value toJSON(const Edit &E) {
  return json::Object{{"file", readable(E.File)},
                      {"offset", E.Offset},
                      {"length", E.Length},
                      {"text", lossless(E.Text)},
                      {"shared", E.Shared}};
}

bool fromJSON(const json::Value &V, Edit &E, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("file", E.File) || !mapNumber(O, "offset", E.Offset) ||
      !mapNumber(O, "length", E.Length) || !O.map("shared", E.Shared))
    return false;
  const json::Value *Text = V.getAsObject()->get("text");
  if (!Text) {
    P.field("text").report("missing value");
    return false;
  }
  return fromLossless(*Text, E.Text, P.field("text"));
}

static json::Array readableArray(const std::vector<std::string> &Texts) {
  json::Array Result;
  for (const std::string &Text : Texts)
    Result.push_back(readable(Text));
  return Result;
}

json::Value toJSON(const Finding &F) {
  json::Object O{{"check", F.Check},
                 {"isNote", F.IsNote},
                 {"at", toJSON(F.At)},
                 {"message", readable(F.Message)},
                 {"notes", toJSONArray(F.Notes)},
                 {"group", readable(F.Group)},
                 {"edits", toJSONArray(F.Edits)},
                 {"requires", readableArray(F.Requires)},
                 {"embeds", readableArray(F.Embeds)}};
  if (F.FixedWith)
    O["fixedWith"] = toJSON(*F.FixedWith);
  if (F.Refusal)
    O["refusal"] = readable(*F.Refusal);
  return O;
}

bool fromJSON(const json::Value &V, Finding &F, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("check", F.Check) && O.map("isNote", F.IsNote) && O.map("at", F.At) &&
         O.map("message", F.Message) && O.map("notes", F.Notes) && O.map("group", F.Group) &&
         O.map("edits", F.Edits) && O.map("requires", F.Requires) && O.map("embeds", F.Embeds) &&
         O.map("fixedWith", F.FixedWith) && O.map("refusal", F.Refusal);
}

json::Value toJSON(const std::map<std::string, std::string> &Strings) {
  json::Object O;
  for (const auto &[Key, Text] : Strings)
    O[json::fixUTF8(Key)] = readable(Text);
  return O;
}

} // namespace cancel_tools
