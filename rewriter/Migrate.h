// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run from compile commands to report: the order of the stages, and nothing else.
#ifndef CANCEL_REWRITER_MIGRATE_H
#define CANCEL_REWRITER_MIGRATE_H

#include "Collect.h"

namespace cancel_tools {

/// What the user asked for.
struct Request {
  Project From;
  Scope Within;
  ParseSettings Settings;
  std::vector<EnabledCheck> Checks;
  bool Apply = false;
};

/// Prints the patch on standard output, unless it is applied, and the report on standard error.
/// Returns the exit code.
int migrate(const Request &, const Workers &);

} // namespace cancel_tools

#endif
