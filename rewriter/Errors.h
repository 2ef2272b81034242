// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the program says that it cannot go on.
#ifndef CANCEL_REWRITER_ERRORS_H
#define CANCEL_REWRITER_ERRORS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cancel_tools {

/// Says it on standard error and returns the exit code.
inline int fail(const llvm::Twine &Message) {
  llvm::errs() << "cancel-migrate: ";
  llvm::errs().changeColor(llvm::raw_ostream::RED, /*Bold=*/true) << "error: ";
  llvm::errs().resetColor() << Message << '\n';
  return 2;
}

inline int fail(llvm::Error E) { return fail(llvm::toString(std::move(E))); }

} // namespace cancel_tools

#endif
