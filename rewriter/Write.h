// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stage 4: the only code of the tool that changes a file of the user's.
#ifndef CANCEL_REWRITER_WRITE_H
#define CANCEL_REWRITER_WRITE_H

#include "Decide.h"

namespace cancel_tools {

/// What became of the plan.
struct Written {
  size_t Files = 0;
  /// Files that could not be replaced; each is as it was.
  std::vector<Failure> Failures;
};

/// Replaces each file that the plan edits, atomically: at any moment the file holds the old text or
/// the new one, durable before it takes the name. Permissions are kept, and the owner where the
/// user may give files away. A group whose files are not as they were when the plan was made is
/// withdrawn first, whole.
Written write(Plan &);

} // namespace cancel_tools

#endif
