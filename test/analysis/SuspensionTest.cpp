// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where coroutines suspend, what lives across that, and what happens again on every turn.
#include "Program.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

using namespace clang;

/// What each registration of the body lives across: "cb: tick() receive() again", in source order;
/// "again" if it can be registered once more.
std::string crossed(llvm::StringRef Body, llvm::StringRef Function = "f") {
  const Program P(("task f(std::stop_token st) {" + Body + "}").str());
  const Coroutine &C = P.coroutine(Function);
  const StopUse Use = stopUseIn(C);
  const std::vector<Crossing> Found = crossings(C, Use.Events, Use.Registrations.size());
  std::vector<std::string> Result;
  for (unsigned I = 0; I != Found.size(); ++I) {
    const Holder &H = Use.Holders[Use.Registrations[I].HolderIndex];
    std::string Line = (H.Member ? H.Member->getName() : H.Variable->getName()).str() + ":";
    for (const Expr *Suspension : Found[I].Suspensions)
      Line += " " + P.text(*cast<CoroutineSuspendExpr>(Suspension)->getOperand());
    Result.push_back(Line + (Found[I].Repeats ? " again" : ""));
  }
  return llvm::join(Result, "; ");
}

/// The number of suspension points in the body.
std::size_t suspensions(llvm::StringRef Body) {
  const Program P(("task f(std::stop_token st) {" + Body + "}").str());
  return suspensionsIn(P.coroutine().body()).size();
}

/// The kinds of the loops around the call of `mark()`, innermost first.
std::string loops(llvm::StringRef Body) {
  const Program P(
      ("int mark(); task f(std::vector<int> v) { co_await tick(); " + Body + "}").str());
  const Coroutine &C = P.coroutine();
  struct Finder : RecursiveASTVisitor<Finder> {
    const Stmt *Found = nullptr;
    bool VisitCallExpr(CallExpr *E) {
      if (const FunctionDecl *F = E->getDirectCallee(); F && F->getNameAsString() == "mark")
        Found = E;
      return !Found;
    }
  } Mark;
  Mark.TraverseStmt(const_cast<Stmt *>(&C.body()));
  std::vector<std::string> Kinds;
  for (const Stmt *Loop : C.loopsAround(*Mark.Found))
    Kinds.push_back(isa<WhileStmt>(Loop) ? "while"
                    : isa<DoStmt>(Loop)  ? "do"
                    : isa<ForStmt>(Loop) ? "for"
                                         : "range");
  return llvm::join(Kinds, " ");
}

TEST(Suspension, IsEachAwaitAndYieldThatTheCoroutineWrites) {
  EXPECT_EQ(suspensions("co_await tick();"), 1u);
  EXPECT_EQ(suspensions("int n = co_await receive();"), 1u);
  EXPECT_EQ(suspensions("if (co_await more() && co_await more()) co_return;"), 2u);
  EXPECT_EQ(suspensions("int n = co_await (co_await tick(), receive());"), 2u);
  EXPECT_EQ(suspensions("for (int n : (co_await tick(), std::vector<int>())) (void)n; co_return;"),
            1u);
}

TEST(Suspension, IsNotMadeByAnAwaitOfSuspendNever) {
  EXPECT_EQ(suspensions("co_await std::suspend_never{};"), 0u);
  EXPECT_EQ(suspensions("co_await std::suspend_always{};"), 1u);
}

TEST(Suspension, OfANestedLambdaIsNotThisCoroutines) {
  EXPECT_EQ(suspensions("auto other = []() -> task { co_await tick(); }; co_return;"), 0u);
}

TEST(Suspension, InACaptureIsThisCoroutines) {
  EXPECT_EQ(suspensions("auto read = [n = co_await receive()] { return n; };"), 1u);
}

TEST(Suspension, IsCountedOnceWhereAPromiseTransformsTheOperand) {
  const Program P(R"cpp(
    struct transforming {
      struct promise_type {
        transforming get_return_object();
        std::suspend_always initial_suspend() noexcept;
        std::suspend_always final_suspend() noexcept;
        template <class T> awaitable<T> await_transform(T);
        void return_void();
        void unhandled_exception();
      };
    };
    transforming f() { int n = co_await 1; })cpp");
  EXPECT_EQ(suspensionsIn(P.coroutine().body()).size(), 1u);
}

