// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As JSON: what several of the files between stages hold.
#ifndef CANCEL_REWRITER_STAGEJSON_H
#define CANCEL_REWRITER_STAGEJSON_H

#include "Collect.h"

#include "llvm/Support/JSON.h"

// LLVM's json looks for conversions in the namespace of what is converted.
namespace clang::tooling {

llvm::json::Value toJSON(const CompileCommand &);
bool fromJSON(const llvm::json::Value &, CompileCommand &, llvm::json::Path);

} // namespace clang::tooling

namespace cancel_tools {

llvm::json::Value toJSON(const ParseSettings &);
bool fromJSON(const llvm::json::Value &, ParseSettings &, llvm::json::Path);

llvm::json::Value toJSON(const Failure &);
bool fromJSON(const llvm::json::Value &, Failure &, llvm::json::Path);

} // namespace cancel_tools

#endif
