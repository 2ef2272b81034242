// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: what a coroutine's promise knows of the slots of the coroutines that await it, or could
// know.
#ifndef CANCEL_ANALYSIS_PROMISESHAPE_H
#define CANCEL_ANALYSIS_PROMISESHAPE_H

#include "TranslationUnit.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace cancel_tools {

struct PromiseShape {
  enum Kind {
    Embedded,   ///< it is a stop_frame
    Embeddable, ///< it could be made one, as far as one can see
    Foreign,    ///< it can not, for `Reason`
  } What = Foreign;
  /// Completes "not rewritten: ...".
  std::string Reason;
  /// `co_await cancel::slot_for(token)` compiles in its coroutines, and does not suspend.
  bool TakesSlotFor = false;
  /// A generator never uses the slots of others.
  bool IsGenerator = false;

  /// Whether slot_for can find the slot of a coroutine below, now or once the promise is embedded.
  bool canShareSlots() const { return What != Foreign && TakesSlotFor && !IsGenerator; }
};

PromiseShape promiseShapeOf(TranslationUnit &, const Coroutine &);

} // namespace cancel_tools

#endif
