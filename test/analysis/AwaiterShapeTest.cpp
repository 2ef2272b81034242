// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By what name await_suspend knows the task's promise, and where that may be used.
#include "AwaiterShape.h"
#include "Program.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

/// Of an awaiter with these members: "promise | statement before which it is used", then each
/// mention of the handle that is to be converted; or the refusal.
std::string shape(llvm::StringRef Members, llvm::StringRef Before = "") {
  const Program P((Before + R"cpp(
struct lazy {
  struct promise_type {
    std::coroutine_handle<> next;
    lazy get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
  promise_type *promise();
};
using handle = std::coroutine_handle<lazy::promise_type>;
using any = std::coroutine_handle<>;
struct awaiter {
  bool await_ready();
  void await_resume();
)cpp" + Members + "}; awaiter operator co_await(lazy); lazy g(); task f() { co_await g(); }")
                      .str());
  const std::vector<AwaitedTask> Tasks = TaskTypes(P.unit()).awaitedIn(P.coroutine());
  if (Tasks.size() != 1)
    return "no task is awaited";
  const AwaiterShape Shape = awaiterShapeOf(P.unit(), Tasks.front());
  if (!Shape.Refusal.empty() || Shape.Adopts)
    return Shape.Adopts ? "adopts" : Shape.Refusal;
  std::string Result = Shape.Promise + " | " + P.text(*Shape.Before);
  for (const clang::Expr *E : Shape.Erasing)
    Result += " | " + P.text(*E) + "@" +
              std::to_string(P.unit().sources().getSpellingColumnNumber(E->getBeginLoc()));
  return Result;
}

TEST(AwaiterShape, NamesTheTaskAsTheBodyDoes) {
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { c.promise().next = h; return c; }"),
            "c.promise(). | c.promise().next = h");
  EXPECT_EQ(shape("handle c; void await_suspend(any h) { this->c.promise().next = h;"
                  "  this->c.resume(); }"),
            "this->c.promise(). | this->c.promise().next = h");
  EXPECT_EQ(shape("struct { handle c; } *t; auto await_suspend(any h) { t->c.promise().next = h;"
                  "  return t->c; }"),
            "t->c.promise(). | t->c.promise().next = h");
  EXPECT_EQ(shape("handle c; handle get() const; handle await_suspend(any h) { return get(); }"),
            "get().promise(). | return get()");
  EXPECT_EQ(shape("handle c; handle await_suspend(any h) { return std::exchange(c, {}); }",
                  "namespace std { template <class T, class U = T> T exchange(T &, U &&); }"),
            "c.promise(). | return std::exchange(c, {})");
}

TEST(AwaiterShape, NamesThePromiseWhereTheHandleDoesNotTellIt) {
  EXPECT_EQ(shape("lazy::promise_type &p; any c; any await_suspend(any h) { p.next = h;"
                  "  return c; }"),
            "p. | p.next = h");
  EXPECT_EQ(shape("lazy::promise_type *p; any await_suspend(any h) {"
                  "  return handle::from_promise(*p); }"),
            "p-> | return handle::from_promise(*p)");
  EXPECT_EQ(shape("lazy::promise_type *p; any c; any await_suspend(any h) { return c; }"),
            "p-> | return c");
  EXPECT_EQ(shape("lazy::promise_type *p, *q; any c; any await_suspend(any h) { return c; }"),
            "await_suspend names no promise of the task that it starts");
}

TEST(AwaiterShape, UsesItWhereItIsDeclaredAndKnownToExist) {
  EXPECT_EQ(shape("void *a; any await_suspend(any h) { h.done(); auto c = handle::from_address(a);"
                  "  h.done(); return c; }"),
            "c.promise(). | h.done()");
  EXPECT_EQ(shape("any a; any await_suspend(any h) { if (!a.done()) { handle c; return c; }"
                  "  return h; }"),
            "the task's handle is declared in a block of await_suspend");
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { h.done(); if (c.address() != nullptr &&"
                  "  c == handle()) return h; h.done(); c.promise().next = h; return c; }",
                  "bool operator==(std::coroutine_handle<>, std::coroutine_handle<>);"),
            "c.promise(). | h.done()");
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { if (c != handle()) {"
                  "  c.promise().next = h; return c; } return h; }",
                  "bool operator==(std::coroutine_handle<>, std::coroutine_handle<>);"),
            "await_suspend tests whether there is a task where it starts it");
  EXPECT_EQ(shape("handle c; static handle make(); any await_suspend(any h) { c = make();"
                  "  c.promise().next = h; return c; }"),
            "await_suspend sets the task's handle itself");
}

