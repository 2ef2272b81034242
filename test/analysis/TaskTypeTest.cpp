// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which classes are tasks, and which await_suspend a co_await of one calls.
#include "TaskType.h"
#include "Program.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

/// "task:awaiter" for each task that f awaits: its class, and the class of the await_suspend.
std::string awaited(llvm::StringRef Code) {
  const Program P(Code);
  std::vector<std::string> Found;
  for (const AwaitedTask &T : TaskTypes(P.unit()).awaitedIn(P.coroutine()))
    Found.push_back(T.Task->getNameAsString() + ":" + T.Suspend->getParent()->getNameAsString());
  return llvm::join(Found, " ");
}

constexpr llvm::StringLiteral Lazy = R"cpp(
struct awaiter {
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  void await_resume();
};
template <class Self> struct promise {
  Self get_return_object();
  std::suspend_always initial_suspend() noexcept;
  std::suspend_always final_suspend() noexcept;
  void return_void();
  void unhandled_exception();
};
)cpp";

std::string awaited(llvm::StringRef Declarations, llvm::StringRef Body) {
  return awaited((Lazy + Declarations + "task f() {" + Body + "}").str());
}

TEST(AwaitedTask, IsFoundHoweverItIsAwaited) {
  EXPECT_EQ(
      awaited("struct lazy { using promise_type = promise<lazy>; awaiter operator co_await(); };"
              "lazy g(); lazy &&h();",
              "co_await g(); co_await h(); lazy l = g(); co_await l; co_await (g(), g());"),
      "lazy:awaiter lazy:awaiter lazy:awaiter lazy:awaiter");
  EXPECT_EQ(awaited("struct lazy : awaiter { struct promise_type : promise<lazy> {}; }; lazy g();",
                    "co_await g();"),
            "lazy:awaiter");
  EXPECT_EQ(awaited("struct base { using promise_type = promise<base>; };"
                    "struct lazy : base {}; awaiter operator co_await(lazy); lazy g();",
                    "co_await g();"),
            "lazy:awaiter");
}

TEST(AwaitedTask, IsOneOfAnyClassForWhichTraitsAreSpecialised) {
  EXPECT_EQ(awaited("struct lazy : awaiter {};"
                    "template <> struct std::coroutine_traits<lazy> {"
                    "  using promise_type = promise<lazy>; };"
                    "lazy g() { co_return; }",
                    "co_await g();"),
            "lazy:awaiter");
}

TEST(AwaitedTask, IsNoOtherAwaitable) {
  EXPECT_EQ(awaited("", "co_await tick(); co_await std::suspend_always();"), "");
  EXPECT_EQ(awaited("struct lazy : awaiter { using promise_type = promise<lazy>; }; lazy g();"
                    "awaitable<int> when_ready(lazy);",
                    "co_await when_ready(g()); auto l = [&]() -> task { co_await g(); };"),
            "");
}

/// What whyEager says of f's promise, or "lazy".
std::string starts(llvm::StringRef InitialSuspend) {
  const Program P(("struct own {" + InitialSuspend + R"cpp(
    own get_return_object();
    std::suspend_always final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
    using promise_type = own;
  };
  own f() { co_return; }
  )cpp")
                      .str());
  return whyEager(*P.coroutine().promise()).empty() ? "lazy" : "eager";
}

TEST(InitialSuspend, IsLazyWhereItSurelySuspends) {
  EXPECT_EQ(starts("std::suspend_always initial_suspend();"), "lazy");
  EXPECT_EQ(starts("auto initial_suspend() { return std::suspend_always(); }"), "lazy");
  EXPECT_EQ(starts("struct here { bool await_ready() { return false; }"
                   "  void await_suspend(std::coroutine_handle<>); void await_resume(); };"
                   "here initial_suspend();"),
            "lazy");
  EXPECT_EQ(starts("std::suspend_never initial_suspend();"), "eager");
  EXPECT_EQ(starts("struct here { bool await_ready();"
                   "  void await_suspend(std::coroutine_handle<>); void await_resume(); };"
                   "here initial_suspend();"),
            "eager");
}

} // namespace
} // namespace cancel_tools
