// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Through whose promises a slot could come from a loop to the registrations that its calls make:
// over the facts of one translation unit or of all.
#ifndef CANCEL_ANALYSIS_SLOTCHAINS_H
#define CANCEL_ANALYSIS_SLOTCHAINS_H

#include "CallGraph.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace cancel_tools {

/// One way from a loop to a coroutine that registers.
struct SlotChain {
  const CoroutineCall *Loop = nullptr;
  /// The promises of the coroutines on the way: that of the loop's first, that of the registering
  /// one last. Functions that are no coroutines have none.
  std::vector<llvm::StringRef> Promises;
};

/// Sorted by the places of the loops. `CanHave` tells of a promise whether its coroutines could
/// have the slot or hand it down; ways through one that could not are left out.
std::vector<SlotChain> slotChainsTo(llvm::StringRef Function, const CallGraph &,
                                    llvm::function_ref<bool(llvm::StringRef Promise)> CanHave);

/// Promises by their keys, joined where one awaiter may meet both: they are embedded together.
class PromiseGroups {
public:
  void join(llvm::ArrayRef<std::string> Promises);
  /// The name of the group is that of one of its promises. The promise was joined before, if only
  /// with itself.
  llvm::StringRef groupOf(llvm::StringRef Promise) const;

private:
  llvm::IntEqClasses Classes;
  llvm::StringMap<unsigned> Numbers;
  std::vector<llvm::StringRef> Keys;
};

} // namespace cancel_tools

#endif
