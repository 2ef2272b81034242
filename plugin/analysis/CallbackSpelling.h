// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the type of a stop callback is written in the source, and what to write there instead.
#ifndef CANCEL_ANALYSIS_CALLBACKSPELLING_H
#define CANCEL_ANALYSIS_CALLBACKSPELLING_H

#include "SourceEdits.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// A place in the source where a stop callback's type is spelled, and what to write there.
struct Spelling {
  clang::SourceRange Range;
  std::string Text;
};

/// The places below a variable's type and the expressions that register in it; or why they cannot
/// be replaced.
struct Spellings {
  std::vector<Spelling> Found;
  std::string Refusal;
};

/// `Guard` is the qualified name of the guard template. In an instantiated template only names that
/// mean the same in every instantiation are replaced.
Spellings spellingsOf(const SourceEdits &, const clang::VarDecl &,
                      llvm::ArrayRef<const clang::Expr *> Registering, llvm::StringRef Guard,
                      bool Instantiated);

} // namespace cancel_tools

#endif
