// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways from loops to registrations, and which promises are embedded together.
#include "SlotChains.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

CoroutineCall call(const char *Caller, const char *Callee, bool Repeats, unsigned Line) {
  return {Caller, Callee, Callee, {"/src/a.cpp", Line, Line, 1}, Repeats};
}

/// "line: promise promise" for each way to `read`; promises named "no" cannot have a slot.
std::string ways(std::vector<CoroutineFact> Coroutines, std::vector<CoroutineCall> Calls) {
  std::vector<UnitFacts> Units(1);
  Units[0].Coroutines = std::move(Coroutines);
  Units[0].Calls = std::move(Calls);
  const CallGraph Graph(Units);
  std::vector<std::string> Lines;
  for (const SlotChain &Chain :
       slotChainsTo("read", Graph, [](llvm::StringRef Promise) { return Promise != "no"; }))
    Lines.push_back(std::to_string(Chain.Loop->At.Line) + ": " + llvm::join(Chain.Promises, " "));
  return llvm::join(Lines, "; ");
}

TEST(SlotChain, LeadsFromTheLoopsPromiseToTheRegisteringOne) {
  EXPECT_EQ(ways({{"serve", "serve", "a"}, {"step", "step", "b"}, {"read", "read", "c"}},
                 {call("serve", "step", true, 1), call("step", "read", false, 2)}),
            "1: a b c");
  EXPECT_EQ(ways({{"serve", "serve", "a"}, {"read", "read", "a"}},
                 {call("serve", "read", true, 1), call("serve", "read", true, 2),
                  call("serve", "read", false, 3)}),
            "1: a a; 2: a a");
}

TEST(SlotChain, LeadsThroughFunctionsThatAreNoCoroutines) {
  EXPECT_EQ(ways({{"serve", "serve", "a"}, {"read", "read", "c"}},
                 {call("serve", "forward", true, 1), call("forward", "read", false, 2)}),
            "1: a c");
}

TEST(SlotChain, LeadsThroughNoPromiseThatCannotHaveASlot) {
  EXPECT_EQ(ways({{"serve", "serve", "a"}, {"step", "step", "no"}, {"read", "read", "c"}},
                 {call("serve", "step", true, 1), call("step", "read", false, 2)}),
            "");
  EXPECT_EQ(
      ways({{"serve", "serve", "no"}, {"read", "read", "c"}}, {call("serve", "read", true, 1)}),
      "");
  EXPECT_EQ(
      ways({{"serve", "serve", "a"}, {"read", "read", "no"}}, {call("serve", "read", true, 1)}),
      "");
}

TEST(PromiseGroups, AreJoinedByWhoeverHasTwoOfThem) {
  PromiseGroups Groups;
  Groups.join({"a", "b"});
  Groups.join({"c"});
  Groups.join({"d", "e"});
  Groups.join({"e", "b"});
  EXPECT_EQ(Groups.groupOf("d"), Groups.groupOf("a"));
  EXPECT_EQ(Groups.groupOf("e"), Groups.groupOf("a"));
  EXPECT_NE(Groups.groupOf("c"), Groups.groupOf("a"));
  EXPECT_EQ(Groups.groupOf("c"), "c");
}

} // namespace
} // namespace cancel_tools
