// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the type is fixed, the handle converts by itself; where it is deduced, it must be told to.
#include "HandleUse.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace cancel_tools {

using namespace clang;

namespace {

enum class Use {
  Converts, ///< by itself
  Erases,   ///< if converted explicitly
  Fixed,    ///< is about the variable itself, or its type
};

bool isHandle(QualType Type) { return isKnown(Type, KnownType::CoroutineHandle); }

bool isMutableReference(QualType Type) {
  return Type->isLValueReferenceType() && !Type.getNonReferenceType().isConstQualified();
}

/// Whether the parameter is declared as `T &&` with a T that is deduced.
bool isForwarding(const FunctionDecl &Callee, unsigned Index) {
  const FunctionDecl *Pattern = Callee.getTemplateInstantiationPattern();
  if (!Callee.getPrimaryTemplate() || !Pattern || Pattern->getNumParams() == 0)
    return false;
  QualType Type = Pattern->getParamDecl(std::min(Index, Pattern->getNumParams() - 1))->getType();
  if (const auto *Pack = Type->getAs<PackExpansionType>())
    Type = Pack->getPattern();
  return Type->isRValueReferenceType();
}

/// An argument of a call: a template deduces from it.
Use useAsArgument(const FunctionDecl *Callee, unsigned Index) {
  if (!Callee || Index >= Callee->getNumParams()) // by `...`
    return Use::Erases;
  if (isMutableReference(Callee->getParamDecl(Index)->getType()) && !isForwarding(*Callee, Index))
    return Use::Fixed;
  // An overload that is a template would fit better.
  const bool IsOverloaded =
      !isa<CXXConstructorDecl>(Callee) &&
      llvm::any_of(Callee->getDeclContext()->lookup(Callee->getDeclName()),
                   [](const NamedDecl *D) { return isa<FunctionTemplateDecl>(D); });
  return Callee->getPrimaryTemplate() || IsOverloaded ? Use::Erases : Use::Converts;
}

template <typename Call>
unsigned indexOf(const Call &In, const Stmt *Argument) {
  unsigned I = 0;
  while (I != In.getNumArgs() && In.getArg(I) != Argument)
    ++I;
  return I;
}

Use useAsInitialiser(const DeclStmt &Declaration, const Stmt *Initialiser) {
  for (const Decl *D : Declaration.decls()) {
    const auto *Variable = dyn_cast<VarDecl>(D);
    if (!Variable || Variable->getInit() != Initialiser)
      continue;
    const bool Deduced = Variable->getTypeSourceInfo()->getType()->getContainedDeducedType();
    if (isMutableReference(Variable->getType()))
      return Use::Fixed;
    return Deduced ? Use::Erases : Use::Converts;
  }
  return Use::Fixed;
}

class UseReader {
public:
  UseReader(const FunctionDecl &F, const ParentMap &Parents) : F(F), Parents(Parents) {}

  Use of(const Expr &Mention) const {
    const Stmt *Child = &Mention;
    bool Moved = false;
    for (const Stmt *At = Parents.getParent(Child); At; Child = At, At = Parents.getParent(At)) {
      if (isa<ImplicitCastExpr, ExprWithCleanups, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
              ParenExpr, ConstantExpr>(At))
        continue;
      if (const auto *Made = dyn_cast<CXXConstructExpr>(At)) {
        if (isHandle(Made->getType()) && !isa<CXXTemporaryObjectExpr>(Made))
          continue;
        // A class template's arguments may be deduced from it.
        return Made->getConstructor()->getParent()->getTemplateInstantiationPattern()
                   ? Use::Erases
                   : useAsArgument(Made->getConstructor(), indexOf(*Made, Child));
      }
      if (const auto *Call = dyn_cast<CallExpr>(At)) {
        if (Call->isCallToStdMove()) {
          Moved = true;
          continue;
        }
        return useInCall(*Call, Child);
      }
      if (isa<ConditionalOperator>(At))
        return Use::Erases;
      if (isa<ExplicitCastExpr>(At))
        return Use::Converts;
      if (isa<MemberExpr>(At)) // resume(), done(), address() ...
        return Use::Converts;
      if (isa<ReturnStmt>(At))
        return isInLambda(*At) || F.getDeclaredReturnType()->getContainedDeducedType()
                   ? Use::Erases
                   : Use::Converts;
      if (const auto *Declaration = dyn_cast<DeclStmt>(At))
        return useAsInitialiser(*Declaration, Child);
      if (const auto *List = dyn_cast<InitListExpr>(At)) {
        const CXXRecordDecl *Class = List->getType()->getAsCXXRecordDecl();
        return Class && !Class->getTemplateInstantiationPattern() ? Use::Converts : Use::Erases;
      }
      if (isa<LambdaExpr>(At)) // a capture: what the lambda does with it is another mention
        return Use::Converts;
      return isa<Expr>(At) || Moved ? Use::Fixed : Use::Converts;
    }
    return Use::Converts;
  }

private:
  bool isInLambda(const Stmt &S) const {
    const Stmt *At = &S;
    while (At && !isa<LambdaExpr>(At))
      At = Parents.getParent(At);
    return At != nullptr;
  }

  static Use useInCall(const CallExpr &Call, const Stmt *Argument) {
    unsigned Index = indexOf(Call, Argument);
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
        Operator && isa_and_nonnull<CXXMethodDecl>(Callee)) {
      if (Index == 0)
        return Operator->isAssignmentOp() ? Use::Fixed : Use::Converts;
      --Index;
    }
    return useAsArgument(Callee, Index);
  }

  const FunctionDecl &F;
  const ParentMap &Parents;
};

} // namespace

std::string findErasingUses(TranslationUnit &Unit, const FunctionDecl &Definition,
                            const ParmVarDecl &Handle, std::vector<const Expr *> &Found) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const ParmVarDecl *Handle = nullptr;
    llvm::SmallVector<const Expr *, 4> Mentions;
    bool VisitDeclRefExpr(DeclRefExpr *E) {
      if (E->getDecl() == Handle && !llvm::is_contained(Mentions, E))
        Mentions.push_back(E);
      return true;
    }
  } F;
  F.Handle = &Handle;
  F.TraverseStmt(Definition.getBody());
  const ParentMap Parents(Definition.getBody());
  const UseReader Reader(Definition, Parents);
  for (const Expr *Mention : F.Mentions) {
    const Use How = Reader.of(*Mention);
    if (How == Use::Converts)
      continue;
    const unsigned Line = Unit.sources().getExpansionLineNumber(Mention->getExprLoc());
    if (How == Use::Fixed)
      return llvm::formatv("what line {0} does with '{1}' needs a std::coroutine_handle<>", Line,
                           Handle.getName());
    if (Mention->getBeginLoc().isMacroID())
      return llvm::formatv("a macro at line {0} uses '{1}' as a std::coroutine_handle<>", Line,
                           Handle.getName());
    Found.push_back(Mention);
  }
  return {};
}

} // namespace cancel_tools
