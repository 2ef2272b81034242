// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the promise's class and its bases as they are spelled.
#include "PromiseShape.h"
#include "PromiseFamily.h"
#include "TaskType.h"
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Whether the class or one of its bases is one for which `Is` holds.
bool isOrDerivesFrom(const CXXRecordDecl &Class,
                     llvm::function_ref<bool(const CXXRecordDecl &)> Is) {
  return Is(Class) ||
         (Class.hasDefinition() && llvm::any_of(Class.bases(), [&](const CXXBaseSpecifier &Base) {
            const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
            return Of && isOrDerivesFrom(*Of, Is);
          }));
}

/// The members of that name that the class has or inherits.
llvm::SmallVector<const NamedDecl *, 2> membersNamed(const CXXRecordDecl &Class,
                                                     llvm::StringRef Name) {
  llvm::SmallVector<const NamedDecl *, 2> Found;
  const IdentifierInfo &Id = Class.getASTContext().Idents.get(Name);
  isOrDerivesFrom(Class, [&](const CXXRecordDecl &In) {
    for (const NamedDecl *D : In.lookup(&Id))
      Found.push_back(D->getUnderlyingDecl());
    return false;
  });
  return Found;
}

/// Whether the body only returns its parameter, forwarded or not: what else it does would be done
/// once more.
bool passesThrough(const FunctionDecl &F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F.getBody());
  const auto *Return =
      Body && Body->size() == 1 ? dyn_cast<ReturnStmt>(Body->body_front()) : nullptr;
  if (!Return || !Return->getRetValue())
    return false;
  const Expr *Value = Return->getRetValue()->IgnoreParenImpCasts();
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(Value))
    Value = Cast->getSubExpr()->IgnoreParenImpCasts();
  else if (const auto *Call = dyn_cast<CallExpr>(Value); Call && Call->getNumArgs() == 1) {
    const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
    const auto *Overloads = dyn_cast<OverloadExpr>(Callee);
    const auto *Mention = dyn_cast<DeclRefExpr>(Callee);
    const std::string Name = Overloads ? Overloads->getName().getAsString()
                             : Mention ? Mention->getNameInfo().getAsString()
                                       : "";
    if (Name != "forward" && Name != "move")
      return false;
    Value = Call->getArg(0)->IgnoreParenImpCasts();
  }
  const auto *Mention = dyn_cast<DeclRefExpr>(Value);
  return Mention && Mention->getDecl() == F.getParamDecl(0);
}

/// `template <class T> auto await_transform(T &&)` that nothing constrains.
bool takesAnything(const NamedDecl &D) {
  const auto *Template = dyn_cast<FunctionTemplateDecl>(&D);
  if (!Template || Template->getTemplatedDecl()->isDeleted() ||
      Template->getTemplateParameters()->size() != 1 || Template->hasAssociatedConstraints() ||
      Template->getTemplatedDecl()->getNumParams() != 1)
    return false;
  const auto *Type = dyn_cast<TemplateTypeParmDecl>(Template->getTemplateParameters()->getParam(0));
  const QualType Parameter =
      Template->getTemplatedDecl()->getParamDecl(0)->getType().getNonReferenceType();
  const auto *Named = Parameter->getAs<TemplateTypeParmType>();
  return Type && Named && Named->getDepth() == Type->getDepth() &&
         Named->getIndex() == Type->getIndex() && passesThrough(*Template->getTemplatedDecl());
}

} // namespace

PromiseShape promiseShapeOf(TranslationUnit &Unit, const Coroutine &C) {
  PromiseShape Shape;
  const CXXRecordDecl *Promise = C.promise();
  if (!Promise || !Promise->hasDefinition()) {
    Shape.Reason = "its promise is no class";
    return Shape;
  }
  const auto Transforms = membersNamed(*Promise, "await_transform");
  Shape.TakesSlotFor = Transforms.empty() || llvm::any_of(Transforms, [](const NamedDecl *D) {
                         return takesAnything(*D);
                       });
  Shape.IsGenerator = !membersNamed(*Promise, "yield_value").empty();
  const auto IsFrame = [](const CXXRecordDecl &Class) {
    return isKnown(Class, KnownType::StopFrame);
  };
  if (isOrDerivesFrom(*Promise, IsFrame)) {
    Shape.What = PromiseShape::Embedded;
    return Shape;
  }
  const auto Cannot = [&](llvm::StringRef Why) {
    return llvm::formatv(
               "the promise of '{0}' {1}, so it cannot hand slots down",
               C.function().getReturnType().getAsString(Unit.context().getPrintingPolicy()), Why)
        .str();
  };
  if (Unit.sources().isInSystemHeader(Promise->getLocation()))
    Shape.Reason = Cannot("stands in a system header");
  else if (const std::string Why = promiseFamilyOf(Unit, *Promise, taskOf(C)).Refusal; !Why.empty())
    Shape.Reason = Cannot("cannot be a cancel::stop_frame: " + Why);
  else
    Shape.What = PromiseShape::Embeddable;
  return Shape;
}

} // namespace cancel_tools