TEST(Suspension, IsSeenThroughOperatorCoAwait) {
  const Program P("struct socket {}; awaitable<int> operator co_await(socket); task f() { co_await "
                  "socket{}; }");
  EXPECT_EQ(suspensionsIn(P.coroutine().body()).size(), 1u);
}

TEST(Suspension, IsSeenInACoroutineWhoseTraitsAreSpecialised) {
  const Program P(R"cpp(
    template <> struct std::coroutine_traits<void, int> {
      struct promise_type {
        void get_return_object();
        std::suspend_always initial_suspend() noexcept;
        std::suspend_always final_suspend() noexcept;
        void return_void();
        void unhandled_exception();
      };
    };
    void f(int) { co_await tick(); })cpp");
  EXPECT_EQ(suspensionsIn(P.coroutine().body()).size(), 1u);
}

TEST(Crossing, CoversWhatFollowsTheDeclarationInItsScope) {
  EXPECT_EQ(crossed("co_await tick(); { registered cb(st, callback{}); co_await more(); } co_await "
                    "receive();"),
            "cb: more()");
}

TEST(Crossing, IsMadeByAnAwaitInAnInitialiserConditionOrOperand) {
  EXPECT_EQ(crossed("registered cb(st, callback{}); int n = co_await receive();"), "cb: receive()");
  EXPECT_EQ(crossed("registered cb(st, callback{}); if (co_await more()) co_return;"),
            "cb: more()");
  EXPECT_EQ(crossed("registered cb(st, callback{}); bool b = coin() && co_await more();"),
            "cb: more()");
  EXPECT_EQ(crossed("registered cb(st, callback{}); int n = coin() ? co_await receive() : 0;"),
            "cb: receive()");
}

TEST(Crossing, ExcludesTheAwaitThatInitialisesTheCallbackItself) {
  EXPECT_EQ(crossed("registered cb(st, (co_await tick(), callback{}));"), "cb:");
}

TEST(Crossing, ExcludesAwaitsThatAreNeverReached) {
  EXPECT_EQ(crossed("registered cb(st, callback{}); co_return; co_await tick();"), "cb:");
  EXPECT_EQ(
      crossed("registered cb(st, callback{}); if constexpr (false) co_await tick(); co_return;"),
      "cb:");
}

TEST(Crossing, EndsAtReset) {
  EXPECT_EQ(
      crossed(
          "std::optional<registered> cb; cb.emplace(st, callback{}); cb.reset(); co_await tick();"),
      "cb:");
  EXPECT_EQ(crossed("std::optional<registered> cb; cb.emplace(st, callback{}); cb = std::nullopt; "
                    "co_await tick();"),
            "cb:");
  EXPECT_EQ(
      crossed(
          "auto cb = std::make_unique<registered>(st, callback{}); cb = nullptr; co_await tick();"),
      "cb:");
}

TEST(Crossing, SurvivesAResetOnOneBranchOnly) {
  EXPECT_EQ(
      crossed("std::optional<registered> cb; cb.emplace(st, callback{}); if (coin()) cb.reset();"
              "co_await tick();"),
      "cb: tick()");
}

TEST(Crossing, DistinguishesTheLifetimesOfOneHolder) {
  EXPECT_EQ(crossed("std::optional<registered> cb; cb.emplace(st, callback{}); co_await tick();"
                    "cb.emplace(st, callback{}); co_await more();"),
            "cb: tick(); cb: more()");
}

TEST(Crossing, PassesOnWhenAUniquePtrIsMoved) {
  EXPECT_EQ(
      crossed("auto cb = std::make_unique<registered>(st, callback{}); auto other = std::move(cb);"
              "co_await tick();"),
      "cb:; other: tick()");
}

