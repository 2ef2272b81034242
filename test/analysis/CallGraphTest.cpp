// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops reach a function, over calls that are made up.
#include "CallGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

CoroutineCall call(std::string Caller, std::string Callee, unsigned Offset, bool Repeats = false) {
  return {
      std::move(Caller), Callee, "'" + Callee + "'", {"/src/a.cpp", Offset, Offset, 1}, Repeats};
}

UnitFacts unit(std::vector<CoroutineCall> Calls) {
  UnitFacts U;
  U.Calls = std::move(Calls);
  return U;
}

/// "a>b>c; d>c": the callers along each path, and the function at its end.
std::string loops(const std::vector<UnitFacts> &Units, llvm::StringRef Function) {
  const CallGraph Graph(Units);
  std::vector<std::string> Shown;
  for (const CallGraph::Path &P : Graph.loopsReaching(Function)) {
    std::vector<std::string> Names;
    for (const CoroutineCall *C : P)
      Names.push_back(C->Caller);
    Names.push_back(P.back()->Callee);
    Shown.push_back(llvm::join(Names, ">"));
  }
  return llvm::join(Shown, "; ");
}

TEST(CallGraph, FollowsCallsBackToTheLoopAcrossUnits) {
  EXPECT_EQ(loops({unit({call("step", "read", 9)}), unit({call("run", "step", 5, true)})}, "read"),
            "run>step>read");
}

TEST(CallGraph, KnowsNoLoopWhereNoCallRepeats) {
  EXPECT_EQ(loops({unit({call("step", "read", 9), call("run", "step", 5)})}, "read"), "");
  EXPECT_EQ(loops({unit({call("run", "write", 5, true)})}, "read"), "");
}

TEST(CallGraph, GivesOnePathForEachLoopSortedByPlace) {
  EXPECT_EQ(loops({unit({call("b", "read", 7, true), call("a", "read", 3, true)})}, "read"),
            "a>read; b>read");
  EXPECT_EQ(loops({unit({call("a", "read", 3, true), call("a", "read", 3, true)})}, "read"),
            "a>read"); // two units see one header
}

TEST(CallGraph, EndsWhereFunctionsCallEachOther) {
  EXPECT_EQ(loops({unit({call("a", "b", 1), call("b", "a", 2, true), call("b", "b", 3)})}, "b"),
            "b>a>b");
}

TEST(CallGraph, GoesOnAboveALoop) {
  EXPECT_EQ(loops({unit({call("in", "read", 2, true), call("out", "in", 1, true)})}, "read"),
            "out>in>read; in>read");
}

TEST(CallGraph, TellsWhoReachesAFunction) {
  const std::vector<UnitFacts> Units = {
      unit({call("step", "read", 1), call("run", "step", 2), call("run", "write", 3)})};
  const CallGraph Graph(Units);
  llvm::StringSet<> Read;
  Read.insert("read");
  std::vector<std::string> Names;
  const llvm::StringSet<> Reaching = Graph.reaching(Read);
  for (llvm::StringRef Name : Reaching.keys())
    Names.push_back(Name.str());
  llvm::sort(Names);
  EXPECT_EQ(llvm::join(Names, " "), "read run step");
}

} // namespace
} // namespace cancel_tools
