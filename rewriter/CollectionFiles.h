// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collection in a directory, for the stages that are run one by one.
#ifndef CANCEL_REWRITER_COLLECTIONFILES_H
#define CANCEL_REWRITER_COLLECTIONFILES_H

#include "Collect.h"

namespace cancel_tools {

/// Writes to a directory, made if need be: `units/*.json`, one for each collected unit with its
/// facts, and last `collection.json`, what was asked, which therefore stands only beside a whole
/// collection. Replaces a collection that is there. Each file is written atomically. Error: the
/// first file that cannot be written.
llvm::Error storeCollection(llvm::StringRef Directory, const Inquiry &, const Collection &);

/// Reads what `storeCollection` wrote. Errors name the file, and what in it is wrong.
llvm::Expected<std::pair<Inquiry, Collection>> loadCollection(llvm::StringRef Directory);

} // namespace cancel_tools

#endif