TEST(Crossing, RepeatsInEveryKindOfLoop) {
  constexpr llvm::StringLiteral Turn = "{ registered cb(st, callback{}); co_await tick(); }";
  for (llvm::StringRef Loop : {"while (coin()) ", "for (;;) ", "for (int i = 0; i != 9; ++i) ",
                               "for (int n : std::vector<int>()) "})
    EXPECT_EQ(crossed((Loop + Turn).str()), "cb: tick() again") << Loop.str();
  EXPECT_EQ(crossed(("do " + Turn + " while (coin());").str()), "cb: tick() again");
  EXPECT_EQ(crossed(("again: " + Turn + " if (coin()) goto again;").str()), "cb: tick() again");
}

TEST(Crossing, DoesNotRepeatInALoopThatNeverTurns) {
  EXPECT_EQ(crossed("for (;;) { registered cb(st, callback{}); co_await tick(); co_return; }"),
            "cb: tick()");
  EXPECT_EQ(crossed("while (coin()) { registered cb(st, callback{}); co_await tick(); break; }"),
            "cb: tick()");
  EXPECT_EQ(crossed("do { registered cb(st, callback{}); co_await tick(); } while (false);"),
            "cb: tick()");
}

TEST(Crossing, DoesNotRepeatWhereTheLoopFollowsTheRegistration) {
  EXPECT_EQ(crossed("registered cb(st, callback{}); while (coin()) co_await tick();"),
            "cb: tick()");
  EXPECT_EQ(crossed("for (registered cb(st, callback{}); coin();) co_await tick();"), "cb: tick()");
}

TEST(Crossing, RepeatsInAConditionVariable) {
  EXPECT_EQ(
      crossed("while (auto cb = std::make_unique<registered>(st, callback{})) co_await tick();"),
      "cb: tick() again");
}

TEST(Loops, ExcludeTheInitialiserOfAFor) {
  EXPECT_EQ(loops("for (int i = mark(); coin(); ++i) ;"), "");
  EXPECT_EQ(loops("for (int i = 0; mark(); ++i) ;"), "for");
  EXPECT_EQ(loops("for (int i = 0; coin(); i += mark()) ;"), "for");
  EXPECT_EQ(loops("for (int i = 0; coin(); ++i) mark();"), "for");
}

TEST(Loops, ExcludeTheRangeAndTheInitStatementOfARangeFor) {
  EXPECT_EQ(loops("for (int n : (mark(), v)) (void)n;"), "");
  EXPECT_EQ(loops("for (int k = mark(); int n : v) (void)n, (void)k;"), "");
  EXPECT_EQ(loops("for (int n : v) n += mark();"), "range");
}

TEST(Loops, IncludeConditions) {
  EXPECT_EQ(loops("while (mark()) ;"), "while");
  EXPECT_EQ(loops("do ; while (mark());"), "do");
}

TEST(Loops, AreListedInnermostFirst) {
  EXPECT_EQ(loops("for (;;) while (coin()) do mark(); while (coin());"), "do while for");
}

TEST(Coroutines, AreFoundInEveryKindOfFunction) {
  const Program P(R"cpp(
    task function() { co_await tick(); }
    struct type {
      task member() { co_await tick(); }
      template <class T> task member_template(T) { co_await tick(); }
    };
    template <class T> struct class_template { task instantiated() { co_await tick(); } };
    template <class T> task never_instantiated(T) { co_await tick(); }
    void plain() {
      type().member_template(1);
      class_template<int>().instantiated();
      auto lambda = [] { return [](auto) -> task { co_await tick(); }; };
      lambda()(1);
      struct local { task local_member() { co_await tick(); } };
    })cpp");
  std::vector<std::string> Names;
  for (const Coroutine &C : P.unit().coroutines())
    Names.push_back(C.function().getNameAsString());
  llvm::sort(Names);
  EXPECT_EQ(llvm::join(Names, " "),
            "function instantiated local_member member member_template operator()");
}

TEST(Coroutines, AreReadOncePerInstantiation) {
  const Program P(
      "template <class T> task f(T) { co_await tick(); } void g() { f(1); f(2); f('c'); }");
  EXPECT_EQ(P.unit().coroutines().size(), 2u);
  EXPECT_TRUE(P.coroutine().isInstantiated());
}

} // namespace
} // namespace cancel_tools
