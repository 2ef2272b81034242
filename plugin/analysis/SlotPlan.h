// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where one registration for many turns can stand, if anywhere.
#ifndef CANCEL_ANALYSIS_SLOTPLAN_H
#define CANCEL_ANALYSIS_SLOTPLAN_H

#include "StopUse.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// Where a slot goes: before `Before`, for the token `Token`. Holders with equal plans share the
/// slot.
struct SlotPlan {
  /// The loop, or the declaration of a holder that outlives the loop's turns.
  const clang::Stmt *Before = nullptr;
  const clang::Expr *Token = nullptr;
  /// Why there is no place; then the others are null.
  std::string Refusal;
};

/// A plan for each of `Holders` (indices into the use's holders), in their order: before the
/// outermost loop around the holder in which the token is the same, and before the holder itself in
/// any case. All registrations of a holder must agree. Holders of one token in one block share the
/// earliest place.
std::vector<SlotPlan> planSlots(const Coroutine &, const StopUse &,
                                llvm::ArrayRef<unsigned> Holders);

/// The same where no loop of this coroutine repeats the registration, but other coroutines call it
/// in theirs: before the holder itself.
std::vector<SlotPlan> planSlotsOfCall(const Coroutine &, const StopUse &,
                                      llvm::ArrayRef<unsigned> Holders);

/// A slot for what the coroutine calls in a loop with that token: before the outermost loop around
/// the call in which the token can be named. Should other code give it another value meanwhile, the
/// callees do not find the slot, and lose nothing else.
SlotPlan planForCallees(const Coroutine &, const clang::Expr &Token, const clang::Stmt &Call);

/// Whether the coroutine itself asks for a slot of the stack for that token.
bool hasSlotFor(const Coroutine &, const clang::Expr &Token);

/// Whether a statement stands in, or is, the other.
bool isBelow(const clang::Stmt &, const clang::Stmt &Above, const Coroutine &);

/// Whether two expressions are spelled with the same meaning.
bool isSameExpression(const clang::Expr &, const clang::Expr &, const Coroutine &);

} // namespace cancel_tools

#endif
