// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks a name up as the compiler would, and in the text as a reader would.
#include "RuntimeNames.h"
#include "SourceEdits.h"
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

bool names(const TemplateParameterList *Parameters, const IdentifierInfo &Name) {
  return Parameters && llvm::any_of(*Parameters, [&](const NamedDecl *Parameter) {
           return Parameter->getIdentifier() == &Name;
         });
}

/// Whether the function or class was instantiated from a template with a parameter of that name,
/// which its text can use. An instantiation has no such scope, so lookup cannot tell.
bool isTemplateParameter(const DeclContext &Scope, const IdentifierInfo &Name) {
  if (const auto *Function = dyn_cast<FunctionDecl>(&Scope)) {
    const FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
    if (!Pattern)
      Pattern = Function;
    // A member that is defined outside of its class names the class's parameters anew.
    for (unsigned I = 0; I != Pattern->getNumTemplateParameterLists(); ++I)
      if (names(Pattern->getTemplateParameterList(I), Name))
        return true;
    const FunctionTemplateDecl *Template = Pattern->getDescribedFunctionTemplate();
    return Template && names(Template->getTemplateParameters(), Name);
  }
  const auto *Class = dyn_cast<CXXRecordDecl>(&Scope);
  if (!Class)
    return false;
  if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
    Class = Pattern;
  if (const auto *Partial = dyn_cast<ClassTemplatePartialSpecializationDecl>(Class))
    return names(Partial->getTemplateParameters(), Name);
  const ClassTemplateDecl *Template = Class->getDescribedClassTemplate();
  return Template && names(Template->getTemplateParameters(), Name);
}

/// Whether a type or namespace of that name is nearer than a global one, or as near, seen from the
/// scope or, where that is a class, from before its members.
bool isHiddenIn(const DeclContext &From, const IdentifierInfo &Name) {
  const auto IsQualifier = [](const NamedDecl *D) {
    return isa<NamespaceDecl, NamespaceAliasDecl, TypeDecl>(D->getUnderlyingDecl());
  };
  const auto Declares = [&](const DeclContext &Scope) {
    return llvm::any_of(Scope.lookup(&Name), IsQualifier);
  };
  for (const DeclContext *Scope = &From; Scope; Scope = Scope->getParent()) {
    if (isTemplateParameter(*Scope, Name))
      return true;
    if (Scope->isFunctionOrMethod() || (Scope == &From && Scope->isRecord()))
      continue;
    if (!Scope->isTranslationUnit() && Declares(*Scope))
      return true;
    for (const UsingDirectiveDecl *Using : Scope->using_directives())
      if (Declares(*Using->getNominatedNamespace()))
        return true;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Scope); Class && Class->hasDefinition())
      if (!Class->forallBases([&](const CXXRecordDecl *Base) { return !Declares(*Base); }))
        return true;
  }
  return false;
}

bool isDeclaredIn(const Stmt &Body, const IdentifierInfo &Name) {
  struct LocalFinder : RecursiveASTVisitor<LocalFinder> {
    const IdentifierInfo *Name = nullptr;
    bool VisitNamedDecl(NamedDecl *D) {
      return D->getIdentifier() != Name || !isa<NamespaceAliasDecl, TypeDecl>(D);
    }
  } Local;
  Local.Name = &Name;
  return !Local.TraverseStmt(const_cast<Stmt *>(&Body));
}

/// Whether a class of the runtime's name is the runtime's: it stands in a directory of that name
/// and is constructed from what the runtime's is, a token or a slot.
bool isRuntimes(const NamedDecl &D, TranslationUnit &Unit) {
  const SourceManager &Sources = Unit.sources();
  const FileID File = Sources.getFileID(Sources.getExpansionLoc(D.getLocation()));
  if (!llvm::StringRef(Unit.realPath(File)).contains("/" + runtime::Namespace.str() + "/"))
    return false;
  const auto *Template = dyn_cast<ClassTemplateDecl>(&D);
  const auto *Class = Template ? Template->getTemplatedDecl() : dyn_cast<CXXRecordDecl>(&D);
  if (!Class) // an alias, as the configurations have it, or a deduction guide
    return true;
  if (!Class->hasDefinition() || isKnown(*Class, KnownType::StopFrame))
    return true;
  const auto TakesTokenOrSlot = [](const CXXConstructorDecl &Made) {
    if (Made.getNumParams() == 0 || Made.isCopyOrMoveConstructor())
      return false;
    const QualType First = Made.getParamDecl(0)->getType().getNonReferenceType();
    return First->isDependentType() || isKnown(First, KnownType::StopToken) ||
           isKnown(First, KnownType::RuntimeHolder);
  };
  struct Finder : RecursiveASTVisitor<Finder> {
    llvm::function_ref<bool(const CXXConstructorDecl &)> Wanted;
    bool VisitCXXConstructorDecl(CXXConstructorDecl *Made) { return !Wanted(*Made); }
  } Find{{}, TakesTokenOrSlot};
  return !Find.TraverseDecl(const_cast<CXXRecordDecl *>(Class->getDefinition()));
}

/// Why the runtime's names cannot be used in this unit; empty if they can.
std::string whyTaken(TranslationUnit &Unit) {
  ASTContext &Context = Unit.context();
  const IdentifierInfo &Name = Context.Idents.get(runtime::Namespace);
  for (const NamedDecl *Global : Context.getTranslationUnitDecl()->lookup(&Name)) {
    const auto *Namespace = dyn_cast<NamespaceDecl>(Global);
    if (!Namespace)
      return "the program declares a global '" + runtime::Namespace.str() +
             "' of its own, so the runtime's namespace cannot be used";
    for (llvm::StringRef Taken : {runtime::Slot, runtime::Guard, runtime::Frame})
      for (const NamedDecl *D : Namespace->lookup(&Context.Idents.get(Taken)))
        if (!isRuntimes(*D, Unit))
          return llvm::formatv("the program has a '{0}::{1}' of its own", runtime::Namespace,
                               Taken);
  }
  return {};
}

Qualifier qualifierWhere(TranslationUnit &Unit,
                         llvm::function_ref<bool(const IdentifierInfo &)> IsHidden) {
  if (std::string Refusal = whyTaken(Unit); !Refusal.empty())
    return {{}, std::move(Refusal)};
  const bool Hidden = IsHidden(Unit.context().Idents.get(runtime::Namespace));
  return {(Hidden ? "::" : "") + runtime::Namespace.str() + "::", {}};
}

} // namespace

Qualifier runtimeQualifier(TranslationUnit &Unit, const Coroutine &C) {
  return qualifierWhere(Unit, [&](const IdentifierInfo &Name) {
    return isHiddenIn(C.function(), Name) || isDeclaredIn(*C.outermostFunction().getBody(), Name);
  });
}

Qualifier runtimeQualifier(TranslationUnit &Unit, const CXXRecordDecl &Class) {
  return qualifierWhere(Unit, [&](const IdentifierInfo &Name) { return isHiddenIn(Class, Name); });
}

std::vector<std::string> freeSlotNames(TranslationUnit &Unit, const Coroutine &C, unsigned Count) {
  const SourceEdits Source(Unit);
  const SourceRange Function = C.outermostFunction().getSourceRange();
  std::vector<std::string> Free;
  std::string Name = runtime::SlotVariable.str();
  for (unsigned Suffix = 2; Free.size() != Count; ++Suffix) {
    if (!Source.mentions(Function, Name))
      Free.push_back(Name);
    Name = llvm::formatv("{0}{1}", runtime::SlotVariable, Suffix);
  }
  return Free;
}

} // namespace cancel_tools
