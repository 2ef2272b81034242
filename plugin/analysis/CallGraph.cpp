// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth first, so that the explanation of a finding is as short as it can be.
#include "CallGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>

namespace cancel_tools {

CallGraph::CallGraph(llvm::ArrayRef<UnitFacts> Units) {
  for (const UnitFacts &Unit : Units) {
    Calls.insert(Calls.end(), Unit.Calls.begin(), Unit.Calls.end());
    for (const CoroutineFact &C : Unit.Coroutines)
      Coroutines.try_emplace(C.Function, C);
  }
  // Many units see the calls of one header.
  const auto Key = [](const CoroutineCall &C) {
    return std::tie(C.At, C.Callee, C.Caller, C.Repeats);
  };
  llvm::sort(Calls,
             [&](const CoroutineCall &A, const CoroutineCall &B) { return Key(A) < Key(B); });
  Calls.erase(
      std::unique(Calls.begin(), Calls.end(),
                  [&](const CoroutineCall &A, const CoroutineCall &B) { return Key(A) == Key(B); }),
      Calls.end());
  for (const CoroutineCall &C : Calls)
    ByCallee[C.Callee].push_back(&C);
}

std::vector<CallGraph::Path> CallGraph::loopsReaching(llvm::StringRef Function) const {
  std::vector<Path> Found;
  llvm::StringMap<const CoroutineCall *> Next; // on the way from a function to `Function`
  const auto PathFrom = [&](const CoroutineCall *Call) {
    Path Whole;
    for (; Call; Call = Next.lookup(Call->Callee))
      Whole.push_back(Call);
    return Whole;
  };
  std::deque<llvm::StringRef> Work{Function};
  Next.try_emplace(Function, nullptr);
  while (!Work.empty() && Found.size() < MostLoops) {
    const auto Callers = ByCallee.find(Work.front());
    Work.pop_front();
    if (Callers == ByCallee.end())
      continue;
    for (const CoroutineCall *Call : Callers->second) {
      if (Call->Repeats)
        Found.push_back(PathFrom(Call));
      if (Next.try_emplace(Call->Caller, Call).second)
        Work.push_back(Call->Caller);
    }
  }
  llvm::sort(Found, [](const Path &A, const Path &B) { return A.front()->At < B.front()->At; });
  return Found;
}

llvm::StringSet<> CallGraph::reaching(const llvm::StringSet<> &Functions) const {
  llvm::StringSet<> Reaching;
  std::vector<llvm::StringRef> Work;
  const auto Add = [&](llvm::StringRef Function) {
    if (const auto [It, Fresh] = Reaching.insert(Function); Fresh)
      Work.push_back(It->getKey());
  };
  for (llvm::StringRef Function : Functions.keys())
    Add(Function);
  while (!Work.empty()) {
    const auto Callers = ByCallee.find(Work.back());
    Work.pop_back();
    if (Callers != ByCallee.end())
      for (const CoroutineCall *Call : Callers->second)
        Add(Call->Caller);
  }
  return Reaching;
}

const CoroutineFact *CallGraph::coroutine(llvm::StringRef Function) const {
  const auto It = Coroutines.find(Function);
  return It == Coroutines.end() ? nullptr : &It->second;
}

} // namespace cancel_tools
