// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: where the program has just made sure that an optional or a pointer holds nothing.
#ifndef CANCEL_ANALYSIS_EMPTINESS_H
#define CANCEL_ANALYSIS_EMPTINESS_H

#include "StopUse.h"
#include "Suspension.h"

#include "clang/AST/Expr.h"

namespace cancel_tools {

/// Whether a condition whose value is `Outcome` shows that the holder is empty: `!o`,
/// `o == std::nullopt`, `!o.has_value() && more`, `p.get() == nullptr`. Linear in the condition.
bool showsEmpty(const clang::Expr &Condition, bool Outcome, const Holder &);

/// Whether `S` is executed only if the holder was just found empty, tested anew on each turn of the
/// innermost loop around `S`: by an if, a loop's own condition, `?:`, `&&` or `||`.
bool isReachedOnlyEmpty(const clang::Stmt &S, const Coroutine &, const Holder &);

} // namespace cancel_tools

#endif
