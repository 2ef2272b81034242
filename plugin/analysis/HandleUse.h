// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: what a function does with a handle that does not tell its promise, so that it could as well
// be one that does.
#ifndef CANCEL_ANALYSIS_HANDLEUSE_H
#define CANCEL_ANALYSIS_HANDLEUSE_H

#include "TranslationUnit.h"

#include "clang/AST/DeclCXX.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// The mentions of `Handle`, a std::coroutine_handle<>, that would compile no more, or mean
/// something else, if it were a std::coroutine_handle<P>, and would again if converted back. Why
/// that does not suffice, or nothing.
std::string findErasingUses(TranslationUnit &, const clang::FunctionDecl &Definition,
                            const clang::ParmVarDecl &Handle,
                            std::vector<const clang::Expr *> &Found);

} // namespace cancel_tools

#endif
