// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits keep a file's line ends and indentation, and stay out of macros.
#include "SourceEdits.h"
#include "Program.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

using namespace clang;

ParseOptions withoutPrelude(std::string Path = "/src/program.cpp") {
  ParseOptions Parse;
  Parse.Path = std::move(Path);
  Parse.Prelude = false;
  return Parse;
}

/// The file after the include that a rewrite needs.
std::string included(llvm::StringRef Text, std::string Path = "/src/program.cpp") {
  ParseOptions Parse = withoutPrelude(std::move(Path));
  Parse.Flags = {"-xc++"};
  Parse.Files = {{"/runtime/cancel/cancel.hpp", ""}, {"/src/a.h", ""}, {"/src/program.h", ""}};
  const Program P(Text, Parse);
  const auto Added = SourceEdits(P.unit()).include(P.unit().sources().getMainFileID(),
                                                   "cancel/stop_slot.hpp", "cancel/cancel.hpp");
  return Added.Needed ? apply(Text, {*Added.Needed}) : Text.str();
}

/// The statement of `void f() { ... }`, with "#" inserted before and after it.
std::string marked(llvm::StringRef Statement, llvm::StringRef Macros = "") {
  const std::string Code = (Macros + "int n; void f() { " + Statement + " }").str();
  const Program P(Code, withoutPrelude());
  const FunctionDecl *F = nullptr;
  for (const Decl *D : P.unit().context().getTranslationUnitDecl()->decls())
    if (const auto *Function = dyn_cast<FunctionDecl>(D))
      F = Function;
  const Stmt &S = **cast<CompoundStmt>(F->getBody())->body_begin();
  const SourceEdits Source(P.unit());
  const auto Before = Source.insertBefore(S.getBeginLoc(), "#"), After = Source.insertAfter(S, "#");
  if (!Before || !After)
    return "none";
  return llvm::StringRef(apply(Code, {*Before, *After}))
      .drop_front((Macros + "int n; void f() { ").str().size())
      .drop_back(2)
      .str();
}

/// The qualified name that ends at the identifier `target`.
std::string qualified(llvm::StringRef Declaration) {
  const std::string Code =
      ("namespace a { namespace b { struct target {}; } } namespace c = a; " + Declaration).str();
  const Program P(Code, withoutPrelude());
  const SourceManager &Sources = P.unit().sources();
  const std::size_t End = llvm::StringRef(Code).rfind("target");
  const SourceLocation Name =
      Sources.getLocForStartOfFile(Sources.getMainFileID()).getLocWithOffset(End);
  const unsigned Begin = Sources.getFileOffset(SourceEdits(P.unit()).qualifiedNameBegin(Name));
  return Code.substr(Begin, End - Begin) + "target";
}

TEST(Include, JoinsTheAngledIncludes) {
  EXPECT_EQ(
      included("#include \"a.h\"\n\n#include <stop_token>\n\nint n;\n"),
      "#include \"a.h\"\n\n#include <cancel/stop_slot.hpp>\n#include <stop_token>\n\nint n;\n");
}

TEST(Include, IsNotRepeated) {
  for (llvm::StringRef Text :
       {"#include <cancel/stop_slot.hpp>\n", "#include <cancel/cancel.hpp>\n",
        "#  include <cancel/stop_slot.hpp>\n", "#include \"cancel/stop_slot.hpp\"\n",
        "#include \"cancel/cancel.hpp\"\n"})
    EXPECT_EQ(included(Text), Text);
}

TEST(Include, StandsInsideTheHeaderGuard) {
  EXPECT_EQ(included("// A comment.\n#ifndef A_H\n#define A_H\n\nint n;\n#endif\n", "/src/other.h"),
            "// A comment.\n#ifndef A_H\n#define A_H\n\n#include <cancel/stop_slot.hpp>\nint "
            "n;\n#endif\n");
  EXPECT_EQ(included("#pragma once\n\nint n;\n", "/src/other.h"),
            "#pragma once\n\n#include <cancel/stop_slot.hpp>\nint n;\n");
}

TEST(Include, StandsBelowTheLicenceOfAFileWithoutIncludes) {
  EXPECT_EQ(included("// A licence.\n\nint n;\n"),
            "// A licence.\n\n#include <cancel/stop_slot.hpp>\nint n;\n");
}

TEST(Include, StandsBehindAByteOrderMark) {
  const std::string Result = included("\xEF\xBB\xBFint n;\n");
  EXPECT_EQ(Result, "\xEF\xBB\xBF#include <cancel/stop_slot.hpp>\nint n;\n");
}

