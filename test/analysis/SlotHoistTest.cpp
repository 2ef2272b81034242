// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole rewrites: each result compiles and is not rewritten again; each refusal has its reason.
#include "Program.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

/// The rewritten program without the include line.
std::string body(llvm::StringRef Code) {
  const std::string Result = rewritten(Code);
  llvm::StringRef Rest = Result;
  EXPECT_TRUE(Rest.consume_front("#include <cancel/stop_slot.hpp>\n")) << Result;
  return Rest.str();
}

TEST(Rewrite, PutsTheSlotBeforeTheOutermostLoopThatKeepsTheToken) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  for (;;)\n"
                 "    while (coin()) {\n"
                 "      std::stop_callback on_stop(st, [] {});\n"
                 "      co_await tick();\n"
                 "    }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  for (;;)\n"
            "    while (coin()) {\n"
            "      cancel::stop_guard on_stop(cancel_slot, [] {});\n"
            "      co_await tick();\n"
            "    }\n"
            "}\n");
  EXPECT_EQ(body("task f(std::vector<std::stop_token> v) {\n"
                 "  for (const std::stop_token &st : v) {\n"
                 "    while (coin()) {\n"
                 "      std::stop_callback on_stop(st, [] {});\n"
                 "      co_await tick();\n"
                 "    }\n"
                 "  }\n"
                 "}\n"),
            "task f(std::vector<std::stop_token> v) {\n"
            "  for (const std::stop_token &st : v) {\n"
            "    cancel::stop_slot cancel_slot(st);\n"
            "    while (coin()) {\n"
            "      cancel::stop_guard on_stop(cancel_slot, [] {});\n"
            "      co_await tick();\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(Rewrite, PutsTheSlotBeforeAHolderThatOutlivesTheTurns) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  std::optional<std::stop_callback<callback>> on_stop;\n"
                 "  while (coin()) {\n"
                 "    on_stop.emplace(st, callback{});\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  std::optional<cancel::stop_guard<callback>> on_stop;\n"
            "  while (coin()) {\n"
            "    on_stop.emplace(cancel_slot, callback{});\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
}

