// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works on the classes as they are spelled, dependent bases included: what is edited is the
// template, and not what a unit happens to instantiate.
#include "PromiseFamily.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

using Classes = llvm::SmallVector<const CXXRecordDecl *, 2>;

/// The class that a type in a template names, or the template that it specialises.
const CXXRecordDecl *classNamedBy(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class)
    if (const auto *Of = Type.getCanonicalType()->getAs<TemplateSpecializationType>())
      if (const auto *Template =
              dyn_cast_or_null<ClassTemplateDecl>(Of->getTemplateName().getAsTemplateDecl()))
        Class = Template->getTemplatedDecl();
  if (!Class)
    return nullptr;
  const CXXRecordDecl &Spelled = spelledClass(*Class);
  return Spelled.hasDefinition() ? &Spelled : nullptr;
}

/// The class, and the other specialisations of its template that are defined.
Classes withSpecialisations(const CXXRecordDecl &Spelled) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Spelled);
  ClassTemplateDecl *Template =
      Special ? Special->getSpecializedTemplate() : Spelled.getDescribedClassTemplate();
  if (!Template)
    return {&Spelled};
  Classes Found;
  const auto Add = [&](const CXXRecordDecl *Class) {
    if (Class->hasDefinition())
      Found.push_back(Class->getDefinition());
  };
  Add(Template->getTemplatedDecl());
  llvm::SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partials;
  Template->getPartialSpecializations(Partials);
  for (const auto *Partial : Partials)
    Add(Partial);
  for (const auto *Full : Template->specializations())
    if (Full->getSpecializationKind() == TSK_ExplicitSpecialization)
      Add(Full);
  return Found;
}

const IdentifierInfo &identifier(const Decl &D, llvm::StringRef Name) {
  return D.getASTContext().Idents.get(Name);
}

/// The class's own member of that name.
const NamedDecl *ownMember(const CXXRecordDecl &Class, llvm::StringRef Name) {
  for (const NamedDecl *D : Class.lookup(&identifier(Class, Name)))
    if (!isa<UsingDecl, UsingShadowDecl>(D))
      return D;
  return nullptr;
}

/// The class or the first of its bases, as they are spelled, for which `Is` holds.
const CXXRecordDecl *firstOf(const CXXRecordDecl &Class,
                             llvm::function_ref<bool(const CXXRecordDecl &)> Is) {
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen; // a template may derive from itself
  Classes Work{&Class};
  while (!Work.empty()) {
    const CXXRecordDecl *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (Is(*Next))
      return Next;
    if (Next->hasDefinition())
      for (const CXXBaseSpecifier &Base : Next->bases())
        if (const CXXRecordDecl *Of = classNamedBy(Base.getType()))
          Work.push_back(Of);
  }
  return nullptr;
}

bool isFrame(const CXXRecordDecl &Class) { return isKnown(Class, KnownType::StopFrame); }

class ReceiverFinder {
public:
  explicit ReceiverFinder(const SourceManager &Sources) : Sources(Sources) {}

  void add(const CXXRecordDecl &Class) {
    if (firstOf(Class, isFrame) || !Seen.insert(&Class).second)
      return;
    if (const CXXRecordDecl *Base = ownMember(Class, "final_suspend") ? nullptr : baseOf(Class))
      for (const CXXRecordDecl *Each : withSpecialisations(*Base))
        add(*Each);
    else
      Found.push_back(&Class);
  }

  Classes Found;

private:
  /// The base from which the class has its final_suspend, if that can be edited.
  const CXXRecordDecl *baseOf(const CXXRecordDecl &Class) const {
    for (const CXXBaseSpecifier &Base : Class.bases()) {
      const CXXRecordDecl *Of = classNamedBy(Base.getType());
      if (Of && !Base.isVirtual() && Base.getAccessSpecifier() == AS_public &&
          !Sources.isInSystemHeader(Of->getLocation()) &&
          firstOf(*Of, [](const CXXRecordDecl &C) { return ownMember(C, "final_suspend"); }))
        return Of;
    }
    return nullptr;
  }

