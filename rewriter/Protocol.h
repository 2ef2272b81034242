// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the coordinator and a worker process tell each other.
#ifndef CANCEL_REWRITER_PROTOCOL_H
#define CANCEL_REWRITER_PROTOCOL_H

#include "Parse.h"

#include "llvm/Support/JSON.h"

namespace cancel_tools {

llvm::json::Value toJSON(const EnabledCheck &);
/// An array of them.
bool fromJSON(const llvm::json::Value &, std::vector<EnabledCheck> &, llvm::json::Path);

llvm::json::Value toJSON(const ParseRequest &);
llvm::json::Value toJSON(const ParseReport &);

/// Each reads what `toJSON` wrote; the error names the path of the value that is wrong.
llvm::Expected<ParseRequest> requestFromJSON(const llvm::json::Value &);
llvm::Expected<ParseReport> reportFromJSON(const llvm::json::Value &);

} // namespace cancel_tools

#endif