TEST(Rewrite, LeavesTheOperandsOfTheRegistrationWhereTheyAre) {
  EXPECT_EQ(body("callback made(int);\n"
                 "task f(std::stop_token st) {\n"
                 "  while (coin()) { std::stop_callback cb((st), made(co_await receive())); "
                 "co_await tick(); }\n"
                 "}\n"),
            "callback made(int);\n"
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  while (coin()) { cancel::stop_guard cb((cancel_slot), made(co_await receive())); "
            "co_await tick(); }\n"
            "}\n");
}

TEST(Rewrite, GivesEachTokenASlotOfItsOwn) {
  EXPECT_EQ(body("task f(std::stop_token a, std::stop_token b) {\n"
                 "  while (coin()) {\n"
                 "    std::stop_callback x(a, callback{});\n"
                 "    std::stop_callback y(b, callback{});\n"
                 "    std::stop_callback z(a, callback{});\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token a, std::stop_token b) {\n"
            "  cancel::stop_slot cancel_slot(a);\n"
            "  cancel::stop_slot cancel_slot2(b);\n"
            "  while (coin()) {\n"
            "    cancel::stop_guard x(cancel_slot, callback{});\n"
            "    cancel::stop_guard y(cancel_slot2, callback{});\n"
            "    cancel::stop_guard z(cancel_slot, callback{});\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
}

TEST(Rewrite, ReachesHoldersInConditionsAndInitStatements) {
  EXPECT_EQ(
      body("task f(std::stop_token st) {\n"
           "  while (auto cb = std::make_unique<std::stop_callback<callback>>(st, callback{}))\n"
           "    co_await tick();\n"
           "}\n"),
      "task f(std::stop_token st) {\n"
      "  cancel::stop_slot cancel_slot(st);\n"
      "  while (auto cb = std::make_unique<cancel::stop_guard<callback>>(cancel_slot, "
      "callback{}))\n"
      "    co_await tick();\n"
      "}\n");
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  while (coin())\n"
                 "    if (std::stop_callback cb(st, callback{}); coin())\n"
                 "      co_await tick();\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  while (coin())\n"
            "    if (cancel::stop_guard cb(cancel_slot, callback{}); coin())\n"
            "      co_await tick();\n"
            "}\n");
}

TEST(Rewrite, AddsBracesWhereADeclarationCannotStand) {
  EXPECT_EQ(
      body("task f(std::stop_token st) {\n"
           "  if (coin()) co_await tick(); else while (coin()) { std::stop_callback cb(st, "
           "callback{}); co_await "
           "tick(); }\n"
           "}\n"),
      "task f(std::stop_token st) {\n"
      "  if (coin()) co_await tick(); else { cancel::stop_slot cancel_slot(st); while (coin()) { "
      "cancel::stop_guard cb(cancel_slot, callback{}); co_await tick(); } }\n"
      "}\n");
  EXPECT_EQ(body("task f(std::stop_token st, int n) {\n"
                 "  switch (n) {\n"
                 "  case 1:\n"
                 "    do {\n"
                 "      std::stop_callback cb(st, callback{});\n"
                 "      co_await tick();\n"
                 "    } while (coin());\n"
                 "    break;\n"
                 "  default:;\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st, int n) {\n"
            "  switch (n) {\n"
            "  case 1:\n"
            "    {\n"
            "    cancel::stop_slot cancel_slot(st);\n"
            "    do {\n"
            "      cancel::stop_guard cb(cancel_slot, callback{});\n"
            "      co_await tick();\n"
            "    } while (coin());\n"
            "    }\n"
            "    break;\n"
            "  default:;\n"
            "  }\n"
            "}\n");
}

TEST(Rewrite, LetsGotoPassOutsideTheBraces) {
  const std::string Result = body("task f(std::stop_token st) {\n"
                                  "  if (coin()) goto out;\n"
                                  "again:\n"
                                  "  while (coin()) {\n"
                                  "    std::stop_callback cb(st, callback{});\n"
                                  "    co_await tick();\n"
                                  "    if (coin()) goto again;\n"
                                  "  }\n"
                                  "out:\n"
                                  "  co_return;\n"
                                  "}\n");
  EXPECT_NE(Result.find("again:\n  {\n  cancel::stop_slot cancel_slot(st);\n"), std::string::npos)
      << Result;
}

TEST(Rewrite, AvoidsNamesThatTheFunctionMentions) {
  const std::string Result = body("task f(std::stop_token cancel_slot) {\n"
                                  "  int cancel_slot2 = 0;\n"
                                  "  while (++cancel_slot2) { std::stop_callback cb(cancel_slot, "
                                  "callback{}); co_await tick(); }\n"
                                  "}\n");
  EXPECT_NE(Result.find("cancel::stop_slot cancel_slot3(cancel_slot);"), std::string::npos)
      << Result;
}

TEST(Rewrite, QualifiesFromTheGlobalNamespaceWhereAnotherCancelIsNearer) {
  for (llvm::StringRef Code :
       {"namespace net::cancel { task f(std::stop_token st) { LOOP } }",
        "namespace net { namespace cancel {} task f(std::stop_token st) { LOOP } }",
        "namespace net { namespace cancel {} } using namespace net; task f(std::stop_token st) { "
        "LOOP }",
        "struct base { struct cancel {}; }; struct s : base { task f(std::stop_token st) { LOOP } "
        "};",
        "task f(std::stop_token st) { struct cancel {}; LOOP }"}) {
    const auto [Before, After] = Code.split("LOOP");
    const std::string Result = body(
        (Before + "for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }" + After)
            .str());
    EXPECT_NE(Result.find(" ::cancel::stop_slot"), std::string::npos) << Result;
    EXPECT_NE(Result.find(" ::cancel::stop_guard"), std::string::npos) << Result;
  }
}

TEST(Rewrite, IsNotDisturbedByFunctionsCalledCancelOrNamespacesThatTheRuntimeExtends) {
  for (llvm::StringRef Code :
       {"struct s { void cancel(); task f(std::stop_token st) { LOOP } };",
        "namespace cancel { struct mine {}; } task f(std::stop_token st) { LOOP }"}) {
    const auto [Before, After] = Code.split("LOOP");
    const std::string Result = body(
        (Before + "for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }" + After)
            .str());
    EXPECT_NE(Result.find(" cancel::stop_slot"), std::string::npos) << Result;
  }
}

TEST(Rewrite, WorksInLambdasAndTemplates) {
  for (llvm::StringRef Code :
       {"template <class T> task f(std::stop_token st, T) { LOOP } void g(std::stop_token st) { "
        "f(st, 1); f(st, 'c'); }",
        "template <class T> struct s { template <class U> task f(std::stop_token st) { LOOP } };"
        "void g(std::stop_token st) { s<int>().f<char>(st); }",
        "void g(std::stop_token st) { auto l = [](auto st) -> task { LOOP }; l(st); }",
        "void g(std::stop_token st) { auto l = [st]() -> task { LOOP }; l(); }",
        "void g(std::stop_token st) { auto l = [st] { return [st]() -> task { LOOP }; }; l()(); "
        "}"}) {
    const auto [Before, After] = Code.split("LOOP");
    const std::string Result = body(
        (Before + "for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }" + After)
            .str());
    EXPECT_NE(
        Result.find(
            "{ cancel::stop_slot cancel_slot(st); for (;;) { cancel::stop_guard cb(cancel_slot, "),
        std::string::npos)
        << Result;
  }
}

TEST(Rewrite, IsRightForAnInstantiationWhoseLoopDoesNotTurn) {
  for (llvm::StringRef Uses : {"f<true>(st); f<false>(st);", "f<false>(st); f<true>(st);"})
    EXPECT_NE(
        body(("template <bool Turns> task f(std::stop_token st) {\n"
              "  do { std::stop_callback cb(st, callback{}); co_await tick(); } while (Turns);\n"
              "}\nvoid g(std::stop_token st) { " +
              Uses + " }\n")
                 .str())
            .find("cancel::stop_slot cancel_slot(st);\n  do {"),
        std::string::npos);
}

TEST(Rewrite, KeepsSpecifiersAttributesAndPragmas) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  [[likely]] while (coin()) {\n"
                 "    [[maybe_unused]] const ::std::stop_callback cb{st, callback{}};\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  [[likely]] while (coin()) {\n"
            "    [[maybe_unused]] const cancel::stop_guard cb{cancel_slot, callback{}};\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "#pragma GCC unroll 4\n"
                 "  for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "cancel::stop_slot cancel_slot(st);\n"
            "#pragma GCC unroll 4\n"
            "  for (;;) { cancel::stop_guard cb(cancel_slot, callback{}); co_await tick(); }\n"
            "}\n");
}

TEST(Rewrite, CountsBytesWhateverTheTextHolds) {
  EXPECT_EQ(body("#line 1000 \"other.y\"\n"
                 "task f(std::stop_token стоп) <%\n"
                 "  const char *raw = R\"(while (x) { \"})\";\n"
                 "  while (coin()) <% std::stop_callback при_стопе(стоп, callback{}); co_await "
                 "tick(); %>\n"
                 "%>\n"),
            "#line 1000 \"other.y\"\n"
            "task f(std::stop_token стоп) <%\n"
            "  const char *raw = R\"(while (x) { \"})\";\n"
            "  cancel::stop_slot cancel_slot(стоп);\n"
            "  while (coin()) <% cancel::stop_guard при_стопе(cancel_slot, callback{}); co_await "
            "tick(); %>\n"
            "%>\n");
}

TEST(Rewrite, KeepsLineEndsAndTabs) {
  const std::string Result = rewritten("task f(std::stop_token st) {\r\n"
                                       "\twhile (coin()) {\r\n"
                                       "\t\tstd::stop_callback cb(st, callback{});\r\n"
                                       "\t\tco_await tick();\r\n"
                                       "\t}\r\n"
                                       "}\r\n");
  EXPECT_NE(Result.find("{\r\n\tcancel::stop_slot cancel_slot(st);\r\n\twhile"), std::string::npos)
      << Result;
  EXPECT_EQ(llvm::StringRef(Result).count('\n'), llvm::StringRef(Result).count("\r\n"));
}

TEST(Rewrite, LetsAFunctionTryBlockBe) {
  EXPECT_NE(body("task f(std::stop_token st) try {\n"
                 "  for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }\n"
                 "} catch (...) {}\n")
                .find("try {\n  cancel::stop_slot cancel_slot(st);\n  for"),
            std::string::npos);
}

/// The refusals in the body of a coroutine with a token `st`.
std::string refusal(llvm::StringRef Body, llvm::StringRef Before = "") {
  return refusals((Before + "task f(std::stop_token st, int n) {" + Body + "}").str());
}

TEST(Refusal, IsForAHolderThatIsUsedOtherwise) {
  EXPECT_EQ(
      refusal(
          "for (;;) { std::stop_callback cb(st, callback{}); auto *p = &cb; co_await tick(); }"),
      "'cb' is used in another way at line 1");
  EXPECT_EQ(
      refusal("for (;;) { auto cb = std::make_unique<registered>(st, callback{}); co_await tick();"
              "auto l = [c = std::move(cb)] {}; }"),
      "'cb' is used in another way at line 1");
}

TEST(Refusal, IsForATypeThatSeveralVariablesShare) {
  EXPECT_EQ(refusal("for (;;) { std::stop_callback<callback> a(st, callback{}), *b = nullptr; "
                    "co_await tick(); }"),
            "it is declared together with other variables, whose type would change too");
}

TEST(Refusal, IsForATypeSpelledElsewhere) {
  EXPECT_EQ(refusal("for (;;) { auto cb = make(st); co_await tick(); }",
                    "registered make(std::stop_token);"),
            "the token it is registered with cannot be seen here");
  EXPECT_EQ(refusal("for (;;) { holder cb; cb.emplace(st, callback{}); co_await tick(); }",
                    "using holder = std::optional<registered>;"),
            "its type is spelled through the alias 'holder', which other code may use");
  EXPECT_EQ(refusals("template <class C> task f(std::stop_token st) { for (;;) { C cb(st, "
                     "callback{}); co_await tick(); } }"
                     "void g(std::stop_token st) { f<registered>(st); }"),
            "its type is a template parameter, which may be another type elsewhere");
}

TEST(Refusal, IsForWhatAClassContains) {
  EXPECT_EQ(refusal("for (;;) { part cb{registered(st, callback{})}; co_await tick(); }",
                    "struct part { registered cb; };"),
            "the callback is part of 'part', whose definition other code may share");
  EXPECT_EQ(refusal("for (;;) { part p; p.cb.emplace(st, callback{}); co_await tick(); }",
                    "struct part { std::optional<registered> cb; };"),
            "the callback is a data member, whose class other code may share");
}

TEST(Refusal, IsForEachPlaceThatAMacroMade) {
  constexpr llvm::StringLiteral Macros =
      "#define TYPE std::stop_callback<callback>\n#define NAME stop_callback\n"
      "#define TOKEN st\n#define FOREVER for (;;)\n#define SAME(...) __VA_ARGS__\n"
      "#define REGISTER std::stop_callback cb(st, callback{})\n#define END }\n";
  constexpr llvm::StringLiteral Registration = "the registration is made by a macro";
  EXPECT_EQ(refusal("for (;;) { TYPE cb(st, callback{}); co_await tick(); }", Macros),
            Registration);
  EXPECT_EQ(refusal("for (;;) { std::NAME cb(st, callback{}); co_await tick(); }", Macros),
            Registration);
  EXPECT_EQ(
      refusal("for (;;) { std::stop_callback cb(TOKEN, callback{}); co_await tick(); }", Macros),
      Registration);
  EXPECT_EQ(
      refusal("for (;;) { auto t = TOKEN; std::stop_callback cb(t, callback{}); co_await tick(); }",
              Macros),
      Registration);
  EXPECT_EQ(refusal("for (;;) { REGISTER; co_await tick(); }", Macros), Registration);
  EXPECT_EQ(
      refusal("SAME(for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); })", Macros),
      Registration);
  EXPECT_EQ(refusal("FOREVER { std::stop_callback cb(st, callback{}); co_await tick(); }", Macros),
            "the loop is made by a macro");
  EXPECT_EQ(refusal("if (n) for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); END",
                    Macros),
            "the end of the loop is made by a macro");
}

TEST(Refusal, IsForALoopThatIsEnteredInTheMiddle) {
  constexpr llvm::StringLiteral Reason =
      "a goto or a case label leads into the loop, past its beginning";
  EXPECT_EQ(refusal("if (n) goto in; while (coin()) { { std::stop_callback cb(st, callback{}); "
                    "co_await tick(); } in:; }"),
            Reason);
  EXPECT_EQ(refusal("switch (n) { case 0: while (coin()) { { std::stop_callback cb(st, "
                    "callback{}); co_await tick(); }"
                    " case 1:; } }"),
            Reason);
}

TEST(Refusal, IsForALoopMadeByGoto) {
  EXPECT_EQ(refusal("again: { std::stop_callback cb(st, callback{}); co_await tick(); } if "
                    "(coin()) goto again;"),
            "the loop is made by goto, so there is no place before it");
}

TEST(Refusal, IsForOneHolderOfTwoTokens) {
  EXPECT_EQ(refusal("std::stop_token other; for (;;) { std::optional<registered> cb; "
                    "cb.emplace(st, callback{});"
                    "co_await tick(); cb.emplace(other, callback{}); co_await tick(); }"),
            "it is registered with different tokens; it is registered with different tokens");
}

TEST(Refusal, IsForAGlobalCancelThatIsNoNamespace) {
  EXPECT_EQ(refusal("for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }",
                    "void cancel(int);"),
            "the program declares a global 'cancel' of its own, so the runtime's namespace cannot "
            "be used");
}

TEST(Refusal, IsForACallbackThatBlocks) {
  EXPECT_EQ(
      refusal("for (;;) { std::stop_callback cb(st, [&] { worker.join(); }); co_await tick(); }",
              "namespace std { struct thread { void join(); }; } extern std::thread worker;"),
      "its callback calls 'std::thread::join', which blocks: the slot would wait for it where the "
      "std::stop_callback does not");
}

TEST(Refusal, IsForALoopThatOneConfigurationBeginsAnotherWay) {
  const char *Reason = "a preprocessor condition stands between the loop and the registration, so "
                       "that another configuration would see only one of them";
  EXPECT_EQ(refusal("\n#ifdef OTHER\nwhile (true) {\n#else\nwhile (coin()) {\n#endif\n"
                    "std::stop_callback cb(st, callback{}); co_await tick(); }"),
            Reason);
  EXPECT_EQ(refusal("while (coin()) {\n#ifndef OTHER\n"
                    "std::stop_callback cb(st, callback{});\n#endif\nco_await tick(); }"),
            Reason);
}

TEST(Rewrite, PassesOverAConditionThatBeginsAndEndsInBetween) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  while (coin()) {\n"
                 "#ifdef OTHER\n"
                 "    coin();\n"
                 "#else\n"
                 "#endif\n"
                 "    std::stop_callback cb(st, callback{});\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  while (coin()) {\n"
            "#ifdef OTHER\n"
            "    coin();\n"
            "#else\n"
            "#endif\n"
            "    cancel::stop_guard cb(cancel_slot, callback{});\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
}

TEST(Refusal, IsForACallbackThatBlocksInAFunctionItCalls) {
  EXPECT_EQ(
      refusal("for (;;) { std::stop_callback cb(st, [] { finish(); }); co_await tick(); }",
              "namespace std { struct thread { void join(); }; } extern std::thread worker;"
              "inline void finish() { worker.join(); }"),
      "its callback calls 'std::thread::join', which blocks: the slot would wait for it where the "
      "std::stop_callback does not");
  // What it only hands on runs elsewhere.
  EXPECT_EQ(refusal("for (;;) { std::stop_callback cb(st, [] { post([] { worker.join(); }); });"
                    "co_await tick(); }",
                    "namespace std { struct thread { void join(); }; } extern std::thread worker;"
                    "template <class F> void post(F) {}"),
            "none");
}

TEST(Refusal, IsForAStaticTokenWhichKeepsItsFirstValue) {
  EXPECT_EQ(refusal("for (;;) { static const std::stop_token first = st;"
                    "std::stop_callback cb(first, callback{}); co_await tick(); }"),
            "'first' is declared in the loop; declare it before");
}

TEST(Refusal, IsForAReferenceThatNothingWouldUseAnyMore) {
  EXPECT_EQ(refusal("for (;;) { const auto &same = st;"
                    "std::stop_callback cb(same, callback{}); co_await tick(); }"),
            "'same' is declared in the loop; declare it before");
}

TEST(Refusal, IsForAHolderDeclaredAnewOnEachTurnOfAnotherToken) {
  EXPECT_EQ(refusal("std::stop_token other; for (;;) { st = other; std::optional<registered> cb;"
                    "cb.emplace(st, callback{}); co_await tick(); }"),
            "'st' changes in the loop, at line 1");
}

TEST(Rewrite, SharesOneSlotAmongHoldersBeforeALoop) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  std::optional<std::stop_callback<callback>> a;\n"
                 "  std::optional<std::stop_callback<callback>> b;\n"
                 "  while (coin()) {\n"
                 "    a.emplace(st, callback{});\n"
                 "    b.emplace(st, callback{});\n"
                 "    std::stop_callback c(st, callback{});\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  std::optional<cancel::stop_guard<callback>> a;\n"
            "  std::optional<cancel::stop_guard<callback>> b;\n"
            "  while (coin()) {\n"
            "    a.emplace(cancel_slot, callback{});\n"
            "    b.emplace(cancel_slot, callback{});\n"
            "    cancel::stop_guard c(cancel_slot, callback{});\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
}

TEST(Rewrite, LeavesACommentWithTheLoopBelowIt) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  int n = 0;\n"
                 "  // Reads until the end.\n"
                 "  // NOLINTNEXTLINE(other-check)\n"
                 "  while (coin()) {\n"
                 "    std::stop_callback cb(st, callback{});\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "  (void)n;\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  int n = 0;\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  // Reads until the end.\n"
            "  // NOLINTNEXTLINE(other-check)\n"
            "  while (coin()) {\n"
            "    cancel::stop_guard cb(cancel_slot, callback{});\n"
            "    co_await tick();\n"
            "  }\n"
            "  (void)n;\n"
            "}\n");
}

