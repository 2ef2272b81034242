// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: a stop callback that is registered while the coroutine is suspended, and what repeats that.
#ifndef CANCEL_ANALYSIS_REGISTRATIONSITE_H
#define CANCEL_ANALYSIS_REGISTRATIONSITE_H

#include "StopUse.h"

#include <memory>
#include <vector>

namespace cancel_tools {

/// One registration that is alive at a suspension point.
struct RegistrationSite {
  const Coroutine *In = nullptr;
  /// Shared by the sites of one coroutine.
  std::shared_ptr<const StopUse> Use;
  unsigned Index = 0;
  const clang::Expr *Suspension = nullptr;
  /// The innermost loop whose turns register; null where the control flow repeats without one
  /// (goto).
  const clang::Stmt *Loop = nullptr;
  /// Turns of this coroutine's own register, with the same token.
  bool Repeats = false;
  /// Nothing in this coroutine repeats it, and the token comes from outside: whoever calls the
  /// coroutine may register again with the same.
  bool OncePerCall = false;

  const Registration &registration() const { return Use->Registrations[Index]; }
  const Holder &holder() const { return Use->Holders[registration().HolderIndex]; }
};

/// In source order. A fill that only an empty holder gets, or one with another token on each turn,
/// does not repeat.
std::vector<RegistrationSite> registrationSites(const Coroutine &);

} // namespace cancel_tools

#endif
