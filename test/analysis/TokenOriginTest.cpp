// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether one registration can serve all turns: the same token, another by construction, or no
// proof.
#include "Program.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

using namespace clang;

constexpr llvm::StringLiteral Declarations = R"cpp(
std::stop_token get();
const std::stop_token &get_reference();
void take(std::stop_token);
void look(const std::stop_token &);
void change(std::stop_token &);
extern std::stop_token global;
extern const std::stop_token constant;
extern const std::stop_token &reference;
namespace elsewhere { extern const std::stop_token constant; }
struct request { std::stop_token token; };
struct refers { std::stop_token &token; };
struct convertible { operator std::stop_token() const; };
)cpp";

/// The origin of the first registration's token over the outermost loop around it: "same
/// EXPRESSION", "varies", or "unproven: REASON".
std::string origin(const Program &P, llvm::StringRef Function) {
  const Coroutine &C = P.coroutine(Function);
  const StopUse Use = stopUseIn(C);
  const Registration &R = Use.Registrations.front();
  const auto Loops = C.loopsAround(*Use.Holders[R.HolderIndex].Declaration);
  const TokenOrigin Origin = originOf(*R.Token, C, *Loops.back());
  switch (Origin.What) {
  case TokenOrigin::Same:
    return "same " + P.text(*Origin.Expression);
  case TokenOrigin::Varies:
    return "varies";
  case TokenOrigin::Unproven:
    return "unproven: " + Origin.Reason;
  }
  return "";
}

/// The same for a coroutine with a parameter `st`.
std::string originIn(llvm::StringRef Body) {
  return origin(Program((Declarations + "task f(std::stop_token st) {" + Body + "}").str()), "f");
}

std::string originOfProgram(llvm::StringRef Code, llvm::StringRef Function = "f") {
  return origin(Program((Declarations + Code).str()), Function);
}

constexpr llvm::StringLiteral Loop =
    "while (coin()) { std::stop_callback cb(st, callback{}); co_await tick(); }";

#define EXPECT_STARTS(Actual, Prefix)                                                              \
  EXPECT_EQ((Actual).substr(0, llvm::StringRef(Prefix).size()), Prefix) << (Actual)

TEST(Same, IsAParameterOrLocalThatNothingChanges) {
  EXPECT_EQ(originIn(Loop), "same st");
  EXPECT_EQ(originIn(("auto token = get(); (void)token;" + Loop).str()), "same st");
  EXPECT_EQ(originOfProgram(("task f() { std::stop_token st = get();" + Loop + "}").str()),
            "same st");
  EXPECT_EQ(originOfProgram(("task f() { const auto &st = get();" + Loop + "}").str()), "same st");
  EXPECT_EQ(originOfProgram(("task f() { auto &&st = get();" + Loop + "}").str()), "same st");
  EXPECT_EQ(originOfProgram(("task f(const std::stop_token &st) {" + Loop + "}").str()), "same st");
}

TEST(Same, IsTheTokenThatALocalOfTheLoopCopies) {
  EXPECT_EQ(
      originIn(
          "for (;;) { auto copy = st; std::stop_callback cb(copy, callback{}); co_await tick(); }"),
      "same st");
  EXPECT_EQ(originIn("for (;;) { const auto &alias = st; auto copy = alias;"
                     "std::stop_callback cb(copy, callback{}); co_await tick(); }"),
            "same st");
  EXPECT_EQ(originIn("for (auto copy = st; coin();) { std::stop_callback cb(copy, callback{}); "
                     "co_await tick(); }"),
            "same st");
}

TEST(Same, NamesTheOuterVariableWhereAnInnerOneHidesIt) {
  EXPECT_EQ(originIn("for (;;) { auto outer = st; { std::stop_token st;"
                     "std::stop_callback cb(outer, callback{}); co_await tick(); } }"),
            "same st");
}

TEST(Same, IsTheTokenOfASourceThatNothingChanges) {
  EXPECT_EQ(
      originIn("std::stop_source s; for (;;) { std::stop_callback cb(s.get_token(), callback{});"
               "co_await tick(); s.request_stop(); }"),
      "same s.get_token()");
}

