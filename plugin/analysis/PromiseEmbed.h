// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repair: a promise that becomes a stop_frame, and an awaiter that hands the slot down to it.
#ifndef CANCEL_ANALYSIS_PROMISEEMBED_H
#define CANCEL_ANALYSIS_PROMISEEMBED_H

#include "AwaiterShape.h"
#include "Finding.h"
#include "PromiseFamily.h"
#include "TranslationUnit.h"

#include <string>
#include <vector>

namespace cancel_tools {

struct EmbedEdits {
  std::vector<Edit> Edits;
  std::string Refusal;
};

/// The base of all promises of the family. The edits are shared: another family may have the same
/// classes among its bases. None where there is nothing to do.
EmbedEdits renderFrameBase(TranslationUnit &, const PromiseFamily &);

/// The call of `adopt` before the task is started, from a handle that tells its promise. The shape
/// has no refusal and does not adopt.
EmbedEdits renderAdoption(TranslationUnit &, const AwaiterShape &);

} // namespace cancel_tools

#endif
