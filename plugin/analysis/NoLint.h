// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINT comments, read by the analysis itself: a suppressed place must leave its edit group before
// the group forms.
#ifndef CANCEL_ANALYSIS_NOLINT_H
#define CANCEL_ANALYSIS_NOLINT_H

#include "llvm/ADT/StringRef.h"

namespace cancel_tools {

/// Whether a comment of the file silences `CheckName` at `Line` (from 1): NOLINT on the line,
/// NOLINTNEXTLINE on the line before, or an enclosing NOLINTBEGIN ... NOLINTEND; each with no list,
/// or with a list of globs in parentheses that matches the name, as clang-tidy reads them. Linear
/// in the size of the file.
bool isSuppressed(llvm::StringRef FileText, unsigned Line, llvm::StringRef CheckName);

} // namespace cancel_tools

#endif
