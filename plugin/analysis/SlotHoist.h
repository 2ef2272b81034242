// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repair: a stop slot before the loop, and the callbacks inside it turned into guards of that slot.
#ifndef CANCEL_ANALYSIS_SLOTHOIST_H
#define CANCEL_ANALYSIS_SLOTHOIST_H

#include "Finding.h"
#include "SlotPlan.h"
#include "StopUse.h"
#include "TranslationUnit.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// How a slot is declared.
enum class SlotForm {
  Own,     ///< `cancel::stop_slot cancel_slot(st);`
  OfStack, ///< `auto &&cancel_slot = co_await cancel::slot_for(st);`
};

struct SlotEdits {
  std::vector<Edit> Edits;
  std::string Refusal;
};

/// The edits that turn one holder's callbacks into guards of the slot `SlotName` and declare that
/// slot as planned, or the reason why not. Two holders with one plan and one name render the same
/// declaration.
SlotEdits renderHoist(TranslationUnit &, const Coroutine &, const StopUse &, unsigned HolderIndex,
                      const SlotPlan &, const std::string &SlotName, SlotForm);

/// The statement to whose end a slot at that place is there.
const clang::Stmt &slotScope(const SlotPlan &, const Coroutine &);

/// Whether a slot at the first plan's place, with that scope, is there for the same token at the
/// second's.
bool servesAlso(const SlotPlan &, const clang::Stmt &Scope, const SlotPlan &Other,
                const Coroutine &);

/// The edits that declare a slot, of the stack, for those that the coroutine calls.
SlotEdits renderSlotForCallees(TranslationUnit &, const Coroutine &, const SlotPlan &,
                               const std::string &SlotName);

} // namespace cancel_tools

#endif
