// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks' pages, compiled in: an installed binary explains itself.
#ifndef CANCEL_REWRITER_PAGES_H
#define CANCEL_REWRITER_PAGES_H

#include "llvm/ADT/StringRef.h"

namespace cancel_tools {

/// The text of docs/checks/<CheckName>.md; empty if there is no such page.
llvm::StringRef pageOf(llvm::StringRef CheckName);

} // namespace cancel_tools

#endif
