// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries the loops around a holder from the inside out, as long as the token stays the same.
#include "SlotPlan.h"
#include "TokenOrigin.h"
#include "Vocabulary.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/FoldingSet.h"

namespace cancel_tools {

using namespace clang;

bool isBelow(const Stmt &S, const Stmt &Above, const Coroutine &C) {
  const Stmt *At = &S;
  while (At && At != &Above)
    At = C.parents().getParent(At);
  return At != nullptr;
}

bool isSameExpression(const Expr &A, const Expr &B, const Coroutine &C) {
  llvm::FoldingSetNodeID First, Second;
  A.Profile(First, C.function().getASTContext(), /*Canonical=*/true);
  B.Profile(Second, C.function().getASTContext(), /*Canonical=*/true);
  return First == Second;
}

namespace {

/// The statement of a block, or below a label of one, in which `S` stands: `for (init; ...)` for a
/// declaration in `init`.
const Stmt &statementOfBlock(const Coroutine &C, const Stmt &S) {
  const Stmt *At = &S;
  while (const Stmt *Parent = C.parents().getParent(At)) {
    if (isa<CompoundStmt, SwitchCase, LabelStmt>(Parent) || turns(*Parent, *At))
      break;
    At = Parent;
  }
  return *At;
}

SlotPlan refuse(std::string Reason) { return {nullptr, nullptr, std::move(Reason)}; }

/// An optional or pointer that is declared outside the loops and filled in one: the slot must
/// outlive it, so the token must hold from its declaration to the end of its block.
SlotPlan planBeforeHolder(const Registration &R, const Coroutine &C, const Stmt &Holder) {
  const Stmt *Block = C.parents().getParent(&Holder);
  while (isa_and_nonnull<SwitchCase, LabelStmt>(Block)) // the scope is that around the label
    Block = C.parents().getParent(Block);
  const TokenOrigin Origin = originOf(*R.Token, C, Block ? *Block : C.body(), Holder.getBeginLoc());
  if (Origin.What == TokenOrigin::Unproven)
    return refuse(Origin.Reason);
  if (Origin.What == TokenOrigin::Varies)
    return refuse("the token is declared after the variable that holds the callback");
  return {&Holder, Origin.Expression, {}};
}

/// Before the outermost loop in which the token is the same; or, if it need not be proven to be, in
/// which it can be named.
SlotPlan planBeforeLoops(const Coroutine &C, const Expr &Token, const Stmt &Repeated, bool Proven) {
  SlotPlan Outermost;
  for (const Stmt *Loop : C.loopsAround(Repeated)) {
    const TokenOrigin Origin = originOf(Token, C, *Loop);
    const bool Fits = Origin.What == TokenOrigin::Same ||
                      (!Proven && Origin.What == TokenOrigin::Unproven && Origin.Expression);
    if (!Fits) {
      if (!Outermost.Before)
        Outermost.Refusal = Origin.What == TokenOrigin::Varies
                                ? "the token is another one on each turn"
                                : Origin.Reason;
      break;
    }
    Outermost = {Loop, Origin.Expression, {}};
  }
  return Outermost;
}

SlotPlan planForTurns(const Registration &R, const Holder &H, const Coroutine &C) {
  if (!R.Token)
    return refuse("the token it is registered with cannot be seen here");
  const Stmt &Statement = statementOfBlock(C, *H.Declaration);
  SlotPlan Outermost = planBeforeLoops(C, *R.Token, Statement, /*Proven=*/true);
  if (Outermost.Before || !R.Call)
    return Outermost;
  // Before a holder that the same loop declares anew, a slot would register on every turn as well.
  const auto AroundHolder = C.loopsAround(Statement);
  const auto AroundCall = C.loopsAround(*R.Call);
  if (!AroundHolder.empty() && AroundHolder.front() == AroundCall.front())
    return Outermost;
  return planBeforeHolder(R, C, Statement);
}

/// Right before the holder, for one call of the coroutine.
SlotPlan planAtHolder(const Registration &R, const Holder &H, const Coroutine &C) {
  if (!R.Token)
    return refuse("the token it is registered with cannot be seen here");
  const Stmt &Statement = statementOfBlock(C, *H.Declaration);
  if (!R.Call && &Statement == H.Declaration) // the token is evaluated there and then
    return {&Statement, R.Token, {}};
  return planBeforeHolder(R, C, Statement);
}

using Planner = SlotPlan(const Registration &, const Holder &, const Coroutine &);

SlotPlan planOne(const Coroutine &C, const StopUse &Use, unsigned HolderIndex, Planner PlanFor) {
  SlotPlan Plan;
  for (const Registration &R : Use.Registrations) {
    if (R.HolderIndex != HolderIndex)
      continue;
    SlotPlan Own = PlanFor(R, Use.Holders[HolderIndex], C);
    if (!Own.Before)
      return Own;
    if (Plan.Before && (Plan.Before != Own.Before || !isSameExpression(*Plan.Token, *Own.Token, C)))
      return refuse("it is registered with different tokens");
    Plan = Own;
  }
  return Plan;
}

/// Two slots on one token would register twice, and their callbacks would run in another order than
/// those of one list.
void share(SlotPlan &A, SlotPlan &B, const Coroutine &C) {
  if (!A.Before || !B.Before || A.Before == B.Before || !isSameExpression(*A.Token, *B.Token, C))
    return;
  const SlotPlan &Earlier = A.Before->getBeginLoc() < B.Before->getBeginLoc() ? A : B;
  const SlotPlan &Later = &Earlier == &A ? B : A;
  if (!isa<DeclStmt>(Earlier.Before)) // a slot before a loop may stand in a block of its own
    return;
  const Stmt *Block = C.parents().getParent(Earlier.Before);
  if (!isa_and_nonnull<CompoundStmt>(Block) || !isBelow(*Later.Before, *Block, C))
    return;
  const TokenOrigin Origin = originOf(*Earlier.Token, C, *Block, Earlier.Before->getBeginLoc());
  if (Origin.What == TokenOrigin::Same)
    A.Before = B.Before = Earlier.Before;
}

} // namespace

static std::vector<SlotPlan> planTogether(const Coroutine &C, const StopUse &Use,
                                          llvm::ArrayRef<unsigned> Holders, Planner PlanFor) {
  std::vector<SlotPlan> Plans;
  Plans.reserve(Holders.size());
  for (unsigned HolderIndex : Holders)
    Plans.push_back(planOne(C, Use, HolderIndex, PlanFor));
  for (SlotPlan &A : Plans)
    for (SlotPlan &B : Plans)
      share(A, B, C);
  return Plans;
}

std::vector<SlotPlan> planSlots(const Coroutine &C, const StopUse &Use,
                                llvm::ArrayRef<unsigned> Holders) {
  return planTogether(C, Use, Holders, planForTurns);
}

std::vector<SlotPlan> planSlotsOfCall(const Coroutine &C, const StopUse &Use,
                                      llvm::ArrayRef<unsigned> Holders) {
  return planTogether(C, Use, Holders, planAtHolder);
}

SlotPlan planForCallees(const Coroutine &C, const Expr &Token, const Stmt &Call) {
  return planBeforeLoops(C, Token, Call, /*Proven=*/false);
}

bool hasSlotFor(const Coroutine &C, const Expr &Token) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const Coroutine &C;
    const Expr &Token;
    Finder(const Coroutine &C, const Expr &Token) : C(C), Token(Token) {}
    bool VisitCallExpr(CallExpr *Call) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      return !(Callee && givesSlotOfStack(*Callee) && Call->getNumArgs() == 1 &&
               isSameExpression(*withoutCopies(Call->getArg(0)), Token, C));
    }
    bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  } Find(C, Token);
  return !Find.TraverseStmt(const_cast<Stmt *>(&C.body()));
}

} // namespace cancel_tools