TEST(Include, EndsItsLineAsTheFileDoes) {
  EXPECT_EQ(included("#include <stop_token>\r\nint n;\r\n"),
            "#include <cancel/stop_slot.hpp>\r\n#include <stop_token>\r\nint n;\r\n");
}

TEST(InsertAfter, FollowsTheSemicolonOrTheBrace) {
  for (llvm::StringRef Statement :
       {"while (n) { --n; }", "while (n) --n;", "do { --n; } while (n);", "do --n; while (n);",
        "for (;;) if (n) --n; else { ++n; }", "for (;;) if (n) { --n; } else ++n;",
        "while (n) for (;;) ;", "while (n) do --n; while (n);", "[[likely]] while (n) { --n; }",
        "while (n) try { --n; } catch (...) { ++n; }", "while (n) switch (n) { case 1: --n; }",
        "while (n) switch (n) case 1: --n;", "while (n) label: --n;",
        "for (;;) [] { return n; }();", "while (n) { --n; } /* here */",
        "while (n) --n /* here */ ;"}) {
    const std::string Code = Statement.rsplit(" /* here */").first.str();
    const bool CommentInside = Statement.ends_with("here */ ;");
    const std::string Whole = CommentInside ? Statement.str() : Code;
    EXPECT_EQ(marked(Statement), "#" + Whole + "#" + Statement.drop_front(Whole.size()).str());
  }
}

TEST(InsertAfter, FollowsABlockBelowALabel) {
  EXPECT_EQ(marked("while (n) label: { --n; }"), "#while (n) label: { --n; }#");
}

TEST(Edits, AreNoneWhereAMacroMadeTheText) {
  EXPECT_EQ(marked("FOREVER { --n; }", "#define FOREVER for (;;)\n"), "none");
  EXPECT_EQ(marked("while (n) { --n; END", "#define END }\n"), "none");
  EXPECT_EQ(marked("while (n) --n SEMICOLON", "#define SEMICOLON ;\n"), "none");
  EXPECT_EQ(marked("SAME(while (n) { --n; })", "#define SAME(...) __VA_ARGS__\n"), "none");
}

TEST(QualifiedName, BeginsAtItsFirstNameOrColons) {
  EXPECT_EQ(qualified("a::b::target x;"), "a::b::target");
  EXPECT_EQ(qualified("::a::b::target x;"), "::a::b::target");
  EXPECT_EQ(qualified("c::b::target x;"), "c::b::target");
  EXPECT_EQ(qualified("using namespace a::b; target x;"), "target");
  EXPECT_EQ(qualified("a :: b /* here */ :: target x;"), "a :: b /* here */ :: target");
}

TEST(QualifiedName, DoesNotSwallowAKeyword) {
  EXPECT_EQ(qualified("const ::a::b::target x;"), "::a::b::target");
  EXPECT_EQ(qualified("auto *x = new ::a::b::target;"), "::a::b::target");
  EXPECT_EQ(qualified("auto f() { return ::a::b::target(); }"), "::a::b::target");
  EXPECT_EQ(qualified("static ::a::b::target x;"), "::a::b::target");
  EXPECT_EQ(qualified("typename ::a::b::target x;"), "::a::b::target");
}

TEST(Lines, AreIndentedAndEndedAsTheyAre) {
  const Program P("\t int n;\r\n  int m; int k;\r\n", withoutPrelude());
  const SourceManager &Sources = P.unit().sources();
  const SourceLocation Start = Sources.getLocForStartOfFile(Sources.getMainFileID());
  const SourceEdits Source(P.unit());
  EXPECT_EQ(Source.indentation(Start.getLocWithOffset(5)), "\t ");
  EXPECT_EQ(Source.indentation(Start.getLocWithOffset(20)), "  ");
  EXPECT_TRUE(Source.startsLine(Start.getLocWithOffset(2)));
  EXPECT_FALSE(Source.startsLine(Start.getLocWithOffset(19)));
  EXPECT_EQ(Source.lineEnd(Start), "\r\n");
}

TEST(Mentions, AreTokensAndNotPartsOfThem) {
  const Program P("int slot2; // slot\nconst char *text = \"slot\"; const char *raw = R\"(slot)\"; "
                  "int other;\n",
                  withoutPrelude());
  const SourceManager &Sources = P.unit().sources();
  const SourceRange All(Sources.getLocForStartOfFile(Sources.getMainFileID()),
                        Sources.getLocForEndOfFile(Sources.getMainFileID()));
  const SourceEdits Source(P.unit());
  EXPECT_FALSE(Source.mentions(All, "slot"));
  EXPECT_TRUE(Source.mentions(All, "slot2"));
  EXPECT_TRUE(Source.mentions(All, "other"));
}

} // namespace
} // namespace cancel_tools
