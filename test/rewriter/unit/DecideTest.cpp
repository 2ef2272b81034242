// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edit groups are made, given findings that no check of today produces.
#include "Decide.h"

#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace cancel_tools;

namespace {

class Decide : public testing::Test {
protected:
  Decide() {
    llvm::SmallString<128> Real;
    llvm::sys::fs::real_path(File.path(), Real);
    Path = std::string(Real);
    Hashes[Path] = contentHash("0123456789");
  }

  /// A finding that carries a group of its own.
  Finding carrier(unsigned Offset, std::vector<Edit> Edits) {
    Finding F;
    F.Check = "cancel-test";
    F.At = {Path, Offset, 1, Offset + 1};
    F.Group = "group@" + std::to_string(Offset);
    F.Edits = std::move(Edits);
    return F;
  }

  Edit replacement(unsigned Offset, unsigned Length) { return {Path, Offset, Length, "x", false}; }

  Plan decided(std::vector<Finding> Findings) {
    llvm::Expected<Scope> Everything = Scope::create({}, {}, {});
    return decide(std::move(Findings), Hashes, *Everything);
  }

  ScratchFile File{"0123456789"};
  std::string Path;
  FileHashes Hashes;
};

std::string refusal(const Plan &P, unsigned Offset) {
  for (const Finding &F : P.Findings)
    if (F.At.Offset == Offset)
      return F.Refusal.value_or("");
  return "no such finding";
}

} // namespace

TEST_F(Decide, GroupsThatDoNotTouchAreAllMade) {
  const Plan P = decided({carrier(0, {replacement(0, 2)}), carrier(2, {replacement(2, 2)})});
  EXPECT_EQ(P.Groups.size(), 2u);
  EXPECT_EQ(P.editedTexts(P.Groups).at(Path), "xx456789");
}

TEST_F(Decide, WhatRequiresADroppedGroupIsDroppedWithItThroughAnyNumber) {
  std::vector<Finding> Findings = {carrier(0, {replacement(0, 3)}), carrier(2, {replacement(2, 3)}),
                                   carrier(6, {replacement(6, 1)}),
                                   carrier(7, {replacement(7, 1)}),
                                   carrier(8, {replacement(8, 1)})};
  Findings[2].Requires = {"group@7"};
  Findings[3].Requires = {"group@2"};
  Findings[4].Requires = {"group@9"}; // which there never was: nothing was taken back
  const Plan P = decided(std::move(Findings));
  ASSERT_EQ(P.Groups.size(), 1u);
  EXPECT_EQ(P.Groups[0].Name, "group@8");
  EXPECT_NE(refusal(P, 7).find("it gains nothing without the rewrite of " + Path +
                               ":1, which is not made: its edit overlaps"),
            std::string::npos)
      << refusal(P, 7);
  EXPECT_NE(refusal(P, 6).find("which is not made: it gains nothing without"), std::string::npos);
}

TEST_F(Decide, OverlappingGroupsAreAllDroppedInWhateverOrder) {
  std::vector<Finding> Findings = {carrier(0, {replacement(0, 3)}), carrier(2, {replacement(2, 3)}),
                                   carrier(4, {replacement(4, 2)}),
                                   carrier(8, {replacement(8, 1)})};
  std::vector<size_t> Order = {0, 1, 2, 3};
  do {
    std::vector<Finding> Permuted;
    for (size_t I : Order)
      Permuted.push_back(Findings[I]);
    const Plan P = decided(Permuted);
    ASSERT_EQ(P.Groups.size(), 1u);
    EXPECT_EQ(P.Groups[0].Name, "group@8");
    EXPECT_NE(refusal(P, 0).find("its edit overlaps with that of " + Path + ":1:3"),
              std::string::npos);
    EXPECT_NE(refusal(P, 2), "");
    EXPECT_NE(refusal(P, 4).find("its edit overlaps with that of " + Path + ":1:3"),
              std::string::npos);
    EXPECT_EQ(refusal(P, 8), "");
  } while (std::next_permutation(Order.begin(), Order.end()));
}

TEST_F(Decide, ADroppedGroupTakesAllItsMembersAlong) {
  Finding Member = carrier(6, {});
  Member.Group = "group@0";
  Member.FixedWith = Location{Path, 0, 1, 1};
  const Plan P = decided({carrier(0, {replacement(0, 3), replacement(6, 1)}), Member,
                          carrier(1, {replacement(1, 1)})});
  EXPECT_TRUE(P.Groups.empty());
  EXPECT_NE(refusal(P, 6), "");
  for (const Finding &F : P.Findings) {
    EXPECT_TRUE(F.Edits.empty());
    EXPECT_FALSE(F.FixedWith.has_value());
  }
}

TEST_F(Decide, ASharedEditIsMadeOnceAndIsNoOverlap) {
  const Edit Include{Path, 0, 0, "#include <x>\n", true};
  const Plan P =
      decided({carrier(2, {Include, replacement(2, 1)}), carrier(5, {Include, replacement(5, 1)})});
  EXPECT_EQ(P.Groups.size(), 2u);
  EXPECT_EQ(P.editedTexts(P.Groups).at(Path), "#include <x>\n01x34x6789");
}

TEST_F(Decide, AGroupWhoseOwnEditsOverlapIsDropped) {
  const Plan P = decided({carrier(0, {replacement(0, 3), replacement(2, 3)})});
  EXPECT_TRUE(P.Groups.empty());
  EXPECT_NE(refusal(P, 0), "");
}

TEST_F(Decide, AFileThatChangedSinceItWasParsedIsLeftAlone) {
  Hashes[Path] = contentHash("something else");
  const Plan P = decided({carrier(0, {replacement(0, 3)})});
  EXPECT_TRUE(P.Groups.empty());
  EXPECT_NE(refusal(P, 0).find("changed while it was analysed"), std::string::npos);
}

TEST_F(Decide, AGroupWithAnEditOutOfScopeIsDroppedAndFindingsThereAreNotReported) {
  const ScratchFile Other("0123456789");
  llvm::SmallString<128> OtherPath;
  llvm::sys::fs::real_path(Other.path(), OtherPath);
  Hashes[std::string(OtherPath)] = contentHash("0123456789");
  Finding There = carrier(3, {});
  There.At.File = std::string(OtherPath);
  llvm::Expected<Scope> OnlyFile = Scope::create({{Path}, ""}, {}, {});
  const Plan P =
      decide({carrier(0, {replacement(0, 1), {std::string(OtherPath), 0, 1, "x", false}}), There,
              carrier(5, {replacement(5, 1)})},
             Hashes, *OnlyFile);
  ASSERT_EQ(P.Findings.size(), 2u);
  EXPECT_NE(refusal(P, 0).find("which no given path covers"), std::string::npos);
  ASSERT_EQ(P.Groups.size(), 1u);
  EXPECT_EQ(P.Findings[P.Groups[0].Members[0]].At.Offset, 5u);
}
