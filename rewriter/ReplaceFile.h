// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file gets a new text at one moment.
#ifndef CANCEL_REWRITER_REPLACEFILE_H
#define CANCEL_REWRITER_REPLACEFILE_H

#include "llvm/ADT/StringRef.h"

#include <system_error>

namespace cancel_tools {

/// Replaces an existing file: at any moment it holds the old text or the new one, durable before it
/// takes the name. Permissions are kept, and the owner where the user may give files away.
std::error_code replaceFile(llvm::StringRef File, llvm::StringRef Text);

/// Makes a file, or replaces it, in the same way.
enum class Readers { UserAlone, AsUsual };
std::error_code createFile(llvm::StringRef File, llvm::StringRef Text, Readers Who);

/// The same for a file that may be lost when the machine stops: it does not wait for the disk.
std::error_code createLosableFile(llvm::StringRef File, llvm::StringRef Text);

/// Makes what was renamed, created or removed in a directory durable.
std::error_code syncDirectory(llvm::StringRef Directory);

} // namespace cancel_tools

#endif