  const SourceManager &Sources;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
};

/// Members that stop_frame has too, and that rewritten code calls or a reader would mistake.
constexpr llvm::StringLiteral FrameMembers[] = {"adopt", "request_stop", "stop_requested"};

std::string refusalOf(const PromiseFamily &Family, const SourceManager &Sources) {
  for (const CXXRecordDecl *Promise : Family.Promises)
    for (llvm::StringRef Name : FrameMembers)
      if (const CXXRecordDecl *Owner = firstOf(*Promise, [&](const CXXRecordDecl &Class) {
            return !isFrame(Class) && ownMember(Class, Name);
          }))
        return llvm::formatv("'{0}' has a member '{1}' of its own, as cancel::stop_frame has",
                             nameOf(*Owner), Name);
  for (const CXXRecordDecl *Class : Family.Receivers) {
    const std::string Name = nameOf(*Class);
    if (Sources.isInSystemHeader(Class->getLocation()))
      return llvm::formatv("'{0}' stands in a system header", Name);
    if (Class->isUnion())
      return llvm::formatv("'{0}' is a union, which has no bases", Name);
    if (Class->getBeginLoc().isMacroID() || Class->getBraceRange().getBegin().isMacroID())
      return llvm::formatv("'{0}' is made by a macro", Name);
  }
  return {};
}

/// The promise that the class itself names, as it is spelled.
const CXXRecordDecl *namedPromise(const CXXRecordDecl &Task) {
  const auto *Type = dyn_cast_or_null<TypeDecl>(ownMember(Task, "promise_type"));
  if (const auto *Alias = dyn_cast_or_null<TypedefNameDecl>(Type))
    return classNamedBy(Alias->getUnderlyingType());
  const auto *Nested = dyn_cast_or_null<CXXRecordDecl>(Type);
  return Nested && Nested->hasDefinition() ? Nested->getDefinition() : nullptr;
}

} // namespace

std::string nameOf(const CXXRecordDecl &Class) {
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  Class.getNameForDiagnostic(Stream, Class.getASTContext().getPrintingPolicy(), /*Qualified=*/true);
  return Name;
}

const CXXRecordDecl &spelledClass(const CXXRecordDecl &Class) {
  const CXXRecordDecl *Pattern = Class.getTemplateInstantiationPattern();
  const CXXRecordDecl &Spelled = Pattern ? *Pattern : Class;
  return Spelled.hasDefinition() ? *Spelled.getDefinition() : Spelled;
}

PromiseFamily promiseFamilyOf(TranslationUnit &Unit, const CXXRecordDecl &Promise,
                              const CXXRecordDecl *Task) {
  PromiseFamily Family;
  const auto Add = [&](const CXXRecordDecl &Spelled) {
    for (const CXXRecordDecl *Each : withSpecialisations(Spelled))
      if (!llvm::is_contained(Family.Promises, Each))
        Family.Promises.push_back(Each);
  };
  Add(spelledClass(Promise));
  if (Task)
    for (const CXXRecordDecl *Each : withSpecialisations(spelledClass(*Task)))
      if (const CXXRecordDecl *Named = namedPromise(*Each))
        Add(*Named);

  const SourceManager &Sources = Unit.sources();
  const auto InOrder = [&](const CXXRecordDecl *A, const CXXRecordDecl *B) {
    return Sources.isBeforeInTranslationUnit(A->getLocation(), B->getLocation());
  };
  ReceiverFinder Finder(Sources);
  for (const CXXRecordDecl *Each : Family.Promises)
    Finder.add(*Each);
  Family.Receivers = std::move(Finder.Found);
  llvm::sort(Family.Promises, InOrder);
  llvm::sort(Family.Receivers, InOrder);
  Family.Refusal = refusalOf(Family, Sources);
  return Family;
}

} // namespace cancel_tools
