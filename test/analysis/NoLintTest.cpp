// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINT comments silence the lines that they silence for clang-tidy.
#include "NoLint.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

constexpr llvm::StringLiteral Name = "cancel-callback-across-suspend";

/// The lines of the text at which the check is silenced, one digit each.
std::string silenced(llvm::StringRef Text) {
  std::string Lines;
  for (unsigned Line = 1, Last = Text.count('\n') + 1; Line <= Last; ++Line)
    if (isSuppressed(Text, Line, Name))
      Lines += std::to_string(Line);
  return Lines;
}

TEST(NoLint, SilencesItsLine) {
  EXPECT_EQ(silenced("a\nb // NOLINT\nc\n"), "2");
  EXPECT_EQ(silenced("a /* NOLINT */\n"), "1");
  EXPECT_EQ(silenced("a\nb\n"), "");
}

TEST(NoLint, NextLineSilencesTheLineAfterIt) {
  EXPECT_EQ(silenced("// NOLINTNEXTLINE\na\nb\n"), "2");
  EXPECT_EQ(silenced("// NOLINTNEXTLINE\r\na\r\nb\r\n"), "2");
}

TEST(NoLint, BlocksSilenceWhatIsBetween) {
  EXPECT_EQ(silenced("// NOLINTBEGIN\na\nb\n// NOLINTEND\nc\n"), "23");
  EXPECT_EQ(silenced("// NOLINTBEGIN\na\n// NOLINTBEGIN\nb\n// NOLINTEND\nc\n// NOLINTEND\nd\n"),
            "23456");
}

TEST(NoLint, BlocksThatAreNotClosedSilenceNothing) {
  EXPECT_EQ(silenced("// NOLINTBEGIN\na\nb\n"), "");
  EXPECT_EQ(silenced("a\n// NOLINTEND\nb\n"), "");
  EXPECT_EQ(silenced("// NOLINTBEGIN(cancel-*)\na\n// NOLINTEND\n"), "");
}

TEST(NoLint, ListsNameChecksByGlob) {
  EXPECT_EQ(silenced("a // NOLINT(cancel-callback-across-suspend)\n"), "1");
  EXPECT_EQ(silenced("a // NOLINT(cancel-*)\n"), "1");
  EXPECT_EQ(silenced("a // NOLINT(misc-*, cancel-callback-across-suspend)\n"), "1");
  EXPECT_EQ(silenced("// NOLINTNEXTLINE(cancel-*)\na\n"), "2");
  EXPECT_EQ(silenced("// NOLINTBEGIN(cancel-*)\na\n// NOLINTEND(cancel-*)\n"), "2");
}

TEST(NoLint, ListsOfOtherChecksSilenceNothing) {
  EXPECT_EQ(silenced("a // NOLINT(misc-coroutine-hostile-raii)\n"), "");
  EXPECT_EQ(silenced("a // NOLINT()\n"), "");
  EXPECT_EQ(silenced("a // NOLINT(-cancel-*)\n"), "");
  EXPECT_EQ(silenced("a // NOLINT(cancel)\n"), "");
}

TEST(NoLint, OtherWordsAreNoMarkers) {
  EXPECT_EQ(silenced("a // NOLINTED\n"), "");
  EXPECT_EQ(silenced("a // nolint\n"), "");
  EXPECT_EQ(silenced("// NOLINTNEXTLINES\na\n"), "");
}

TEST(NoLint, AListThatTheLineDoesNotCloseIsNone) {
  EXPECT_EQ(silenced("a // NOLINT(misc-*\nb\n"), "1");
}

} // namespace
} // namespace cancel_tools
