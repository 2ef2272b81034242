// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the types as written; never into a lambda, whose types are its own.
#include "CallbackSpelling.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Collects those places below a declaration's type and the expressions that register.
class SpellingFinder : public RecursiveASTVisitor<SpellingFinder> {
public:
  SpellingFinder(const SourceEdits &Edits, std::string Guard, bool Instantiated)
      : Edits(Edits), Guard(std::move(Guard)), Instantiated(Instantiated) {}

  Spellings Result;

  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Type) {
    const TemplateDecl *Template = Type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (Template && isKnown(*Template->getTemplatedDecl(), KnownType::StopCallback))
      spellName(Type.getTemplateNameLoc());
    else if (isKnown(QualType(Type.getTypePtr(), 0), KnownType::StopCallback))
      spellAlias(Type.getTemplateNameLoc(), Type.getEndLoc());
    return true;
  }
  /// `std::stop_callback cb(st, f);`, also through an alias template.
  bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc Type) {
    const TemplateDecl *Template = Type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (const auto *Alias = dyn_cast_or_null<TypeAliasTemplateDecl>(Template))
      if (const auto *Aliased =
              Alias->getTemplatedDecl()->getUnderlyingType()->getAs<TemplateSpecializationType>())
        Template = Aliased->getTemplateName().getAsTemplateDecl();
    if (Template && isKnown(*Template->getTemplatedDecl(), KnownType::StopCallback))
      spellName(Type.getTemplateNameLoc());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Type) { return visitAlias(Type); }
  bool VisitUsingTypeLoc(UsingTypeLoc Type) { return visitAlias(Type); }
  bool VisitSubstTemplateTypeParmTypeLoc(SubstTemplateTypeParmTypeLoc Type) {
    if (isKnown(QualType(Type.getTypePtr(), 0), KnownType::StopCallback))
      Result.Refusal = "its type is a template parameter, which may be another type elsewhere";
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseCoawaitExpr(CoawaitExpr *E, DataRecursionQueue * = nullptr) {
    return TraverseStmt(E->getOperand());
  }

private:
  template <typename AliasTypeLoc>
  bool visitAlias(AliasTypeLoc Type) {
    const QualType Named(Type.getTypePtr(), 0);
    if (isKnown(Named, KnownType::StopCallback))
      spellAlias(Type.getEndLoc(), Type.getEndLoc());
    else if (isKnown(Named, KnownType::Optional) || isKnown(Named, KnownType::UniquePtr))
      Result.Refusal =
          llvm::formatv("its type is spelled through the alias '{0}', which other code may use",
                        Edits.text(Type.getEndLoc()).value_or("?"));
    return true;
  }

  void spellName(SourceLocation Name) { add({Edits.qualifiedNameBegin(Name), Name}, Guard); }

  /// `Alias cb(st, f)`: the alias stays as it is and names the callback's type.
  void spellAlias(SourceLocation Name, SourceLocation End) {
    if (Instantiated) {
      Result.Refusal =
          "its type is spelled through a name that may mean another type in other instantiations";
      return;
    }
    const SourceRange Range(Edits.qualifiedNameBegin(Name), End);
    const std::optional<std::string> Alias = Edits.text(Range);
    add(Range, llvm::formatv("{0}<{1}::callback_type>", Guard, Alias.value_or("")));
  }

  void add(SourceRange Range, const std::string &Text) {
    const auto IsSame = [&](const Spelling &Other) { return Other.Range == Range; };
    if (llvm::none_of(Result.Found, IsSame))
      Result.Found.push_back({Range, Text});
  }

  const SourceEdits &Edits;
  std::string Guard;
  bool Instantiated;
};

} // namespace

Spellings spellingsOf(const SourceEdits &Edits, const VarDecl &Variable,
                      llvm::ArrayRef<const Expr *> Registering, llvm::StringRef Guard,
                      bool Instantiated) {
  SpellingFinder Finder(Edits, Guard.str(), Instantiated);
  Finder.TraverseTypeLoc(Variable.getTypeSourceInfo()->getTypeLoc());
  for (const Expr *E : Registering)
    Finder.TraverseStmt(const_cast<Expr *>(E));
  Spellings Result = std::move(Finder.Result);
  if (Result.Refusal.empty() && Result.Found.empty())
    Result.Refusal =
        "the type of the callback is not spelled here: it comes from a function or another "
        "declaration";
  return Result;
}

} // namespace cancel_tools