TEST(Handlers, MakeARetryLoopTurn) {
  EXPECT_EQ(refusal("for (;;) try { std::stop_callback cb(st, callback{}); co_await tick();"
                    "co_return; } catch (...) {}"),
            "none");
  EXPECT_EQ(refusal("for (;;) { std::stop_callback cb(st, callback{});"
                    "try { co_await tick(); break; } catch (int) {} }"),
            "none");
}

TEST(Handlers, HaveNothingOfWhatTheTryBlockDeclared) {
  EXPECT_EQ(refusal("for (;;) { try { std::stop_callback cb(st, callback{}); coin(); }"
                    "catch (...) {} co_await tick(); }"),
            "");
}

TEST(Quiet, IsAHolderThatIsFilledOnlyWhenEmptyAndNeverEmptied) {
  EXPECT_EQ(refusal("std::optional<registered> cb; for (;;) {"
                    "if (!cb) cb.emplace(st, callback{}); co_await tick(); }"),
            "");
  EXPECT_EQ(refusal("std::optional<registered> cb; for (;;) {"
                    "if (!cb.has_value()) { cb.emplace(st, callback{}); } co_await tick(); }"),
            "");
  EXPECT_EQ(refusal("std::optional<registered> cb; for (;;) { if (!cb) cb.emplace(st, callback{});"
                    "co_await tick(); cb.reset(); }"),
            "none");
  EXPECT_EQ(refusal("std::optional<registered> cb; for (;;) { while (coin()) {"
                    "if (!cb) cb.emplace(st, callback{}); co_await tick(); } cb.reset(); }"),
            "none");
  EXPECT_EQ(refusal("std::optional<registered> cb; for (;;) {"
                    "if (coin()) cb.emplace(st, callback{}); co_await tick(); }"),
            "none");
}

