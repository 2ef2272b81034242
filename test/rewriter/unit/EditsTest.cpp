// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edits can be made together, and what comes of those that can.
#include "Edits.h"

#include "gtest/gtest.h"

using namespace cancel_tools;

static Edit insertion(unsigned Offset, std::string Text, bool Shared = false) {
  return {"/a", Offset, 0, std::move(Text), Shared};
}

static Edit replacement(unsigned Offset, unsigned Length, std::string Text = "x") {
  return {"/a", Offset, Length, std::move(Text), false};
}

static bool collideEitherWay(const Edit &A, const Edit &B) {
  EXPECT_EQ(collide(A, B), collide(B, A));
  return collide(A, B);
}

TEST(Edits, ReplacementsCollideWhereTheyShareAByte) {
  EXPECT_TRUE(collideEitherWay(replacement(2, 3), replacement(4, 3)));
  EXPECT_TRUE(collideEitherWay(replacement(2, 5), replacement(3, 1)));
  EXPECT_TRUE(collideEitherWay(replacement(2, 3), replacement(2, 3)));
  EXPECT_FALSE(collideEitherWay(replacement(2, 3), replacement(5, 3)));
}

TEST(Edits, AnInsertionCollidesOnlyWithinWhatIsReplaced) {
  EXPECT_TRUE(collideEitherWay(insertion(3, "i"), replacement(2, 3)));
  EXPECT_FALSE(collideEitherWay(insertion(2, "i"), replacement(2, 3)));
  EXPECT_FALSE(collideEitherWay(insertion(5, "i"), replacement(2, 3)));
}

TEST(Edits, InsertionsAtOnePlaceCollideIfTheyAreTheSameAndNotShared) {
  EXPECT_FALSE(collideEitherWay(insertion(3, "a"), insertion(3, "b")));
  EXPECT_TRUE(collideEitherWay(insertion(3, "a"), insertion(3, "a")));
  EXPECT_FALSE(collideEitherWay(insertion(3, "a", true), insertion(3, "a", true)));
  EXPECT_TRUE(collideEitherWay(insertion(3, "a", true), insertion(3, "a")));
}

TEST(Edits, NeverCollideAcrossFiles) {
  Edit Elsewhere = replacement(2, 3);
  Elsewhere.File = "/b";
  EXPECT_FALSE(collideEitherWay(replacement(2, 3), Elsewhere));
}

TEST(Edits, AreMadeInOrder) {
  EXPECT_EQ(edited("0123456789", {insertion(0, "<"), replacement(2, 3, ""), insertion(5, "a"),
                                  insertion(5, "b"), replacement(5, 1, "five"), insertion(10, ">")})
                .Text,
            "<01abfive6789>");
  EXPECT_EQ(edited("same", {}).Text, "same");
}

TEST(Edits, TellWhatTheyTouched) {
  using Ranges = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(
      edited("0123456789", {insertion(1, "ab"), replacement(2, 3, ""), replacement(7, 1)}).Touched,
      (Ranges{{1, 2}, {4, 0}, {6, 1}}));
}