TEST(Same, SurvivesReadsCopiesAndAssignmentsBeforeTheLoop) {
  EXPECT_EQ(originIn(("st = get(); take(st); look(st); auto l = [st] { take(st); };" + Loop).str()),
            "same st");
  EXPECT_EQ(
      originIn(
          "while (!st.stop_requested() && st == st) { std::stop_callback cb(st, callback{});"
          "co_await tick(); take(st); auto l = [=] { look(st); }; auto m = [&] { look(st); }; }"),
      "same st");
}

TEST(Same, IsACopyThatALambdaCaptured) {
  EXPECT_EQ(originOfProgram(
                ("void g(std::stop_token st) { auto f = [st]() -> task {" + Loop + "}; }").str(),
                "operator()"),
            "same st");
  EXPECT_EQ(originOfProgram(("void g() { auto f = [st = get()]() -> task {" + Loop + "}; }").str(),
                            "operator()"),
            "same st");
}

TEST(Same, IsAConstObjectWhereverItLives) {
  EXPECT_EQ(originOfProgram("task f() { for (;;) { std::stop_callback cb(constant, callback{}); "
                            "co_await tick(); } }"),
            "same constant");
  EXPECT_EQ(originOfProgram(
                "struct s { const std::stop_token token; task f() {"
                "for (;;) { std::stop_callback cb(token, callback{}); co_await tick(); } } };"),
            "same token");
}

TEST(Varies, ForAnElement) {
  EXPECT_EQ(originOfProgram("task f(std::vector<std::stop_token> v) { for (auto &st : v) {"
                            "std::stop_callback cb(st, callback{}); co_await tick(); } }"),
            "varies");
  EXPECT_EQ(originOfProgram("task f(std::vector<request> v) { for (const request &r : v) {"
                            "std::stop_callback cb(r.token, callback{}); co_await tick(); } }"),
            "varies");
  EXPECT_EQ(originOfProgram("task f(std::vector<request> v) { for (int i = 0;; ++i) {"
                            "std::stop_callback cb(v[i].token, callback{}); co_await tick(); } }"),
            "varies");
  EXPECT_EQ(originOfProgram("task f(std::vector<request> v) { for (auto &[token] : v) {"
                            "std::stop_callback cb(token, callback{}); co_await tick(); } }"),
            "varies");
}

TEST(Varies, ForWhatIsAwaitedInTheLoop) {
  EXPECT_EQ(originIn("for (;;) { std::stop_callback cb(co_await current_token(), callback{}); "
                     "co_await tick(); }"),
            "varies");
  EXPECT_EQ(originIn("for (;;) { auto token = co_await current_token(); std::stop_callback "
                     "cb(token, callback{});"
                     "co_await tick(); }"),
            "varies");
}

TEST(Varies, ForTheTokenOfASourceThatTheLoopMakes) {
  EXPECT_EQ(
      originIn("for (;;) { std::stop_source s; std::stop_callback cb(s.get_token(), callback{});"
               "co_await tick(); }"),
      "varies");
}

TEST(Unproven, IsATokenThatTheLoopAssignsMovesOrSwaps) {
  for (llvm::StringRef Change :
       {"st = get();", "take(std::move(st));", "std::stop_token o; st.swap(o);", "(st) = get();",
        "if (coin()) st = std::stop_token();"})
    EXPECT_STARTS(originIn(("for (;;) { std::stop_callback cb(st, callback{}); co_await tick();" +
                            Change + "}")
                               .str()),
                  "unproven: 'st' changes in the loop");
  EXPECT_STARTS(originIn("for (auto token = st;; token = get()) {"
                         "std::stop_callback cb(token, callback{}); co_await tick(); }"),
                "unproven: 'token' changes in the loop");
}

TEST(Unproven, IsATokenThatOtherCodeCanReach) {
  for (llvm::StringRef Leak :
       {"change(st);", "auto *p = &st;", "auto &r = st;", "auto l = [&] { st = get(); };",
        "refers r{st};", "auto l = [&](auto x) { st = x; };", "auto l = [&r = st] { r = get(); };",
        "auto l = [&]() -> task { st = get(); co_return; };"})
    EXPECT_STARTS(originIn((Leak + Loop).str()), "unproven: other code may change 'st'")
        << Leak.str();
}