TEST(Quiet, IsAHolderThatATestOfAnySpellingFoundEmpty) {
  for (llvm::StringRef Fill : {"if (cb == std::nullopt) cb.emplace(st, callback{});",
                               "if (std::nullopt == cb) cb.emplace(st, callback{});",
                               "if (cb != std::nullopt) {} else cb.emplace(st, callback{});",
                               "if (coin() && !cb) cb.emplace(st, callback{});",
                               "if (!(cb || coin())) cb.emplace(st, callback{});",
                               "if (cb) coin(); else { cb.emplace(st, callback{}); }",
                               "while (!cb) cb.emplace(st, callback{});",
                               "for (; !cb.has_value();) cb.emplace(st, callback{});",
                               "coin() && !cb && (cb.emplace(st, callback{}), coin());",
                               "cb || (cb.emplace(st, callback{}), coin());",
                               "cb ? void() : void(cb.emplace(st, callback{}));"})
    EXPECT_EQ(
        refusal(("std::optional<registered> cb; for (;;) {" + Fill + "co_await tick(); }").str()),
        "")
        << Fill.str();
  for (llvm::StringRef Test : {"!p", "p == nullptr", "p.get() == nullptr", "!p.get()"})
    EXPECT_EQ(refusal(("std::unique_ptr<registered> p; for (;;) { if (" + Test +
                       ") p = std::make_unique<registered>(st, callback{}); co_await tick(); }")
                          .str()),
              "")
        << Test.str();
  EXPECT_EQ(refusal("std::optional<registered> cb;"
                    "while (!cb) { cb.emplace(st, callback{}); co_await tick(); }"),
            "");
}

