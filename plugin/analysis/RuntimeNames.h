// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How rewritten code names the runtime at one place, without colliding with what is there.
#ifndef CANCEL_ANALYSIS_RUNTIMENAMES_H
#define CANCEL_ANALYSIS_RUNTIMENAMES_H

#include "TranslationUnit.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// "cancel::", or "::cancel::" where the user's own nested name would hide the runtime's namespace.
struct Qualifier {
  std::string Text;
  /// Why there is none.
  std::string Refusal;
};

/// Judged for the text of that coroutine's body. Refused where the program has a `cancel` at global
/// scope that the runtime would collide with.
Qualifier runtimeQualifier(TranslationUnit &, const Coroutine &);

/// The same for the class's list of bases.
Qualifier runtimeQualifier(TranslationUnit &, const clang::CXXRecordDecl &);

/// The first names that the coroutine's outermost function does not mention: cancel_slot,
/// cancel_slot2 ...
std::vector<std::string> freeSlotNames(TranslationUnit &, const Coroutine &, unsigned Count);

} // namespace cancel_tools

#endif