TEST(Unproven, IsAGlobalStaticOrThreadLocal) {
  EXPECT_STARTS(
      originOfProgram(
          "task f() { for (;;) { std::stop_callback cb(global, callback{}); co_await tick(); } }"),
      "unproven: 'global' outlives the coroutine");
  EXPECT_STARTS(originIn("static std::stop_token token = st; for (;;) {"
                         "std::stop_callback cb(token, callback{}); co_await tick(); }"),
                "unproven: 'token' outlives the coroutine");
  EXPECT_STARTS(
      originOfProgram("task f() { for (;;) { std::stop_callback cb(reference, callback{});"
                      "co_await tick(); } }"),
      "unproven: 'reference' outlives the coroutine");
}

TEST(Unproven, IsAReferenceToSomethingThatMayChange) {
  EXPECT_STARTS(originOfProgram(("task f(std::stop_token &st) {" + Loop + "}").str()),
                "unproven: 'st' is a reference to non-const");
  EXPECT_STARTS(originOfProgram(("task f(std::stop_token &&st) {" + Loop + "}").str()),
                "unproven: 'st' is a reference to non-const");
  EXPECT_STARTS(
      originOfProgram(("task f(request *r) { const auto &st = r->token;" + Loop + "}").str()),
      "unproven: the token is the member 'token'");
  EXPECT_STARTS(
      originOfProgram(("task f() { const auto &st = get_reference();" + Loop + "}").str()),
      "unproven: the expression that gives the token");
}

TEST(Unproven, IsAMember) {
  EXPECT_STARTS(
      originOfProgram("struct s { std::stop_token token; task f() { for (;;) {"
                      "std::stop_callback cb(token, callback{}); co_await tick(); } } };"),
      "unproven: the token is the member 'token'");
  for (llvm::StringRef Parameter : {"request &r", "const request &r", "watched r", "either r"})
    EXPECT_STARTS(
        originOfProgram(
            ("struct watched { watched(); watched(const watched &); std::stop_token token; };"
             "struct either { union { std::stop_token token; int other; };"
             "either(); ~either(); either(const either &); };"
             "task f(" +
             Parameter +
             ") { for (;;) { std::stop_callback cb(r.token, callback{}); co_await tick(); } }")
                .str()),
        "unproven: the token is the member 'token'");
}

/// The origin of `r.token` in a coroutine that has `r` by value and does more in its loop.
std::string originOfMember(llvm::StringRef More, llvm::StringRef Before = "") {
  return originOfProgram(
      ("struct call { int id; std::stop_token token; request inner; void touch(); int look() const;"
       "};"
       "void keep(call &); void read(const call &); void keep(int &);"
       "task f(call r, call other) {" +
       Before + "for (;;) { std::stop_callback cb(r.token, callback{}); co_await tick();" + More +
       "} }")
          .str());
}

TEST(Same, IsTheMemberOfAnArgumentThatNothingChanges) {
  for (llvm::StringRef More :
       {"", "++r.id;", "keep(r.id);", "r.look();", "read(r);", "auto copy = r;", "(void)r;",
        "if (r.token.stop_requested()) break;", "take(r.token);", "r.inner.token = get();",
        "auto l = [&] { return r.look(); };", "auto l = [r]() mutable { r.touch(); };"})
    EXPECT_EQ(originOfMember(More), "same r.token") << More.str();
  EXPECT_EQ(originOfMember("", "r.token = get();"), "same r.token");
  EXPECT_EQ(originOfProgram("struct nested { request inner; std::stop_source source; };"
                            "task f(nested n) { for (;;) { std::stop_callback cb(n.inner.token, "
                            "callback{}); co_await tick(); } }"),
            "same n.inner.token");
  EXPECT_EQ(originOfProgram("struct owner { std::stop_source source; };"
                            "task f() { owner o{}; for (;;) { std::stop_callback "
                            "cb(o.source.get_token(), callback{}); co_await tick(); } }"),
            "same o.source.get_token()");
}