TEST(Quiet, IsNoHolderThatAConditionMerelyMentions) {
  for (llvm::StringRef Fill :
       {"if (cb) cb.emplace(st, callback{});", "if (!cb || coin()) cb.emplace(st, callback{});",
        "if (!cb) coin(); else cb.emplace(st, callback{});",
        "if (cb != std::nullopt) cb.emplace(st, callback{});",
        "if (!cb) for (;;) { cb.emplace(st, callback{}); co_await tick(); }"})
    EXPECT_EQ(
        refusal(("std::optional<registered> cb; for (;;) {" + Fill + "co_await tick(); }").str()),
        "none")
        << Fill.str();
}

TEST(Rewrite, KeepsComparisonsWithNothing) {
  const std::string Result =
      body("task f(std::stop_token st) {\n"
           "  std::optional<registered> cb;\n"
           "  for (;;) { if (cb == std::nullopt) cb.emplace(st, callback{}); co_await tick(); "
           "cb.reset(); }\n"
           "}\n");
  EXPECT_NE(Result.find("if (cb == std::nullopt) cb.emplace(cancel_slot, callback{});"),
            std::string::npos)
      << Result;
}

TEST(Rewrite, PutsTheSlotBelowTheLabelOfALoopThatDeclaresTheHolder) {
  for (llvm::StringRef Label : {"switch (n) case 0:", "switch (n) { default:", "{ again:"}) {
    const std::string Result = body(("task f(std::stop_token st, int n) { " + Label +
                                     " for (std::optional<registered> cb; coin();) {"
                                     " cb.emplace(st, callback{}); co_await tick(); } " +
                                     (Label.contains('{') ? "} }\n" : "}\n"))
                                        .str());
    EXPECT_NE(Result.find((Label + " { cancel::stop_slot cancel_slot(st); for (").str()),
              std::string::npos)
        << Result;
  }
}

