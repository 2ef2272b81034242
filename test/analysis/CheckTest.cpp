// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two phases: what one translation unit tells, and what many amount to, in whatever order they
// come.
#include "Check.h"
#include "Program.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>
#include <set>

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

constexpr llvm::StringLiteral Name = "cancel-callback-across-suspend";

/// A registration in a loop at that offset of /src/shared.h, whose edit is `Text`.
Fact fact(unsigned Offset, std::string Group, std::string Text) {
  Fact F;
  F.Check = Name.str();
  F.At = {"/src/shared.h", Offset, Offset, 1};
  F.Rank = 2;
  F.Attributes =
      llvm::json::Object{{"variable", "cb"}, {"repeats", true}, {"suspends", "co_await"}};
  F.Group = std::move(Group);
  F.Edits = {{"/src/shared.h", Offset, 0, std::move(Text), false}};
  return F;
}

Fact refused(unsigned Offset, std::string Reason) {
  Fact F = fact(Offset, "", "");
  F.Edits.clear();
  F.Refusal = std::move(Reason);
  return F;
}

Fact registeredOnce(unsigned Offset) {
  Fact F = fact(Offset, "", "");
  F.Edits.clear();
  F.Rank = 0;
  F.Attributes["repeats"] = false;
  return F;
}

UnitFacts unit(std::string MainFile, std::vector<Fact> Facts) {
  return {std::move(MainFile), std::move(Facts), {}, {}, {}};
}

/// What can be seen of a finding, in one line.
std::string show(const Finding &F) {
  std::string Line = std::to_string(F.At.Offset) + ":";
  for (const Edit &E : F.Edits)
    Line += " edit " + E.Text;
  if (F.FixedWith)
    Line += " fixed with " + std::to_string(F.FixedWith->Offset);
  if (F.Refusal)
    Line += " refused " + *F.Refusal;
  return Line;
}

/// The findings over the units, which must not depend on the units' order.
std::vector<std::string> concluded(std::vector<UnitFacts> Units,
                                   std::vector<EnabledCheck> Checks = callbackCheck()) {
  const auto Before = [](const UnitFacts &A, const UnitFacts &B) {
    return A.MainFile < B.MainFile;
  };
  llvm::sort(Units, Before);
  std::optional<std::vector<std::string>> First;
  do {
    std::vector<std::string> Lines;
    for (const Finding &F : conclude(Checks, Units))
      Lines.push_back(show(F));
    if (!First)
      First = Lines;
    EXPECT_EQ(Lines, *First);
  } while (std::next_permutation(Units.begin(), Units.end(), Before));
  return *First;
}

using Lines = std::vector<std::string>;

TEST(Conclude, MakesOneFindingOfAPlaceThatSeveralUnitsSee) {
  EXPECT_EQ(
      concluded({unit("/src/a.cpp", {fact(1, "g", "x")}), unit("/src/b.cpp", {fact(1, "g", "x")}),
                 unit("/src/c.cpp", {fact(1, "g", "x")})}),
      Lines({"1: edit x"}));
}

TEST(Conclude, SortsByPlace) {
  EXPECT_EQ(concluded({unit("/src/a.cpp", {fact(7, "g", "x"), fact(3, "h", "y")}),
                       unit("/src/b.cpp", {fact(5, "i", "z")})}),
            Lines({"3: edit y", "5: edit z", "7: edit x"}));
}

TEST(Conclude, DropsAnEditOnWhichUnitsDisagreeAndNamesTheUnit) {
  EXPECT_EQ(
      concluded({unit("/src/a.cpp", {fact(1, "g", "x")}), unit("/src/b.cpp", {fact(1, "g", "y")})}),
      Lines({"1: refused the same place needs another edit where /src/b.cpp uses it"}));
}

TEST(Conclude, DropsAnEditThatOneUnitRefuses) {
  EXPECT_EQ(
      concluded({unit("/src/a.cpp", {fact(1, "g", "x")}), unit("/src/b.cpp", {refused(1, "why")})}),
      Lines({"1: refused why"}));
  EXPECT_EQ(
      concluded({unit("/src/a.cpp", {refused(1, "why")}), unit("/src/b.cpp", {fact(1, "g", "x")})}),
      Lines({"1: refused why"}));
}

TEST(Conclude, KeepsAnEditWhereAnotherUnitNeedsNone) {
  for (llvm::StringRef Once : {"/src/a.cpp", "/src/z.cpp"})
    EXPECT_EQ(
        concluded({unit(Once.str(), {registeredOnce(1)}), unit("/src/m.cpp", {fact(1, "g", "x")})}),
        Lines({"1: edit x"}));
}

TEST(Conclude, GivesAGroupsEditsToItsFirstMember) {
  EXPECT_EQ(
      concluded({unit("/src/a.cpp", {fact(9, "g", "x"), fact(2, "g", "y"), fact(5, "h", "z")})}),
      Lines({"2: edit y edit x", "5: edit z", "9: fixed with 2"}));
}

TEST(Conclude, AppliesOnceWhatAllMembersOfAGroupNeed) {
  Fact First = fact(2, "g", "x"), Second = fact(9, "g", "y");
  const Edit Slot = {"/src/shared.h", 0, 0, "slot", false};
  First.Edits.push_back(Slot);
  Second.Edits.push_back(Slot);
  EXPECT_EQ(concluded({unit("/src/a.cpp", {First, Second})}),
            Lines({"2: edit slot edit x edit y", "9: fixed with 2"}));
}