TEST(Unproven, IsTheMemberOfAnArgumentThatTheLoopChangesOrHandsOut) {
  for (llvm::StringRef More : {"r.token = get();", "r.token.swap(other.token);", "r = other;",
                               "auto gone = std::move(r);", "auto gone = std::move(r.token);"})
    EXPECT_STARTS(originOfMember(More), "unproven: 'r' changes in the loop, at line") << More.str();
  for (llvm::StringRef More : {"r.touch();", "keep(r);", "auto *p = &r;", "auto &t = r.token;",
                               "auto l = [&] { r.touch(); };"})
    EXPECT_STARTS(originOfMember(More), "unproven: other code may change 'r': line") << More.str();
  EXPECT_STARTS(originOfMember("auto l = [&] { r.token = get(); };"),
                "unproven: other code may change 'r': a lambda does, at line");
}

TEST(Same, IsATokenWhoseCopyAMutableLambdaChanges) {
  EXPECT_EQ(originIn(("auto l = [st]() mutable { st = get(); };" + Loop).str()), "same st");
}

TEST(Unproven, IsAVariableThatALambdaCapturedByReference) {
  EXPECT_STARTS(
      originOfProgram(
          ("void g(std::stop_token st) { auto f = [&st]() -> task {" + Loop + "}; }").str(),
          "operator()"),
      "unproven: 'st' is captured by reference");
  EXPECT_STARTS(
      originOfProgram(
          ("void g(std::stop_token o) { auto f = [&st = o]() -> task {" + Loop + "}; }").str(),
          "operator()"),
      "unproven: 'st' is a reference to non-const");
}

TEST(Unproven, IsACopyThatAMutableLambdaChangesInAnyCall) {
  EXPECT_STARTS(originOfProgram(
                    ("void g(std::stop_token st) { auto f = [st]() mutable -> task { st = get();" +
                     Loop + "}; }")
                        .str(),
                    "operator()"),
                "unproven: other calls of the lambda share 'st'");
  EXPECT_STARTS(originOfProgram("void g(std::stop_token st) { auto f = [st]() mutable -> task {"
                                "for (;;) { std::stop_callback cb(st, callback{}); co_await tick();"
                                "st = get(); } }; }",
                                "operator()"),
                "unproven: 'st' changes in the loop, at line");
}

TEST(Unproven, IsACallAChoiceOrAConversion) {
  constexpr llvm::StringLiteral Reason = "unproven: the expression that gives the token";
  EXPECT_STARTS(originIn("for (;;) { std::stop_callback cb(get(), callback{}); co_await tick(); }"),
                Reason);
  EXPECT_STARTS(
      originIn(
          "for (;;) { std::stop_callback cb(coin() ? st : get(), callback{}); co_await tick(); }"),
      Reason);
  EXPECT_STARTS(
      originIn("for (;;) { std::stop_callback cb(std::move(st), callback{}); co_await tick(); }"),
      Reason);
  EXPECT_STARTS(
      originOfProgram("task f(convertible c) { for (;;) {"
                      "std::stop_callback<callback> cb(c, callback{}); co_await tick(); } }"),
      Reason);
}

TEST(Unproven, IsANameThatIsKnownInTheLoopOnly) {
  EXPECT_STARTS(
      originIn("for (;;) { using elsewhere::constant; std::stop_callback cb(constant, callback{});"
               "co_await tick(); }"),
      "unproven: ");
}

TEST(Unproven, IsATokenOfTheConsumerWhereTheLoopYields) {
  constexpr llvm::StringLiteral Yields =
      "for (;;) { std::stop_callback cb(st, callback{}); co_yield 1; } }";
  EXPECT_STARTS(
      originOfProgram(("generator<int> f() { auto st = co_await current_token();" + Yields).str()),
      "unproven: 'st' was obtained from the caller of the generator");
  EXPECT_EQ(originOfProgram(("generator<int> f(std::stop_token st) {" + Yields).str()), "same st");
  EXPECT_EQ(originOfProgram(("task f() { auto st = co_await current_token();" + Loop + "}").str()),
            "same st");
}

} // namespace
} // namespace cancel_tools
