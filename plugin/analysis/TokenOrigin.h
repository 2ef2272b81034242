// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: whether a token expression names the same stop state throughout a part of a coroutine.
#ifndef CANCEL_ANALYSIS_TOKENORIGIN_H
#define CANCEL_ANALYSIS_TOKENORIGIN_H

#include "Suspension.h"

#include "clang/AST/Expr.h"

#include <string>

namespace cancel_tools {

struct TokenOrigin {
  enum Kind {
    Same,     ///< the same stop state wherever it is evaluated in the region
    Varies,   ///< a different one on each turn, by construction: an element, something awaited
    Unproven, ///< it may be the same, but `Reason` stands against relying on that
  } What = Unproven;
  /// What is `Same`: the expression, with locals of the region replaced by what initialised them;
  /// every variable in it is declared before the region. Also of what is `Unproven` and names a
  /// variable or member from before the region.
  const clang::Expr *Expression = nullptr;
  /// Completes "not rewritten: ...".
  std::string Reason;
};

/// Judges `Token` (as StopUse gives it) over `Region`, a loop or block of the coroutine's body that
/// contains it, or over the part of it that begins at `From`. Conservative: `Same` holds whatever
/// else runs while the coroutine is suspended, but for one thing that is taken on trust: what a
/// `const std::stop_token &` parameter or range variable refers to stays as it is. Linear in the
/// body.
TokenOrigin originOf(const clang::Expr &Token, const Coroutine &, const clang::Stmt &Region,
                     clang::SourceLocation From = {});

} // namespace cancel_tools

#endif