TEST(Conclude, RefusesAGroupAsAWholeWhicheverUnitComesFirst) {
  for (llvm::StringRef Refusing : {"/src/a.cpp", "/src/z.cpp"})
    EXPECT_EQ(concluded({unit("/src/m.cpp", {fact(2, "g", "x"), fact(9, "g", "y")}),
                         unit(Refusing.str(), {refused(2, "why")})}),
              Lines({"2: refused why",
                     "9: refused it shares an edit with line 2, which is not rewritten: why"}));
}

TEST(Conclude, IsSilentAboutChecksThatAreOff) {
  EXPECT_EQ(concluded({unit("/src/a.cpp", {fact(1, "g", "x")})}, {}), Lines());
}

TEST(Conclude, ReportsRegistrationsOutsideLoopsOnRequest) {
  EXPECT_EQ(concluded({unit("/src/a.cpp", {registeredOnce(1)})}), Lines());
  std::vector<EnabledCheck> Checks = callbackCheck();
  Checks.front().Values.set("WarnOutsideLoops", "true");
  EXPECT_EQ(concluded({unit("/src/a.cpp", {registeredOnce(1)})}, Checks), Lines({"1:"}));
}

TEST(Examine, HashesEachFileThatItWouldEdit) {
  constexpr llvm::StringLiteral Code = "task f(std::stop_token st) { for (;;) { std::stop_callback "
                                       "cb(st, callback{}); co_await tick(); } }";
  const Program P(Code);
  const UnitFacts Facts = examine(P.unit(), callbackCheck());
  EXPECT_EQ(Facts.MainFile, "/src/program.cpp");
  ASSERT_EQ(Facts.EditedFiles.size(), 1u);
  EXPECT_EQ(Facts.EditedFiles.begin()->first, "/src/program.cpp");
  EXPECT_EQ(Facts.EditedFiles.begin()->second, contentHash(Code));
}

TEST(Examine, LeavesOutWhatNolintSilencesBeforeGroupsForm) {
  const std::string Result = rewritten("task f(std::stop_token st) {\n"
                                       "  for (;;) {\n"
                                       "    std::stop_callback a(st, callback{}); // NOLINT\n"
                                       "    std::stop_callback b(st, callback{});\n"
                                       "    co_await tick();\n"
                                       "  }\n"
                                       "}\n");
  EXPECT_NE(Result.find("std::stop_callback a(st, callback{}); // NOLINT"), std::string::npos)
      << Result;
  EXPECT_NE(Result.find("cancel::stop_guard b(cancel_slot, callback{});"), std::string::npos)
      << Result;
}

TEST(Examine, ReportsAHeaderUnderOnePath) {
  ParseOptions Parse;
  Parse.Files = {{"/src/shared.h",
                  "#pragma once\ninline task f(std::stop_token st) { for (;;) {"
                  "std::stop_callback cb(st, callback{}); co_await tick(); } }\n"}};
  Parse.Flags = {"-I/src"};
  std::set<std::string> Paths;
  for (llvm::StringRef Include : {"#include \"shared.h\"\n", "#include \"../src/./shared.h\"\n"})
    for (const Finding &F : findings(Include, Parse))
      Paths.insert(F.At.File);
  EXPECT_EQ(Paths, std::set<std::string>({"/src/shared.h"}));
}

TEST(Examine, IsQuietInASystemHeader) {
  ParseOptions Parse;
  Parse.Files = {{"/system/shared.h",
                  "inline task f(std::stop_token st) { for (;;) {"
                  "std::stop_callback cb(st, callback{}); co_await tick(); } }\n"}};
  Parse.Flags = {"-isystem/system"};
  EXPECT_TRUE(findings("#include <shared.h>\n", Parse).empty());
}

TEST(Globs, AreReadFromLeftToRightAndLaterOnesWin) {
  EXPECT_TRUE(globEnables("*", Name));
  EXPECT_TRUE(globEnables("cancel-*", Name));
  EXPECT_TRUE(globEnables("-*,cancel-callback-*", Name));
  EXPECT_TRUE(globEnables(" -* , cancel-callback-across-suspend ", Name));
  EXPECT_FALSE(globEnables("cancel-*,-*", Name));
  EXPECT_FALSE(globEnables("*,-cancel-callback-across-suspend", Name));
  EXPECT_FALSE(globEnables("", Name));
  EXPECT_FALSE(globEnables("cancel", Name));
  EXPECT_FALSE(globEnables("cancel-callback", Name));
  EXPECT_FALSE(globEnables("*-order-*", Name));
}

TEST(Options, HaveTheirDefaultsUntilSet) {
  const OptionSpec Specs[] = {{"On", "true", ""}, {"Off", "false", ""}};
  Options Values(Specs);
  EXPECT_TRUE(Values.isSet("On"));
  EXPECT_FALSE(Values.isSet("Off"));
  EXPECT_EQ(Values.get("Unknown"), "");
  Values.set("Off", "1");
  Values.set("On", "0");
  EXPECT_TRUE(Values.isSet("Off"));
  EXPECT_FALSE(Values.isSet("On"));
  EXPECT_EQ(Values.get("On"), "0");
}

TEST(Catalogue, IsSortedAndFindsEachCheckByName) {
  EXPECT_TRUE(
      llvm::is_sorted(catalogue(), [](const Check &A, const Check &B) { return A.Name < B.Name; }));
  for (const Check &C : catalogue())
    EXPECT_EQ(findCheck(C.Name), &C);
  EXPECT_EQ(findCheck("cancel-unknown"), nullptr);
}

} // namespace
} // namespace cancel_tools
