// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: how awaiting a task starts it, and by what name its awaiter knows its promise.
#ifndef CANCEL_ANALYSIS_AWAITERSHAPE_H
#define CANCEL_ANALYSIS_AWAITERSHAPE_H

#include "TaskType.h"
#include "TranslationUnit.h"

#include "clang/AST/DeclCXX.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// What one await_suspend does with the task. Places and expressions are those of its definition.
struct AwaiterShape {
  /// As instantiated, and as the source spells it.
  const clang::CXXMethodDecl *Definition = nullptr;
  const clang::CXXMethodDecl *Spelled = nullptr;
  /// The handle of the awaiting coroutine.
  const clang::ParmVarDecl *Parent = nullptr;
  /// `Parent` is a std::coroutine_handle<>, which does not tell its promise.
  bool IsErased = false;
  /// It hands the slot down already.
  bool Adopts = false;
  /// The task's promise and the operator that accesses it: "coroutine.promise()." or "promise->".
  std::string Promise;
  /// The statement of the body before which that names the task, which has not run there yet.
  const clang::Stmt *Before = nullptr;
  /// Mentions of `Parent` that need the erased type.
  std::vector<const clang::Expr *> Erasing;
  /// Why it cannot hand a slot down; completes "not rewritten: ...". What the others say is then
  /// incomplete.
  std::string Refusal;
};

AwaiterShape awaiterShapeOf(TranslationUnit &, const AwaitedTask &);

} // namespace cancel_tools

#endif
