// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at classes as they were instantiated: only there is it known what a co_await calls.
#include "TaskType.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"

namespace cancel_tools {

using namespace clang;

namespace {

const IdentifierInfo &identifier(const Decl &D, llvm::StringRef Name) {
  return D.getASTContext().Idents.get(Name);
}

/// The call of await_suspend in what a co_await was made into.
const CXXMethodDecl *suspendCalledIn(const Expr *Suspend) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const CXXMethodDecl *Found = nullptr;
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) {
      const CXXMethodDecl *Method = Call->getMethodDecl();
      if (Method && Method->getIdentifier() && Method->getName() == "await_suspend")
        Found = Method;
      return !Found;
    }
  } F;
  if (Suspend)
    F.TraverseStmt(const_cast<Expr *>(Suspend));
  return F.Found;
}

/// `return false;`, whatever the object.
bool saysNo(const FunctionDecl &F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F.getBody());
  const auto *Return =
      Body && Body->size() == 1 ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  const auto *Value = Return && Return->getRetValue()
                          ? dyn_cast<CXXBoolLiteralExpr>(Return->getRetValue()->IgnoreImpCasts())
                          : nullptr;
  return Value && !Value->getValue();
}

const FunctionDecl *inheritedFunction(const CXXRecordDecl &Class, llvm::StringRef Name) {
  const FunctionDecl *Found = nullptr;
  const auto LookIn = [&](const CXXRecordDecl &In) {
    for (const NamedDecl *D : In.lookup(&identifier(In, Name)))
      if (!Found)
        Found = dyn_cast<FunctionDecl>(D->getUnderlyingDecl());
    return !Found;
  };
  if (LookIn(Class))
    static_cast<void>(Class.forallBases([&](const CXXRecordDecl *Base) { return LookIn(*Base); }));
  return Found;
}

} // namespace

const CXXRecordDecl *taskOf(const Coroutine &C) {
  return C.function().getReturnType().getNonReferenceType()->getAsCXXRecordDecl();
}

const CXXRecordDecl *TaskTypes::promiseOf(const CXXRecordDecl &Task) const {
  if (!Task.hasDefinition())
    return nullptr;
  const TypeDecl *Named = nullptr;
  const auto LookIn = [&](const CXXRecordDecl &Class) {
    for (const NamedDecl *D : Class.lookup(&identifier(Class, "promise_type")))
      if (const auto *Type = dyn_cast<TypeDecl>(D->getUnderlyingDecl()))
        Named = Type;
    return !Named;
  };
  if (LookIn(Task))
    static_cast<void>(Task.forallBases([&](const CXXRecordDecl *Base) { return LookIn(*Base); }));
  if (const auto *Alias = dyn_cast_or_null<TypedefNameDecl>(Named))
    return Alias->getUnderlyingType()->getAsCXXRecordDecl();
  if (Named)
    return dyn_cast<CXXRecordDecl>(Named);
  // A specialisation of std::coroutine_traits: some coroutine here tells.
  return Promises.lookup(Task.getCanonicalDecl());
}

TaskTypes::TaskTypes(TranslationUnit &Unit) {
  for (const Coroutine &C : Unit.coroutines())
    if (const CXXRecordDecl *Task = taskOf(C))
      Promises.try_emplace(Task->getCanonicalDecl(), C.promise());
}

std::vector<AwaitedTask> TaskTypes::awaitedIn(const Coroutine &C) const {
  std::vector<AwaitedTask> Found;
  for (const CoroutineSuspendExpr *Point : suspensionsIn(C.body())) {
    const auto *Await = dyn_cast<CoawaitExpr>(Point);
    if (!Await)
      continue;
    AwaitedTask T;
    T.Task = Await->getOperand()->getType().getNonReferenceType()->getAsCXXRecordDecl();
    T.Promise = T.Task ? promiseOf(*T.Task) : nullptr;
    T.Suspend = T.Promise ? suspendCalledIn(Await->getSuspendExpr()) : nullptr;
    if (T.Suspend)
      Found.push_back(T);
  }
  return Found;
}

std::string whyEager(const CXXRecordDecl &Promise) {
  const FunctionDecl *Initial = inheritedFunction(Promise, "initial_suspend");
  const CXXRecordDecl *Awaiter =
      Initial ? Initial->getReturnType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  const FunctionDecl *Ready =
      Awaiter && Awaiter->hasDefinition() ? inheritedFunction(*Awaiter, "await_ready") : nullptr;
  const FunctionDecl *Final = inheritedFunction(Promise, "final_suspend");
  if (Final && isNeverSuspendingAwaiter(Final->getReturnType()))
    return "its coroutines end by themselves, with final_suspend: nothing says that they end "
           "before "
           "the one that awaits them";
  if (Awaiter && (isKnown(*Awaiter, KnownType::AlwaysSuspends) || (Ready && saysNo(*Ready))))
    return {};
  return "its coroutines may run before they are awaited: initial_suspend does not give "
         "std::suspend_always";
}

} // namespace cancel_tools
