// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who awaits whom, and what a loop does on every turn.
#include "CoroutineCalls.h"
#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

constexpr llvm::StringLiteral Helpers = "#include \"lazy.h\"\n"
                                        "lazy<int> read();\n"
                                        "lazy<int> read(std::stop_token);\n"
                                        "void spawn(lazy<int>);\n";

/// The calls of a program in their order: "'read' again" for one that a loop makes on every turn.
std::string calls(llvm::StringRef Code) {
  const Program P((Helpers + Code).str());
  std::vector<CoroutineFact> Coroutines;
  std::vector<CoroutineCall> Calls;
  findCalls(P.unit(), Coroutines, Calls);
  std::vector<std::string> Shown;
  for (const CoroutineCall &C : Calls)
    Shown.push_back(C.CalleeName + (C.Repeats ? " again" : ""));
  return llvm::join(Shown, "; ");
}

std::string callsIn(llvm::StringRef Body) {
  return calls(("lazy<int> f(std::stop_token st) {" + Body + " co_return 0; }").str());
}

TEST(CoroutineCalls, AreWhatIsAwaited) {
  EXPECT_EQ(callsIn("co_await read();"), "'read'");
  EXPECT_EQ(callsIn("co_await std::move(read());"), "'read'");
  EXPECT_EQ(callsIn("auto t = read(); co_await std::move(t);"), "'read'");
  EXPECT_EQ(callsIn("int n = 1 + co_await read();"), "'read'");
}

TEST(CoroutineCalls, AreNotWhatSomebodyElseRuns) {
  EXPECT_EQ(callsIn("spawn(read());"), "");
  EXPECT_EQ(callsIn("auto t = read(); co_await tick();"), "'tick'");
  EXPECT_EQ(callsIn("auto l = [] { return read(); };"), "'read'"); // the lambda's own
  EXPECT_EQ(calls("void f() { spawn(read()); }"), "");
}

TEST(CoroutineCalls, RepeatWhereALoopMakesThem) {
  EXPECT_EQ(callsIn("while (true) co_await read();"), "'read' again");
  EXPECT_EQ(callsIn("for (int n = co_await read(); n; --n) {}"), "'read'");
  EXPECT_EQ(callsIn("for (;;) { auto l = []() -> lazy<int> { co_return co_await read(); }; }"),
            "'read'");
}

TEST(CoroutineCalls, DoNotRepeatWithAnotherTokenEachTime) {
  EXPECT_EQ(callsIn("for (;;) co_await read(st);"), "'read' again");
  EXPECT_EQ(callsIn("for (;;) { std::stop_source s; co_await read(s.get_token()); }"), "'read'");
  EXPECT_EQ(callsIn("for (;;) co_await read(co_await current_token());"),
            "'read'; 'current_token' again");
}

TEST(CoroutineCalls, PassThroughFunctionsThatReturnThem) {
  EXPECT_EQ(calls("lazy<int> f() { return read(); }"), "'read'");
  EXPECT_EQ(calls("lazy<int> f() { for (;;) return read(); }"), "'read'");
}

TEST(CoroutineCalls, OfAVirtualFunctionAreOfItsOverrides) {
  EXPECT_EQ(calls("struct a { virtual lazy<int> f() = 0; };\n"
                  "struct b : a { lazy<int> f() override { co_return 0; } };"),
            "'b::f'");
}

TEST(CoroutineCalls, NameATemplateAndItsInstantiationsAlike) {
  const Program P((Helpers + "template <class T> lazy<int> f(T) { co_return 0; }\n"
                             "lazy<int> g() { co_await f(1); co_return co_await f('c'); }")
                      .str());
  std::vector<CoroutineFact> Coroutines;
  std::vector<CoroutineCall> Calls;
  findCalls(P.unit(), Coroutines, Calls);
  ASSERT_EQ(Calls.size(), 2u);
  EXPECT_EQ(Calls[0].Callee, Calls[1].Callee);
  EXPECT_EQ(Coroutines[0].Function, Calls[0].Callee);
  EXPECT_EQ(Coroutines[0].Promise, Coroutines[1].Promise);
}

TEST(CoroutineCalls, TellFunctionsOfOneNameInSeveralFilesApart) {
  const auto KeyIn = [](std::string Path) {
    ParseOptions Options;
    Options.Path = std::move(Path);
    const Program P((Helpers + "static lazy<int> f() { co_return 0; } auto g = f();").str(),
                    Options);
    return entityKey(P.unit(), P.coroutine().function());
  };
  EXPECT_NE(KeyIn("/src/a/x.cpp"), KeyIn("/src/b/x.cpp"));
}

} // namespace
} // namespace cancel_tools
