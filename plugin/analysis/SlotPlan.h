// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where one registration for many turns can stand, if anywhere.
#ifndef CANCEL_ANALYSIS_SLOTPLAN_H
#define CANCEL_ANALYSIS_SLOTPLAN_H

#include "StopUse.h"

#include <string>

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

/// The outermost place for the slot of one holder: before the outermost loop around it in which the
/// token is the same, and before the holder itself in any case. All of the holder's registrations
/// must agree.
SlotPlan planSlot(const Coroutine &, const StopUse &, unsigned HolderIndex);

} // namespace cancel_tools

#endif
