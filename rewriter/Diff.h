// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan as a patch.
#ifndef CANCEL_REWRITER_DIFF_H
#define CANCEL_REWRITER_DIFF_H

#include "Decide.h"

namespace cancel_tools {

/// Where a patch applies: the current directory if all the files are below it, else the nearest
/// directory above them all.
std::string patchRoot(const std::map<std::string, std::string> &NewTexts);

/// The unified diff from the files on disk to the new texts, made by the system's diff; `patch -p1`
/// and `git apply` take it in `Root`, unless it is coloured for people.
enum class DiffColors { No, Yes };
llvm::Expected<std::string> unifiedDiff(const std::map<std::string, std::string> &NewTexts,
                                        llvm::StringRef Root, DiffColors);

} // namespace cancel_tools

#endif