TEST(Rewrite, TakesTheTokenOfAnArgumentThatNobodyElseReaches) {
  const std::string Result =
      body("struct request { int id; std::stop_token token; };\n"
           "task f(request r) {\n"
           "  while (coin()) { std::stop_callback cb(r.token, callback{}); co_await tick(); }\n"
           "}\n");
  EXPECT_NE(Result.find("  cancel::stop_slot cancel_slot(r.token);\n"), std::string::npos)
      << Result;
}

TEST(Rewrite, ReachesBothSidesOfAChoiceOfPointers) {
  EXPECT_EQ(body("task f(std::stop_token st) {\n"
                 "  for (;;) {\n"
                 "    auto cb = coin() ? std::make_unique<registered>(st, callback{}) : nullptr;\n"
                 "    co_await tick();\n"
                 "  }\n"
                 "}\n"),
            "task f(std::stop_token st) {\n"
            "  cancel::stop_slot cancel_slot(st);\n"
            "  for (;;) {\n"
            "    auto cb = coin() ? std::make_unique<cancel::stop_guard<registered::callback_type>>"
            "(cancel_slot, callback{}) : nullptr;\n"
            "    co_await tick();\n"
            "  }\n"
            "}\n");
}

TEST(Refusal, SaysThatAnArrayIsAnArray) {
  constexpr llvm::StringLiteral Reason =
      "the callbacks are elements of an array, each registered in its own way";
  EXPECT_EQ(
      refusal(
          "for (;;) { registered cbs[] = {registered(st, callback{}), registered(st, callback{})};"
          "co_await tick(); }"),
      Reason);
}

