// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: which classes are tasks, what promises they have, and where they are awaited.
#ifndef CANCEL_ANALYSIS_TASKTYPE_H
#define CANCEL_ANALYSIS_TASKTYPE_H

#include "TranslationUnit.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// The class that the coroutine returns, or null where that is no class.
const clang::CXXRecordDecl *taskOf(const Coroutine &);

/// Why a coroutine with that promise may have run before somebody awaits it; empty if it has not.
std::string whyEager(const clang::CXXRecordDecl &Promise);

/// A co_await of a task, that is, of what a coroutine returned.
struct AwaitedTask {
  const clang::CXXRecordDecl *Task = nullptr;
  const clang::CXXRecordDecl *Promise = nullptr;
  /// The await_suspend that it calls, as instantiated.
  const clang::CXXMethodDecl *Suspend = nullptr;
};

/// The task types of a translation unit.
class TaskTypes {
public:
  explicit TaskTypes(TranslationUnit &);

  /// The promise of the coroutines that return the class; null if it is no task, as far as this
  /// unit tells.
  const clang::CXXRecordDecl *promiseOf(const clang::CXXRecordDecl &) const;
  /// Those of the coroutine's body, in source order.
  std::vector<AwaitedTask> awaitedIn(const Coroutine &) const;

private:
  /// By the classes that the unit's coroutines return.
  llvm::DenseMap<const clang::CXXRecordDecl *, const clang::CXXRecordDecl *> Promises;
};

} // namespace cancel_tools

#endif
