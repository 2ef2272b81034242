// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repair: a stop slot before the loop, and the callbacks inside it turned into guards of that slot.
#ifndef CANCEL_ANALYSIS_SLOTHOIST_H
#define CANCEL_ANALYSIS_SLOTHOIST_H

#include "Finding.h"
#include "StopUse.h"
#include "TranslationUnit.h"

#include <optional>
#include <string>
#include <vector>

namespace cancel_tools {

/// Where a slot goes: before `Before`, for the token `Token`. Holders with equal plans share the
/// slot.
struct HoistPlan {
  /// The loop, or the declaration of a holder that outlives the loop's turns.
  const clang::Stmt *Before = nullptr;
  const clang::Expr *Token = nullptr;
  /// Why there is no place; then the others are null.
  std::string Refusal;
};

/// The outermost place for the slot of one holder: before the outermost loop around it in which the
/// token is the same, and before the holder itself in any case. All of the holder's registrations
/// must agree.
HoistPlan planHoist(const Coroutine &, const StopUse &, unsigned HolderIndex);

/// The edits that turn one holder's callbacks into guards of the slot `SlotName` and declare that
/// slot as planned, or the reason why not. Two holders with one plan and one name render the same
/// declaration.
struct HoistEdits {
  std::vector<Edit> Edits;
  std::string Refusal;
};
HoistEdits renderHoist(TranslationUnit &, const Coroutine &, const StopUse &, unsigned HolderIndex,
                       const HoistPlan &, const std::string &SlotName);

/// The nth name, from 1, that the coroutine's outermost function does not mention: cancel_slot,
/// cancel_slot2 ...
std::string freeSlotName(TranslationUnit &, const Coroutine &, unsigned Nth);

} // namespace cancel_tools

#endif
