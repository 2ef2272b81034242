// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repair: for each registration of a coroutine, and each call in its loops, the slot that would
// serve it.
#ifndef CANCEL_ANALYSIS_SLOTREPAIR_H
#define CANCEL_ANALYSIS_SLOTREPAIR_H

#include "Finding.h"
#include "PromiseShape.h"
#include "RegistrationSite.h"
#include "SlotPlan.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cancel_tools {

/// Stands in rendered edits for the slot's name, which depends on what else is rewritten; the judge
/// puts the name in its place.
inline constexpr llvm::StringLiteral SlotNamePlaceholder = "@slot@";

/// What could be edited at one place; as `Fact` has them.
struct Repair {
  std::string Group;
  std::vector<Edit> Edits;
  std::vector<Edit> Alternative;
  std::optional<std::string> Refusal;
  /// Of a call: groups whose slots, where they are made, serve it as well; then it needs none.
  std::vector<std::string> ServedBy;
};

/// The slots of the coroutines of one translation unit.
class SlotRepair {
public:
  explicit SlotRepair(TranslationUnit &);

  llvm::ArrayRef<RegistrationSite> sites(const Coroutine &) const;

  /// For a site that repeats: `Edits` has a slot before the loop, `Alternative` the same with the
  /// slot of the stack, if the promise allows that. For one that is made once per call:
  /// `Alternative` alone. Callbacks on one token share a slot.
  Repair ofSite(const Coroutine &, const RegistrationSite &) const;

  /// The calls that `ofCall` is for, in source order.
  std::vector<const clang::CallExpr *> calls(const Coroutine &) const;

  /// For a call in a loop that passes a token, or that calls a member of the same object which
  /// registers with a token of that object: a slot of the stack before the loop. Nothing where a
  /// slot that the coroutine has, or gets in any case, serves it.
  Repair ofCall(const Coroutine &, const clang::CallExpr &) const;

  /// Names that the outermost function of the coroutine does not mention, as many as it can need,
  /// up to a number that no sane function reaches.
  const std::vector<std::string> &slotNames(const Coroutine &);

private:
  struct PlannedCall {
    const clang::CallExpr *Call;
    SlotPlan Plan;
    const clang::Stmt *Scope; ///< of the slot; null if there is no place for one
  };
  struct Planned {
    const Coroutine *In;
    std::vector<RegistrationSite> Sites;
    std::vector<SlotPlan> Plans; ///< of `Sites`; empty for those that nothing repeats
    PromiseShape Promise;
    std::vector<PlannedCall> Calls;
  };

  const clang::Expr *tokenOf(const clang::CallExpr &) const;
  const clang::Expr *ownTokenOf(const clang::FunctionDecl &, unsigned Depth) const;
  std::string groupId(const SlotPlan &) const;

  TranslationUnit &Unit;
  llvm::DenseMap<const clang::FunctionDecl *, Planned> ByFunction;
  /// By outermost functions.
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> Candidates;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<std::string>> Names;
};

} // namespace cancel_tools

#endif
