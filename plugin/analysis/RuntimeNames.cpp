// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks a name up as the compiler would, and in the text as a reader would.
#include "RuntimeNames.h"
#include "SourceEdits.h"
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Whether a type or namespace of that name is nearer to the coroutine's body than a global one, or
/// as near.
bool isHidden(const IdentifierInfo &Name, const Coroutine &C) {
  const auto IsQualifier = [](const NamedDecl *D) {
    return isa<NamespaceDecl, NamespaceAliasDecl, TypeDecl>(D->getUnderlyingDecl());
  };
  const auto Declares = [&](const DeclContext &Scope) {
    return llvm::any_of(Scope.lookup(&Name), IsQualifier);
  };
  for (const DeclContext *Scope = C.function().getParent(); Scope; Scope = Scope->getParent()) {
    if (Scope->isFunctionOrMethod())
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
  struct LocalFinder : RecursiveASTVisitor<LocalFinder> {
    const IdentifierInfo *Name = nullptr;
    bool VisitNamedDecl(NamedDecl *D) {
      return D->getIdentifier() != Name || !isa<NamespaceAliasDecl, TypeDecl>(D);
    }
  } Local;
  Local.Name = &Name;
  return !Local.TraverseStmt(C.outermostFunction().getBody());
}

} // namespace

Qualifier runtimeQualifier(TranslationUnit &Unit, const Coroutine &C) {
  ASTContext &Context = Unit.context();
  const IdentifierInfo &Name = Context.Idents.get(runtime::Namespace);
  for (const NamedDecl *Global : Context.getTranslationUnitDecl()->lookup(&Name)) {
    const auto *Namespace = dyn_cast<NamespaceDecl>(Global);
    if (!Namespace)
      return {{},
              "the program declares a global '" + runtime::Namespace.str() +
                  "' of its own, so the runtime's namespace cannot be used"};
    for (llvm::StringRef Taken : {runtime::Slot, runtime::Guard})
      for (const NamedDecl *D : Namespace->lookup(&Context.Idents.get(Taken))) {
        const FileID File =
            Unit.sources().getFileID(Unit.sources().getExpansionLoc(D->getLocation()));
        if (!llvm::StringRef(Unit.realPath(File)).contains("/" + runtime::Namespace.str() + "/"))
          return {
              {},
              llvm::formatv("the program has a '{0}::{1}' of its own", runtime::Namespace, Taken)};
      }
  }
  return {(isHidden(Name, C) ? "::" : "") + runtime::Namespace.str() + "::", {}};
}

std::string freeSlotName(TranslationUnit &Unit, const Coroutine &C, unsigned Nth) {
  const SourceEdits Source(Unit);
  const SourceRange Function = C.outermostFunction().getSourceRange();
  std::string Name = runtime::SlotVariable.str();
  for (unsigned Suffix = 2;; ++Suffix) {
    if (!Source.mentions(Function, Name) && --Nth == 0)
      return Name;
    Name = llvm::formatv("{0}{1}", runtime::SlotVariable, Suffix);
  }
}

} // namespace cancel_tools
