// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that this program writes for itself.
#ifndef CANCEL_REWRITER_JSONFILE_H
#define CANCEL_REWRITER_JSONFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace cancel_tools {

/// Writes the file, or replaces it, at one moment; its directory exists. Not made durable: what
/// such a file holds can be computed again.
std::error_code writeJsonFile(llvm::StringRef File, const llvm::json::Value &);

/// Errors do not name the file.
llvm::Expected<llvm::json::Value> readJsonFile(llvm::StringRef File);

/// Version of the files that stand between stages; the facts in them have one of their own.
inline constexpr int StageFormat = 1;

/// Reads such a file's fields with `Read`. Errors name the file, and the field if it is one.
llvm::Error readStageFile(llvm::StringRef File,
                          llvm::function_ref<bool(llvm::json::ObjectMapper &)> Read);

/// Writes one; `Fields` need not have the format.
llvm::Error writeStageFile(llvm::StringRef File, llvm::json::Object Fields);

} // namespace cancel_tools

#endif