TEST(AwaiterShape, SaysWhyTheTaskMayRunBesideItsParent) {
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { c.resume(); return h; }"),
            "await_suspend goes on with the awaiting coroutine, beside the task");
  const char *Conditional =
      "await_suspend starts the task on a condition: it may be running already, "
      "or be shared";
  const char *Noop = "namespace std { coroutine_handle<> noop_coroutine(); } bool first();";
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { if (!first()) return std::noop_coroutine();"
                  "  return c; }",
                  Noop),
            Conditional);
  EXPECT_EQ(shape("handle c; any await_suspend(any h) {"
                  "  return first() ? any(c) : std::noop_coroutine(); }",
                  Noop),
            Conditional);
  EXPECT_EQ(shape("handle c; void await_suspend(any h) { if (first()) c.resume(); }", Noop),
            Conditional);
  EXPECT_EQ(
      shape("handle c; any await_suspend(any h) { watch(c); return c; }",
            "void watch(std::coroutine_handle<>);"),
      "await_suspend hands the task's handle out, at line 18, so that others may resume or end it");
}

TEST(AwaiterShape, SaysWhyAwaitingMayNotStartTheTask) {
  const char *Elsewhere =
      "await_suspend neither resumes nor returns the task's handle, so the task "
      "may be running already or run elsewhere";
  EXPECT_EQ(shape("handle c; void await_suspend(any h) { c.promise().next = h; }"), Elsewhere);
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { c.promise().next = h; return h; }"),
            Elsewhere);
  EXPECT_EQ(shape("handle c; void await_suspend(any h) { h.resume(); }"), Elsewhere);
  EXPECT_EQ(shape("handle c; bool await_suspend(any h) { c.resume(); return true; }"),
            "await_suspend returns 'bool', so the awaiting coroutine may go on beside the task");
  EXPECT_EQ(shape("handle c; void await_suspend(any h) try { c.resume(); } catch (...) {}"),
            "the whole body of its await_suspend is a try block");
}

TEST(AwaiterShape, SaysWhyItCannotBeATemplate) {
  EXPECT_EQ(shape("handle c; any await_suspend(any h) { return c; }"
                  "any await_suspend(handle h) { return h; }"),
            "await_suspend is overloaded, and would be ambiguous as a template");
  EXPECT_EQ(shape("handle c; virtual any await_suspend(any h) { return c; }"),
            "await_suspend is virtual, so it cannot take the handle of any promise");
}

TEST(AwaiterShape, KnowsWhoAdoptsAlready) {
  EXPECT_EQ(shape("handle c; template <class P> any await_suspend(std::coroutine_handle<P> h) {"
                  "  adopt(c.promise(), h); return c; }",
                  "template <class P, class H> void adopt(P &, H);"),
            "adopts");
}

TEST(ErasingUse, IsOneWhoseTypeIsDeduced) {
  const auto Uses = [](llvm::StringRef Statement, llvm::StringRef Before = "") {
    const std::string Shape = shape(
        ("handle c; any kept; void await_suspend(any h) {\n" + Statement + "\nc.resume(); }").str(),
        Before);
    return llvm::StringRef(Shape).split(" | ").second.split(" | ").second.str();
  };
  EXPECT_EQ(Uses("kept = h;"), "");
  EXPECT_EQ(Uses("any other = h;"), "");
  EXPECT_EQ(Uses("any other(h), another{h};"), "");
  EXPECT_EQ(Uses("take(h);", "void take(std::coroutine_handle<>);"), "");
  EXPECT_EQ(Uses("take(h);", "void take(const std::coroutine_handle<> &);"), "");
  EXPECT_EQ(Uses("auto f = [this, h] { kept = h; };"), "");
  EXPECT_EQ(Uses("if (h.done()) h.address();"), "");
  EXPECT_EQ(Uses("auto other = h;"), "h@14");
  EXPECT_EQ(Uses("const auto &other = h;"), "h@21");
  EXPECT_EQ(Uses("take(h);", "template <class T> void take(T);"), "h@6");
  EXPECT_EQ(Uses("take(1, h);", "template <class... T> void take(T &&...);"), "h@9");
  EXPECT_EQ(Uses("kept = coin() ? h : kept;"), "h@17");
  EXPECT_EQ(Uses("auto f = [=] { return h; };"), "h@23");
  EXPECT_EQ(Uses("box b{h};", "template <class T> struct box { T held; };"
                              "template <class T> box(T) -> box<T>;"),
            "h@7");
}

TEST(ErasingUse, OfTheVariableItselfIsRefused) {
  const auto Refusal = [](llvm::StringRef Statement, llvm::StringRef Before = "") {
    return shape(
        ("handle c; any kept; void await_suspend(any h) {" + Statement + "c.resume(); }").str(),
        Before);
  };
  EXPECT_TRUE(llvm::StringRef(Refusal("h = kept;")).contains("needs a std::coroutine_handle<>"));
  EXPECT_TRUE(llvm::StringRef(Refusal("any &r = h;")).contains("needs a std::coroutine_handle<>"));
  EXPECT_TRUE(llvm::StringRef(Refusal("any *r = &h;")).contains("needs a std::coroutine_handle<>"));
  EXPECT_TRUE(llvm::StringRef(Refusal("take(h);", "void take(std::coroutine_handle<> &);"))
                  .contains("needs a std::coroutine_handle<>"));
}

} // namespace
} // namespace cancel_tools
