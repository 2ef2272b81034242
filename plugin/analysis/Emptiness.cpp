// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads conditions as the program would evaluate them; what they do not say is not assumed.
#include "Emptiness.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"

namespace cancel_tools {

using namespace clang;

namespace {

bool isHolder(const Expr &E, const Holder &H) {
  const Expr *Object = E.IgnoreParenImpCasts();
  if (H.Member) {
    const auto *Access = dyn_cast<MemberExpr>(Object);
    if (!Access || Access->getMemberDecl() != H.Member)
      return false;
    Object = Access->getBase()->IgnoreParenImpCasts();
  }
  const auto *Reference = dyn_cast<DeclRefExpr>(Object);
  return Reference && Reference->getDecl() == H.Variable;
}

/// `o`, `o.has_value()` or `p.get()`: true, or not null, if and only if the holder is filled.
bool tellsWhetherFilled(const Expr &E, const Holder &H) {
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    return Method && (isa<CXXConversionDecl>(Method) || testsWhetherFilled(*Method)) &&
           isHolder(*Call->getImplicitObjectArgument(), H);
  }
  return isHolder(E, H);
}

/// An == or != of the holder and an empty value, which of both it is.
std::optional<BinaryOperatorKind> comparisonWithEmpty(const Expr &E, const Holder &H) {
  BinaryOperatorKind Kind;
  const Expr *Left, *Right;
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(&E)) {
    const auto Written = Rewritten->getDecomposedForm();
    Kind = Written.Opcode, Left = Written.LHS, Right = Written.RHS;
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
             Call && Call->isComparisonOp() && Call->getNumArgs() == 2) {
    Kind = BinaryOperator::getOverloadedOpcode(Call->getOperator());
    Left = Call->getArg(0), Right = Call->getArg(1);
  } else if (const auto *Builtin = dyn_cast<BinaryOperator>(&E)) {
    Kind = Builtin->getOpcode(), Left = Builtin->getLHS(), Right = Builtin->getRHS();
  } else {
    return std::nullopt;
  }
  if (Kind != BO_EQ && Kind != BO_NE)
    return std::nullopt;
  if (namesNothing(*Left))
    std::swap(Left, Right);
  if (!namesNothing(*Right) || !tellsWhetherFilled(*Left->IgnoreParenImpCasts(), H))
    return std::nullopt;
  return Kind;
}

/// What `Above` knows when it executes its child `Below`.
bool knowsEmpty(const Stmt &Above, const Stmt &Below, const Holder &H) {
  if (const auto *If = dyn_cast<IfStmt>(&Above))
    return (&Below == If->getThen() || &Below == If->getElse()) &&
           showsEmpty(*If->getCond(), &Below == If->getThen(), H);
  if (const auto *While = dyn_cast<WhileStmt>(&Above))
    return &Below == While->getBody() && showsEmpty(*While->getCond(), true, H);
  if (const auto *For = dyn_cast<ForStmt>(&Above))
    return &Below == For->getBody() && For->getCond() && showsEmpty(*For->getCond(), true, H);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(&Above))
    return &Below != Choice->getCond() &&
           showsEmpty(*Choice->getCond(), &Below == Choice->getTrueExpr(), H);
  if (const auto *Operator = dyn_cast<BinaryOperator>(&Above); Operator && Operator->isLogicalOp())
    return &Below == Operator->getRHS() &&
           showsEmpty(*Operator->getLHS(), Operator->getOpcode() == BO_LAnd, H);
  return false;
}

} // namespace

bool showsEmpty(const Expr &Condition, bool Outcome, const Holder &H) {
  const Expr &E = *Condition.IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(&E); Not && Not->getOpcode() == UO_LNot)
    return showsEmpty(*Not->getSubExpr(), !Outcome, H);
  if (const auto *Operator = dyn_cast<BinaryOperator>(&E); Operator && Operator->isLogicalOp())
    return Outcome == (Operator->getOpcode() == BO_LAnd) &&
           (showsEmpty(*Operator->getLHS(), Outcome, H) ||
            showsEmpty(*Operator->getRHS(), Outcome, H));
  if (const auto Comparison = comparisonWithEmpty(E, H))
    return Outcome == (*Comparison == BO_EQ);
  return !Outcome && tellsWhetherFilled(E, H);
}

bool isReachedOnlyEmpty(const Stmt &S, const Coroutine &C, const Holder &H) {
  const Stmt *Below = &S;
  while (const Stmt *Above = C.parents().getParent(Below)) {
    if (knowsEmpty(*Above, *Below, H))
      return true;
    if (turns(*Above, *Below))
      return false;
    Below = Above;
  }
  return false;
}

} // namespace cancel_tools
