// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts survive the way through a file unchanged; what is no fact file is refused with a reason.
#include "Fact.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace cancel_tools;
namespace json = llvm::json;

static UnitFacts exampleFacts() {
  Fact F;
  F.Check = "cancel-callback-across-suspend";
  F.At = {"/src/a.cpp", 4000000000u, 120, 7};
  F.Function = "c:@F@serve#";
  F.Attributes = json::Object{{"variable", "on_stop"}, {"nested", json::Object{{"depth", 2}}}};
  F.Notes = {{{"/src/a.cpp", 12, 2, 3}, "suspended here: co_await \"x\"\n"}};
  F.Group = "loop@/src/a.cpp:7";
  F.Edits = {{"/src/a.cpp", 10, 0, "cancel::stop_slot cancel_slot(st);\n", false},
             {"/src/a.cpp", 0, 0, "#include <cancel/stop_slot.hpp>\n", true}};
  Fact Refused;
  Refused.Check = F.Check;
  Refused.Refusal = "the token changes in the loop";
  UnitFacts Unit;
  Unit.MainFile = "/src/a.cpp";
  Unit.Facts = {F, Refused};
  Unit.EditedFiles = {{"/src/a.cpp", contentHash("text")}};
  return Unit;
}

static llvm::Expected<UnitFacts> unitFacts(const json::Value &V) {
  json::Path::Root Root("");
  UnitFacts Result;
  if (!fromJSON(V, Result, Root))
    return Root.getError();
  return Result;
}

static llvm::Expected<UnitFacts> roundTrip(const UnitFacts &Unit) {
  llvm::Expected<json::Value> Parsed = json::parse(llvm::formatv("{0}", toJSON(Unit)).str());
  if (!Parsed)
    return Parsed.takeError();
  return unitFacts(*Parsed);
}

TEST(Fact, ComesBackFromJSONAsItWas) {
  const UnitFacts Before = exampleFacts();
  llvm::Expected<UnitFacts> After = roundTrip(Before);
  ASSERT_TRUE(bool(After)) << llvm::toString(After.takeError());

  EXPECT_EQ(After->MainFile, Before.MainFile);
  EXPECT_EQ(After->EditedFiles, Before.EditedFiles);
  ASSERT_EQ(After->Facts.size(), 2u);
  const Fact &F = After->Facts[0], &G = Before.Facts[0];
  EXPECT_EQ(F.Check, G.Check);
  EXPECT_EQ(F.At, G.At);
  EXPECT_EQ(F.At.Line, G.At.Line);
  EXPECT_EQ(F.At.Column, G.At.Column);
  EXPECT_EQ(F.Function, G.Function);
  EXPECT_EQ(F.Attributes, G.Attributes);
  ASSERT_EQ(F.Notes.size(), 1u);
  EXPECT_EQ(F.Notes[0].At, G.Notes[0].At);
  EXPECT_EQ(F.Notes[0].Message, G.Notes[0].Message);
  EXPECT_EQ(F.Group, G.Group);
  EXPECT_EQ(F.Edits, G.Edits);
  EXPECT_FALSE(F.Refusal.has_value());
  EXPECT_EQ(After->Facts[1].Refusal, Before.Facts[1].Refusal);
}

TEST(Fact, TextOfAnEditKeepsBytesThatAreNotUnicode) {
  UnitFacts Unit = exampleFacts();
  Unit.Facts[0].Edits[0].Text = "caf\xe9 \xff";
  llvm::Expected<UnitFacts> After = roundTrip(Unit);
  ASSERT_TRUE(bool(After)) << llvm::toString(After.takeError());
  EXPECT_EQ(After->Facts[0].Edits[0].Text, "caf\xe9 \xff");
}

TEST(Fact, AnotherFormatIsRefused) {
  json::Value V = toJSON(exampleFacts());
  (*V.getAsObject())["format"] = FactFormat + 1;
  llvm::Expected<UnitFacts> Unit = unitFacts(V);
  ASSERT_FALSE(bool(Unit));
  EXPECT_NE(llvm::toString(Unit.takeError()).find("another version"), std::string::npos);
}

TEST(Fact, AWrongShapeIsNamedByItsPath) {
  json::Value V = toJSON(exampleFacts());
  json::Object &First = *(*V.getAsObject()->getArray("facts"))[0].getAsObject();
  First["at"] = "somewhere";
  llvm::Expected<UnitFacts> Unit = unitFacts(V);
  ASSERT_FALSE(bool(Unit));
  EXPECT_NE(llvm::toString(Unit.takeError()).find("facts[0].at"), std::string::npos);
}

TEST(Fact, EveryMissingMemberIsAnError) {
  for (const char *Key : {"format", "mainFile", "facts", "editedFiles"}) {
    json::Value V = toJSON(exampleFacts());
    V.getAsObject()->erase(Key);
    llvm::Expected<UnitFacts> Unit = unitFacts(V);
    EXPECT_FALSE(bool(Unit)) << Key;
    llvm::consumeError(Unit.takeError());
  }
  for (const char *Key : {"check", "at", "function", "attributes", "notes", "group", "edits"}) {
    json::Value V = toJSON(exampleFacts());
    (*V.getAsObject()->getArray("facts"))[0].getAsObject()->erase(Key);
    llvm::Expected<UnitFacts> Unit = unitFacts(V);
    EXPECT_FALSE(bool(Unit)) << Key;
    llvm::consumeError(Unit.takeError());
  }
}

TEST(Fact, HashTellsTextsApart) {
  EXPECT_EQ(contentHash("a"), contentHash("a"));
  EXPECT_NE(contentHash("a"), contentHash("b"));
  EXPECT_NE(contentHash(""), contentHash(llvm::StringRef("\0", 1)));
  EXPECT_EQ(contentHash("").size(), 32u);
}
