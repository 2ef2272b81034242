// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of Finding.h as JSON, for they cross from one process to another.
#ifndef CANCEL_ANALYSIS_FINDINGJSON_H
#define CANCEL_ANALYSIS_FINDINGJSON_H

#include "Finding.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace cancel_tools {

// JSON holds Unicode only. Names and messages that are not are repaired; the text of an edit comes
// back byte for byte.

llvm::json::Value toJSON(const Location &);
llvm::json::Value toJSON(const Note &);
llvm::json::Value toJSON(const Edit &);
llvm::json::Value toJSON(const Finding &);

/// Each reads what `toJSON` wrote, as LLVM's `fromJSON` do.
bool fromJSON(const llvm::json::Value &, Location &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Note &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Edit &, llvm::json::Path);
bool fromJSON(const llvm::json::Value &, Finding &, llvm::json::Path);

/// A text of people's.
llvm::json::Value readable(llvm::StringRef);

/// A table of strings as an object, which LLVM's `fromJSON` reads back.
llvm::json::Value toJSON(const std::map<std::string, std::string> &);

/// A list of values for which there is a `toJSON`.
template <class T>
llvm::json::Array toJSONArray(const std::vector<T> &Values) {
  llvm::json::Array Result;
  for (const T &V : Values)
    Result.push_back(toJSON(V));
  return Result;
}

/// ObjectMapper::map for `unsigned` and `size_t`; LLVM 19 reads 64-bit numbers only.
template <class Number>
bool mapNumber(llvm::json::ObjectMapper &O, llvm::StringLiteral Key, Number &Out) {
  uint64_t Wide = 0;
  if (!O.map(Key, Wide))
    return false;
  Out = static_cast<Number>(Wide);
  return true;
}

} // namespace cancel_tools

#endif
