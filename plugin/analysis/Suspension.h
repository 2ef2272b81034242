// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: where a coroutine suspends, which objects live across that, and what is executed again on
// every turn.
#ifndef CANCEL_ANALYSIS_SUSPENSION_H
#define CANCEL_ANALYSIS_SUSPENSION_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace cancel_tools {

/// Whether `Above` is a loop that executes its child `Below` on each turn: not the initialiser of a
/// for, nor the range of a range-for.
bool turns(const clang::Stmt &Above, const clang::Stmt &Below);

/// Words of which one is in every translation unit that defines, awaits or only passes on a
/// coroutine, be it in the standard header.
std::vector<llvm::StringRef> coroutineWords();

/// A coroutine with its control flow. Clang's CFG has no suspension edge: the co_await or co_yield
/// element itself is the suspension point. Awaits of std::suspend_never do not suspend and are no
/// points.
class Coroutine {
public:
  Coroutine(const clang::FunctionDecl &, const clang::CoroutineBodyStmt &);

  const clang::FunctionDecl &function() const { return *Function; }
  /// The statements the user wrote, without the promise and the implicit suspends.
  const clang::Stmt &body() const { return *Body; }
  /// The class of the promise.
  const clang::CXXRecordDecl *promise() const { return Promise; }
  /// The outermost function that contains this one: itself, unless it is a lambda or a local
  /// class's member.
  const clang::FunctionDecl &outermostFunction() const;
  /// True in an instantiation, where names in the source may mean something else elsewhere.
  bool isInstantiated() const;
  bool yields() const;
  bool hasLabels() const;

  /// Null where Clang can build no CFG.
  const clang::CFG *cfg() const;
  /// Parents of statements within the body.
  const clang::ParentMap &parents() const;

  /// The loops around a statement of the body, innermost first: those whose turns execute it. The
  /// initialiser of a for and the range of a range-for are executed once and so are outside.
  llvm::SmallVector<const clang::Stmt *, 4> loopsAround(const clang::Stmt &) const;

private:
  const clang::FunctionDecl *Function;
  const clang::Stmt *Body;
  const clang::CXXRecordDecl *Promise;
  mutable std::unique_ptr<clang::CFG> Graph;
  mutable std::unique_ptr<clang::ParentMap> Parents;
  mutable bool GraphTried = false;
};

/// A moment at which the liveness of something held by a local variable changes.
struct LifetimeEvent {
  /// The element of the CFG at which it happens: a declaration (then `Declared` is set), a call or
  /// an assignment.
  const clang::Stmt *At = nullptr;
  const clang::VarDecl *Declared = nullptr;
  /// Which lifetime begins; none when all lifetimes of `Holder` end.
  std::optional<unsigned> Begins;
  /// The variable whose destruction ends the lifetime.
  const clang::VarDecl *Holder = nullptr;
  /// The data member of `Holder` that is meant, null for the variable itself.
  const clang::FieldDecl *Member = nullptr;
};

/// What the control flow says about one lifetime.
struct Crossing {
  /// Suspension points at which it may be alive, in source order.
  llvm::SmallVector<const clang::Expr *, 4> Suspensions;
  /// Its beginning can be reached again from itself.
  bool Repeats = false;
};

/// One entry for each lifetime that `Events` begin, numbered 0 to `Count` - 1. A forward
/// may-analysis: linear in the size of the CFG for each pass, and as many passes as loops are deep.
std::vector<Crossing> crossings(const Coroutine &, llvm::ArrayRef<LifetimeEvent> Events,
                                unsigned Count);

/// The co_await and co_yield expressions below a statement, without those in lambdas.
llvm::SmallVector<const clang::CoroutineSuspendExpr *, 4> suspensionsIn(const clang::Stmt &);

} // namespace cancel_tools

#endif
