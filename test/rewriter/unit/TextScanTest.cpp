// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a look at a text finds in it: never too little.
#include "TextScan.h"

#include "gtest/gtest.h"

using namespace cancel_tools;
using llvm::StringRef;

namespace {

const WordPieces &sought() {
  static const WordPieces Pieces({"co_await", "until"});
  return Pieces;
}

bool mentions(StringRef Text, StringRef Word = "co_await") {
  return sought().canMake(Word, scanText(Text, sought()).Pieces);
}

// "<a> 'b'": angled and quoted names in their order, or the obstacle.
std::string includes(StringRef Text) {
  const TextScan Scan = scanText(Text, sought());
  std::string Result = Scan.Obstacle;
  for (const IncludeName &I : Scan.Includes)
    Result += (Result.empty() ? "" : " ") + (I.Quoted ? "'" + I.Name + "'" : "<" + I.Name + ">");
  return Result;
}

} // namespace

TEST(TextScan, FindsAWordAsAWholeIdentifier) {
  EXPECT_TRUE(mentions("co_await x;"));
  EXPECT_TRUE(mentions("x=co_await(y)"));
  EXPECT_TRUE(mentions("co_await"));
  EXPECT_FALSE(mentions("my_co_await co_awaits"));
  EXPECT_FALSE(mentions(""));
}

TEST(TextScan, CommentsThatBeginLinesDoNotCount) {
  EXPECT_FALSE(mentions("// co_await\n \t/// co_await"));
  EXPECT_FALSE(mentions("/* a\n * co_await\n */ // co_await"));
  EXPECT_TRUE(mentions("// a\nco_await"));
  EXPECT_TRUE(mentions("/* a */ co_await /* b */"));
  EXPECT_FALSE(mentions("// \"co_await\" (\"x\")"));
  EXPECT_FALSE(mentions("// a \\\n co_await"));
  EXPECT_EQ(includes("/* #include <a>\n#include <b> */\n// #include <c>\r#include <d>"), "<d>");
}

TEST(TextScan, WhatOnlyLooksLikeACommentCounts) {
  EXPECT_TRUE(mentions("x; /*\n// */ co_await\n"));
  EXPECT_TRUE(mentions("R\"(\n/* )\"; co_await x; /* */"));
  EXPECT_TRUE(mentions("R\"(\n// )\"\n;co_await x;"));
  EXPECT_TRUE(mentions("R\"(\n// )\"; co_await x;"));
  EXPECT_TRUE(mentions("R\"x-y(\n// )x-y\"; co_await x;"));
  EXPECT_TRUE(mentions("R\"(\n/* )\" */ + co_await"));
  EXPECT_TRUE(mentions("/*/ co_await"));
}

TEST(TextScan, AMacrosParametersAreNoPieces) {
  EXPECT_FALSE(mentions("co wait\n# define F(x, _a, ...) _a + x"));
  EXPECT_TRUE(mentions("co wait\n#define F(x) _a + x"));
  EXPECT_TRUE(mentions("co wait _a\n#define F(_a) _a"));
  EXPECT_TRUE(mentions("co wait\n#define F (_a) _a")) << "no parameters";
  EXPECT_TRUE(mentions("co wait R\"(\n#define F(_a) )\"; _a"));
  EXPECT_TRUE(mentions("co wait /*\n#define F(_a) */ _a"));
  EXPECT_TRUE(mentions("co wait\n#define F(_a) \\\n _a\n_a"));
}

TEST(TextScan, AQuotedUnderscoreIsNoPiece) {
  EXPECT_FALSE(mentions("co '_' await"));
  EXPECT_TRUE(mentions("co _ await"));
  EXPECT_TRUE(mentions("'x'co_await")) << "no suffix: it would begin with an underscore";
}

TEST(TextScan, CountsStringsAndSkippedGroups) {
  EXPECT_TRUE(mentions("x; // co_await"));
  EXPECT_TRUE(mentions("\"co_await\""));
  EXPECT_TRUE(mentions("#if 0\nco_await\n#endif"));
}

TEST(TextScan, JoinsLines) {
  EXPECT_TRUE(mentions("co_aw\\\nait"));
  EXPECT_TRUE(mentions("co_aw\\\r\nait"));
  EXPECT_TRUE(mentions("co_aw\\\n\rait"));
  EXPECT_TRUE(mentions("co_aw\\\rait"));
  EXPECT_TRUE(mentions("co_aw\\ \t\nait")) << "blanks behind the backslash";
  EXPECT_TRUE(mentions("co\\\n\\\n_aw\\\nait"));
  EXPECT_FALSE(mentions("co_aw\\nait"));
}

