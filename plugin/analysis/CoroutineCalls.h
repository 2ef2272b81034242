// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: which functions call which coroutines, and where a loop does so on every turn.
#ifndef CANCEL_ANALYSIS_COROUTINECALLS_H
#define CANCEL_ANALYSIS_COROUTINECALLS_H

#include "Fact.h"
#include "TranslationUnit.h"

#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// How facts name a function or class: the USR of the template that it was instantiated from, or
/// its own; with the place where there is no other name, of a lambda for instance.
std::string entityKey(TranslationUnit &, const clang::NamedDecl &);

/// Quoted, or "a lambda".
std::string nameForPeople(const clang::FunctionDecl &);

/// The calls of a body, nested lambdas left out, whose result it awaits, directly or through a
/// local variable, or returns for its own caller to await. What is handed to somebody else is none:
/// who knows when, and beside what, that runs.
std::vector<const clang::CallExpr *> awaitedCalls(const clang::Stmt &Body);

/// Appends the coroutines of the translation unit, and the awaited calls of its functions, members
/// and lambdas. A call of a virtual function is one of each function here that overrides it. Linear
/// in the size of the bodies.
void findCalls(TranslationUnit &, std::vector<CoroutineFact> &, std::vector<CoroutineCall> &);

/// The arguments of a call that are stop tokens, as StopUse gives tokens.
std::vector<const clang::Expr *> tokensIn(const clang::CallExpr &);

} // namespace cancel_tools

#endif
