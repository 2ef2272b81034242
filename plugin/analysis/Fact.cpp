// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts as JSON: they cross from the process that parsed a translation unit to the one that
// concludes.
#include "Fact.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/xxhash.h"

namespace json = llvm::json;

namespace cancel_tools {

// JSON holds Unicode only. Names and messages may be repaired; the text of an edit must come back
// byte for byte.
static json::Value readable(llvm::StringRef Text) {
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

// LLVM 19 reads 64-bit numbers only.
static bool map(json::ObjectMapper &O, llvm::StringLiteral Key, unsigned &Out) {
  uint64_t Wide = 0;
  if (!O.map(Key, Wide))
    return false;
  Out = static_cast<unsigned>(Wide);
  return true;
}

static json::Value toJSON(const Location &L) {
  return json::Object{
      {"file", readable(L.File)}, {"offset", L.Offset}, {"line", L.Line}, {"column", L.Column}};
}

static bool fromJSON(const json::Value &V, Location &L, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", L.File) && map(O, "offset", L.Offset) && map(O, "line", L.Line) &&
         map(O, "column", L.Column);
}

static json::Value toJSON(const Note &N) {
  return json::Object{{"at", toJSON(N.At)}, {"message", readable(N.Message)}};
}

static bool fromJSON(const json::Value &V, Note &N, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("at", N.At) && O.map("message", N.Message);
}

static json::Value toJSON(const Edit &E) {
  return json::Object{{"file", readable(E.File)},
                      {"offset", E.Offset},
                      {"length", E.Length},
                      {"text", lossless(E.Text)},
                      {"shared", E.Shared}};
}

static bool fromJSON(const json::Value &V, Edit &E, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("file", E.File) || !map(O, "offset", E.Offset) || !map(O, "length", E.Length) ||
      !O.map("shared", E.Shared))
    return false;
  const json::Value *Text = V.getAsObject()->get("text");
  if (!Text) {
    P.field("text").report("missing value");
    return false;
  }
  return fromLossless(*Text, E.Text, P.field("text"));
}

static json::Value toJSON(const Fact &F) {
  json::Object O{{"check", F.Check},
                 {"at", toJSON(F.At)},
                 {"function", readable(F.Function)},
                 {"attributes", json::Object(F.Attributes)},
                 {"group", readable(F.Group)}};
  json::Array Notes, Edits;
  for (const Note &N : F.Notes)
    Notes.push_back(toJSON(N));
  for (const Edit &E : F.Edits)
    Edits.push_back(toJSON(E));
  O["notes"] = std::move(Notes);
  O["edits"] = std::move(Edits);
  if (F.Refusal)
    O["refusal"] = readable(*F.Refusal);
  return O;
}

static bool fromJSON(const json::Value &V, Fact &F, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("check", F.Check) || !O.map("at", F.At) || !O.map("function", F.Function) ||
      !O.map("group", F.Group) || !O.map("notes", F.Notes) || !O.map("edits", F.Edits) ||
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

json::Value toJSON(const std::map<std::string, std::string> &Strings) {
  json::Object O;
  for (const auto &[Key, Text] : Strings)
    O[json::fixUTF8(Key)] = readable(Text);
  return O;
}

json::Value toJSON(const UnitFacts &U) {
  json::Array Facts;
  for (const Fact &F : U.Facts)
    Facts.push_back(toJSON(F));
  return json::Object{{"format", FactFormat},
                      {"mainFile", readable(U.MainFile)},
                      {"facts", std::move(Facts)},
                      {"editedFiles", toJSON(U.EditedFiles)}};
}

llvm::Expected<UnitFacts> unitFactsFromJSON(const json::Value &V) {
  json::Path::Root Root("facts");
  json::Path P(Root);
  json::ObjectMapper O(V, P);
  int Format = 0;
  if (!O || !O.map("format", Format))
    return Root.getError();
  if (Format != FactFormat)
    return llvm::createStringError("facts.format is " + llvm::Twine(Format) +
                                   ", this version reads " + llvm::Twine(FactFormat));
  UnitFacts U;
  if (!O.map("mainFile", U.MainFile) || !O.map("facts", U.Facts) ||
      !O.map("editedFiles", U.EditedFiles))
    return Root.getError();
  return U;
}

std::string contentHash(llvm::StringRef Bytes) {
  llvm::XXH128_hash_t H = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(Bytes));
  return llvm::utohexstr(H.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(H.low64, /*LowerCase=*/true, /*Width=*/16);
}

} // namespace cancel_tools