TEST(TextScan, WhatIsNotAsciiEndsAnIdentifier) {
  EXPECT_TRUE(mentions("\xc2\xa0"
                       "co_await\xe2\x80\x8b"));
  EXPECT_TRUE(mentions("\\u00a0co_await"));
  EXPECT_TRUE(mentions("\\U000000a0co_await"));
  EXPECT_TRUE(mentions("\\u{a0}co_await"));
  EXPECT_TRUE(mentions("\\N{NO-BREAK SPACE}co_await"));
  EXPECT_TRUE(mentions("$co_await"));
  EXPECT_TRUE(mentions(StringRef("a\0co_await", 10)));
  EXPECT_TRUE(mentions("\\until", "until")) << "no escape";
}

TEST(TextScan, PiecesMakeUpAWordWhereverTheyStand) {
  EXPECT_TRUE(mentions("#define AWAIT(x) co_ ## x\nAWAIT(await)"));
  EXPECT_TRUE(mentions("await co_"));
  EXPECT_TRUE(mentions("ait co _aw")) << "pasted twice";
  EXPECT_FALSE(mentions("co await"));
  EXPECT_FALSE(mentions("co_ wait"));
}

TEST(TextScan, FindsEveryFormOfInclude) {
  EXPECT_EQ(includes("#include <a>\n#include \"b.h\"\n"), "<a> 'b.h'");
  EXPECT_EQ(includes("  #  include\t<a>\r\n#include_next <b>\r#import \"c\""), "<a> <b> 'c'");
  EXPECT_EQ(includes("%:include <a>"), "<a>");
  EXPECT_EQ(includes("#__include_macros \"a\""), "'a'");
  EXPECT_EQ(includes("#include<a>// x"), "<a>");
  EXPECT_EQ(includes("#if 0\n#include <a>\n#endif"), "<a>");
  EXPECT_EQ(includes("#include <gr\xc3\xbc\xc3\x9f"
                     "e.h>"),
            "<gr\xc3\xbc\xc3\x9f"
            "e.h>");
  EXPECT_EQ(includes("#include <a>\n#include <a>\n#include \"a\""), "<a> 'a'");
}

TEST(TextScan, FindsIncludesBetweenCommentsAndOddBlanks) {
  EXPECT_EQ(includes("x /* y\n*/ #include <a>"), "<a>");
  EXPECT_EQ(includes("/* x */ # /* y */ include /* z */ <a>"), "<a>");
  EXPECT_EQ(includes("/* x\n */ #include <a>"), "<a>");
  EXPECT_EQ(includes("# /* x\n */ include <a>"), "<a>");
  EXPECT_EQ(includes("#inc\\\nlude \\\n <a\\\nb>"), "<ab>");
  EXPECT_EQ(includes("\xef\xbb\xbf#include <a>"), "<a>") << "a byte order mark";
  EXPECT_EQ(includes("\xc2\xa0#\xc2\xa0include\xc2\xa0<a>"), "<a>") << "no-break spaces";
  EXPECT_EQ(includes("\\u00a0#include <a>"), "<a>");
  EXPECT_EQ(includes("\f\v#include <a>"), "<a>");
}

TEST(TextScan, OtherLinesIncludeNothing) {
  EXPECT_EQ(includes("// #include <a>\n"), "");
  EXPECT_EQ(includes(" * #include a header here\n"), "");
  EXPECT_EQ(includes("   #include's protect themselves\n"), "") << "of glibc's limits.h";
  EXPECT_EQ(includes("#includes <a>\n#define include <a>\n#error include <a>\nx #include <a>"), "");
  EXPECT_EQ(includes("#include\n<a>"), "");
  EXPECT_EQ(includes("#include <>"), "");
}

TEST(TextScan, WhatItDoesNotUnderstandIsAnObstacle) {
  const char Computed[] = "includes a file whose name a macro makes";
  EXPECT_EQ(includes("#include HEADER"), Computed);
  EXPECT_EQ(includes("#if 0\n#include_next X(a)\n#endif"), Computed);
  EXPECT_EQ(includes("#include \xc3\xbc\n"), Computed);
  EXPECT_EQ(includes("#include \\u00fc\n"), Computed);
  EXPECT_EQ(includes("#include $x\n"), Computed);
  const char Odd[] = "includes a file under a name that only Clang can read";
  EXPECT_EQ(includes("#include <a GT\n"), Odd) << "GT may be a macro";
  EXPECT_EQ(includes("#include \"a\\\"b\""), Odd);
  EXPECT_EQ(includes("#include \"a\\u00fc\""), Odd);
  EXPECT_EQ(includes("#embed <a>"), "embeds a file");
  for (const char *Import : {"import a;", "export import :b;", "/* x */ import <c>;", "module d;"})
    EXPECT_EQ(includes(Import), "imports a module") << Import;
  for (const char *Other : {"module;", "import = 1;", "imports a;", "// import a;", "import a way"})
    EXPECT_EQ(includes(Other), "") << Other;
  EXPECT_EQ(includes("?"
                     "?=include <a>"),
            "has trigraphs");
  EXPECT_EQ(includes("co_aw?"
                     "?/\nait"),
            "has trigraphs");
}
