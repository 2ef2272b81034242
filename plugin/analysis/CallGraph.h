// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops reach a coroutine, through whom: over the facts of one translation unit or of all.
#ifndef CANCEL_ANALYSIS_CALLGRAPH_H
#define CANCEL_ANALYSIS_CALLGRAPH_H

#include "Fact.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace cancel_tools {

/// The calls between coroutines that the units at hand show. A call through a pointer or a
/// std::function is none of them.
class CallGraph {
public:
  explicit CallGraph(llvm::ArrayRef<UnitFacts> Units);
  CallGraph(const CallGraph &) = delete;

  /// How a loop comes to call a function: the call that repeats, then the calls that lead from
  /// there to the function.
  using Path = std::vector<const CoroutineCall *>;

  /// With that many paths no further function is looked at.
  static constexpr std::size_t MostLoops = 64;

  /// A shortest path for each call in a loop that leads to the function, nearest first until there
  /// are `MostLoops`; sorted by the places of the calls. Linear in the number of calls.
  std::vector<Path> loopsReaching(llvm::StringRef Function) const;

  /// The given functions, and all that call them, directly or through others.
  llvm::StringSet<> reaching(const llvm::StringSet<> &Functions) const;

  /// What is known of a coroutine; null of a function that is none, or is not seen.
  const CoroutineFact *coroutine(llvm::StringRef Function) const;

private:
  std::vector<CoroutineCall> Calls;
  llvm::StringMap<std::vector<const CoroutineCall *>> ByCallee;
  llvm::StringMap<CoroutineFact> Coroutines;
};

} // namespace cancel_tools

#endif