TEST(Rewrite, QualifiesFromTheGlobalNamespaceWhereATemplateParameterIsCalledCancel) {
  constexpr llvm::StringLiteral Loop =
      "{ for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); } }";
  for (llvm::StringRef Code :
       {"template <class cancel> task f(std::stop_token st, cancel) LOOP task g(std::stop_token "
        "st) { return f(st, 1); }",
        "template <class cancel> struct s { task f(std::stop_token st) LOOP };\n"
        "task g(std::stop_token st) { return s<int>().f(st); }",
        "template <class T> struct s { task f(std::stop_token st); };\n"
        "template <class cancel> task s<cancel>::f(std::stop_token st) LOOP\n"
        "task g(std::stop_token st) { return s<int>().f(st); }",
        "template <class T> struct s;\n"
        "template <class cancel> struct s<cancel *> { task f(std::stop_token st) LOOP };\n"
        "task g(std::stop_token st) { return s<int *>().f(st); }",
        "template <class cancel> task g(std::stop_token st, cancel) {\n"
        "  return [](std::stop_token st) -> task LOOP(st);\n"
        "}\n"
        "task h(std::stop_token st) { return g(st, 1); }",
        "task g(std::stop_token st) {\n"
        "  return []<class cancel>(std::stop_token st, cancel) -> task LOOP(st, 1);\n"
        "}"}) {
    const auto [Before, After] = Code.split("LOOP");
    const std::string Result = body((Before + Loop + After).str());
    EXPECT_NE(Result.find(" ::cancel::stop_slot"), std::string::npos) << Result;
    EXPECT_NE(Result.find(" ::cancel::stop_guard"), std::string::npos) << Result;
  }
}

