// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the shortest way from each loop, as CallGraph gives it.
#include "SlotChains.h"

#include "llvm/ADT/STLExtras.h"

namespace cancel_tools {

std::vector<SlotChain> slotChainsTo(llvm::StringRef Function, const CallGraph &Calls,
                                    llvm::function_ref<bool(llvm::StringRef Promise)> CanHave) {
  std::vector<SlotChain> Found;
  for (const CallGraph::Path &P : Calls.loopsReaching(Function)) {
    SlotChain Chain;
    Chain.Loop = P.front();
    const auto Passes = [&](llvm::StringRef Through) {
      const CoroutineFact *C = Calls.coroutine(Through);
      if (!C) // returns what another coroutine gave it
        return true;
      Chain.Promises.push_back(C->Promise);
      return CanHave(C->Promise);
    };
    if (Passes(P.front()->Caller) &&
        llvm::all_of(P, [&](const CoroutineCall *Call) { return Passes(Call->Callee); }))
      Found.push_back(std::move(Chain));
  }
  return Found;
}

void PromiseGroups::join(llvm::ArrayRef<std::string> Promises) {
  for (const std::string &Promise : Promises) {
    const auto [It, Fresh] = Numbers.try_emplace(Promise, Keys.size());
    if (Fresh) {
      Keys.push_back(It->getKey());
      Classes.grow(Keys.size());
    }
    Classes.join(It->second, Numbers.lookup(Promises.front()));
  }
}

llvm::StringRef PromiseGroups::groupOf(llvm::StringRef Promise) const {
  return Keys[Classes.findLeader(Numbers.lookup(Promise))];
}

} // namespace cancel_tools
