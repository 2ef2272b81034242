// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the promise's class and its bases as they are spelled.
#include "PromiseShape.h"
#include "PromiseFamily.h"
#include "TaskType.h"
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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
  return Type && Named && Named->getDecl() == Type;
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