TEST(Rewrite, QualifiesFromTheGlobalNamespaceWhereAnUnnamedOneHasACancel) {
  for (llvm::StringRef Before :
       {"namespace { struct cancel {}; }\n", "namespace { namespace cancel {} }\n"}) {
    const std::string Result =
        body((Before + "task f(std::stop_token st) {\n"
                       "  for (;;) { std::stop_callback cb(st, callback{}); co_await "
                       "tick(); }\n"
                       "}\n")
                 .str());
    EXPECT_NE(Result.find(" ::cancel::stop_slot"), std::string::npos) << Result;
    EXPECT_NE(Result.find(" ::cancel::stop_guard"), std::string::npos) << Result;
  }
}

TEST(Refusal, IsForAnotherStopSlotInADirectoryOfTheRuntimesName) {
  ParseOptions Options;
  Options.Files = {{"/src/cancel/slots.h",
                    "namespace cancel { struct stop_slot { explicit stop_slot(int); }; }\n"}};
  EXPECT_EQ(refusals("#include \"cancel/slots.h\"\n"
                     "task f(std::stop_token st) {\n"
                     "  for (;;) { std::stop_callback cb(st, callback{}); co_await tick(); }\n"
                     "}\n",
                     Options),
            "the program has a 'cancel::stop_slot' of its own");
}

} // namespace
} // namespace cancel_tools
