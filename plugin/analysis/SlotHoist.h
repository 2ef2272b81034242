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

/// The edits that turn one holder's callbacks into guards of the slot `SlotName` and declare that
/// slot as planned, or the reason why not. Two holders with one plan and one name render the same
/// declaration.
struct HoistEdits {
  std::vector<Edit> Edits;
  std::string Refusal;
};
HoistEdits renderHoist(TranslationUnit &, const Coroutine &, const StopUse &, unsigned HolderIndex,
                       const SlotPlan &, const std::string &SlotName);

} // namespace cancel_tools

#endif
