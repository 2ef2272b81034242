// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the slot's place and renders the edits; each refusal says which condition failed.
#include "SlotHoist.h"
#include "LLVMCompat.h"
#include "SourceEdits.h"
#include "TokenOrigin.h"
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

/// The statement of a block below which `S` stands: `for (init; ...)` for a declaration in `init`.
const Stmt &statementOfBlock(const Coroutine &C, const Stmt &S) {
  const Stmt *At = &S;
  while (const Stmt *Parent = C.parents().getParent(At)) {
    if (isa<CompoundStmt>(Parent) || turns(*Parent, *At))
      break;
    At = Parent;
  }
  return *At;
}

/// A function that the callback calls and that waits for something elsewhere; null if there is none
/// or the body is not visible. The slot's destructor waits until the callbacks of all its guards
/// have returned, where each std::stop_callback waits for its own alone.
const FunctionDecl *blockingCalleeOf(const Expr &Callback) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const FunctionDecl *Found = nullptr;
    bool VisitCallExpr(CallExpr *Call) {
      if (const FunctionDecl *Callee = Call->getDirectCallee(); Callee && blocks(*Callee))
        Found = Callee;
      return !Found;
    }
  } F;
  const CXXRecordDecl *Class = Callback.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return nullptr;
  for (const CXXMethodDecl *Method : Class->methods())
    if (Method->getOverloadedOperator() == OO_Call && Method->hasBody())
      F.TraverseStmt(Method->getBody());
  return F.Found;
}

/// A place in the source where a stop callback's type is spelled, and what to write there.
struct Spelling {
  SourceRange Range;
  std::string Text;
};

/// Collects those places below a declaration's type and the expressions that register.
class SpellingFinder : public RecursiveASTVisitor<SpellingFinder> {
public:
  SpellingFinder(const SourceEdits &Edits, std::string Guard, bool Instantiated)
      : Edits(Edits), Guard(std::move(Guard)), Instantiated(Instantiated) {}

  std::vector<Spelling> Found;
  std::string Refusal;

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
      Refusal = "its type is a template parameter, which may be another type elsewhere";
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
      Refusal =
          llvm::formatv("its type is spelled through the alias '{0}', which other code may use",
                        Edits.text(Type.getEndLoc()).value_or("?"));
    return true;
  }

  void spellName(SourceLocation Name) { add({Edits.qualifiedNameBegin(Name), Name}, Guard); }

  /// `Alias cb(st, f)`: the alias stays as it is and names the callback's type.
  void spellAlias(SourceLocation Name, SourceLocation End) {
    if (Instantiated) {
      Refusal =
          "its type is spelled through a name that may mean another type in other instantiations";
      return;
    }
    const SourceRange Range(Edits.qualifiedNameBegin(Name), End);
    const std::optional<std::string> Alias = Edits.text(Range);
    add(Range, llvm::formatv("{0}<{1}::callback_type>", Guard, Alias.value_or("")));
  }

  void add(SourceRange Range, const std::string &Text) {
    const auto IsSame = [&](const Spelling &Other) { return Other.Range == Range; };
    if (llvm::none_of(Found, IsSame))
      Found.push_back({Range, Text});
  }

  const SourceEdits &Edits;
  std::string Guard;
  bool Instantiated;
};

/// "cancel::", or "::cancel::" where the user's own nested name would hide the runtime's namespace.
struct Qualifier {
  std::string Text;
  std::string Refusal;
};
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

Qualifier runtimeQualifier(const TranslationUnit &Unit, const Coroutine &C, ASTContext &Context) {
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

/// The ways into a statement other than through its beginning.
struct JumpFinder : RecursiveASTVisitor<JumpFinder> {
  llvm::SmallVector<const LabelDecl *, 4> Labels, Targets;
  /// Case labels of a switch around the statement.
  bool Cases = false;

  explicit JumpFinder(const Stmt &S) { TraverseStmt(const_cast<Stmt *>(&S)); }

  bool VisitLabelStmt(LabelStmt *S) {
    Labels.push_back(S->getDecl());
    return true;
  }
  bool VisitGotoStmt(GotoStmt *S) {
    Targets.push_back(S->getLabel());
    return true;
  }
  bool VisitSwitchCase(SwitchCase *) { return Cases = true; }
  bool TraverseSwitchStmt(SwitchStmt *S, DataRecursionQueue * = nullptr) {
    const bool Before = Cases;
    const bool Go = RecursiveASTVisitor::TraverseSwitchStmt(S);
    Cases = Before;
    return Go;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

bool isJumpedInto(const Stmt &S, const Coroutine &C) {
  const JumpFinder Inside(S);
  if (Inside.Cases)
    return true;
  if (Inside.Labels.empty())
    return false;
  const JumpFinder Everywhere(C.body());
  return llvm::any_of(Inside.Labels, [&](const LabelDecl *Label) {
    return llvm::count(Everywhere.Targets, Label) != llvm::count(Inside.Targets, Label);
  });
}

/// A declaration can stand before `Anchor` without a block of its own: no jump would cross it.
bool takesDeclaration(const Coroutine &C, const Stmt &Anchor) {
  const Stmt *Parent = C.parents().getParent(&Anchor);
  if (!Parent)
    return &Anchor != &C.body();
  if (!isa<CompoundStmt>(Parent) || C.hasLabels())
    return false;
  return !JumpFinder(*Parent).Cases;
}

std::optional<std::string> declareSlot(const SourceEdits &Source, const Coroutine &C,
                                       const HoistPlan &Plan, const std::string &Declaration,
                                       std::vector<Edit> &Result) {
  const Stmt *Anchor = Plan.Before;
  while (const auto *Attributed = dyn_cast_or_null<AttributedStmt>(C.parents().getParent(Anchor)))
    Anchor = Attributed;
  const SourceLocation Begin = Anchor->getBeginLoc();
  if (Begin.isMacroID())
    return "the loop is made by a macro";
  if (isJumpedInto(*Anchor, C))
    return "a goto or a case label leads into the loop, past its beginning";
  const std::string Indent = Source.indentation(Begin);
  const std::string LineEnd = Source.lineEnd(Begin).str();
  const bool OwnLine = Source.startsLine(Begin);
  const std::string Separator = OwnLine ? LineEnd + Indent : " ";

  std::optional<Edit> Before;
  if (takesDeclaration(C, *Anchor)) {
    Before = Source.insertBefore(Begin, Declaration + Separator);
  } else if (isa<DeclStmt>(Anchor)) {
    return "the callback's variable is declared where no declaration can be put before it";
  } else {
    Before = Source.insertBefore(Begin, "{" + Separator + Declaration + Separator);
    const std::optional<Edit> After = Source.insertAfter(*Anchor, Separator + "}");
    if (!After)
      return "the end of the loop is made by a macro";
    Result.push_back(*After);
  }
  if (!Before)
    return "the loop is made by a macro";
  Result.push_back(*Before);
  return std::nullopt;
}

HoistPlan refuse(std::string Reason) { return {nullptr, nullptr, std::move(Reason)}; }

bool isSameExpression(const Expr &A, const Expr &B, const Coroutine &C) {
  llvm::FoldingSetNodeID First, Second;
  A.Profile(First, C.function().getASTContext(), /*Canonical=*/true);
  B.Profile(Second, C.function().getASTContext(), /*Canonical=*/true);
  return First == Second;
}

/// An optional or pointer that is declared outside the loops and filled in one: the slot must
/// outlive it, so the token must hold from its declaration to the end of its block.
HoistPlan planBeforeHolder(const Registration &R, const Coroutine &C, const Stmt &Holder) {
  const Stmt *Block = C.parents().getParent(&Holder);
  const TokenOrigin Origin = originOf(*R.Token, C, Block ? *Block : C.body(), Holder.getBeginLoc());
  if (Origin.What == TokenOrigin::Unproven)
    return refuse(Origin.Reason);
  if (Origin.What == TokenOrigin::Varies)
    return refuse("the token is declared after the variable that holds the callback");
  return {&Holder, Origin.Expression, {}};
}

HoistPlan planFor(const Registration &R, const Holder &H, const Coroutine &C) {
  if (!R.Token)
    return refuse("the token it is registered with cannot be seen here");
  const Stmt &Statement = statementOfBlock(C, *H.Declaration);
  HoistPlan Outermost;
  for (const Stmt *Loop : C.loopsAround(Statement)) {
    const TokenOrigin Origin = originOf(*R.Token, C, *Loop);
    if (Origin.What != TokenOrigin::Same) {
      if (!Outermost.Before)
        Outermost.Refusal = Origin.What == TokenOrigin::Varies
                                ? "the token is another one on each turn"
                                : Origin.Reason;
      break;
    }
    Outermost = {Loop, Origin.Expression, {}};
  }
  return Outermost.Before || !R.Call ? Outermost : planBeforeHolder(R, C, Statement);
}

} // namespace

HoistPlan planHoist(const Coroutine &C, const StopUse &Use, unsigned HolderIndex) {
  HoistPlan Plan;
  for (const Registration &R : Use.Registrations) {
    if (R.HolderIndex != HolderIndex)
      continue;
    HoistPlan Own = planFor(R, Use.Holders[HolderIndex], C);
    if (!Own.Before)
      return Own;
    if (Plan.Before && (Plan.Before != Own.Before || !isSameExpression(*Plan.Token, *Own.Token, C)))
      return refuse("it is registered with different tokens");
    Plan = Own;
  }
  return Plan;
}

HoistEdits renderHoist(TranslationUnit &Unit, const Coroutine &C, const StopUse &Use,
                       unsigned HolderIndex, const HoistPlan &Plan, const std::string &SlotName) {
  const Holder &H = Use.Holders[HolderIndex];
  const SourceEdits Source(Unit);
  if (H.Kind == HolderKind::Aggregate)
    return {{},
            "the callback is part of '" +
                H.Variable->getType().getAsString(Unit.context().getPrintingPolicy()) +
                "', whose definition other code may share"};
  if (H.Member)
    return {{}, "the callback is a data member, whose class other code may share"};
  if (!H.Declaration->isSingleDecl())
    return {{}, "it is declared together with other variables, whose type would change too"};
  if (H.OtherUse)
    return {{},
            llvm::formatv("'{0}' is used in another way at line {1}", H.Variable->getName(),
                          Unit.sources().getExpansionLineNumber(H.OtherUse->getExprLoc()))};
  const Qualifier Namespace = runtimeQualifier(Unit, C, Unit.context());
  if (!Namespace.Refusal.empty())
    return {{}, Namespace.Refusal};

  HoistEdits Result;
  const auto AddOr = [&Result](std::optional<Edit> E, llvm::StringRef Reason) {
    if (E)
      Result.Edits.push_back(std::move(*E));
    else if (Result.Refusal.empty())
      Result.Refusal = Reason.str();
  };
  static constexpr llvm::StringLiteral InMacro = "the registration is made by a macro";

  SpellingFinder Spellings(Source, Namespace.Text + runtime::Guard.str(), C.isInstantiated());
  if (H.Variable->getLocation().isMacroID())
    return {{}, InMacro.str()};
  Spellings.TraverseTypeLoc(H.Variable->getTypeSourceInfo()->getTypeLoc());
  if (H.Variable->getInit())
    Spellings.TraverseStmt(const_cast<Expr *>(H.Variable->getInit()));
  for (const Registration &R : Use.Registrations) {
    if (R.HolderIndex != HolderIndex)
      continue;
    if (const FunctionDecl *Blocking = R.Callback ? blockingCalleeOf(*R.Callback) : nullptr)
      return {{},
              llvm::formatv(
                  "its callback calls '{0}', which blocks: the slot would wait for it where the "
                  "std::stop_callback does not",
                  Blocking->getQualifiedNameAsString())};
    if (R.Call)
      Spellings.TraverseStmt(const_cast<Expr *>(R.Call));
    AddOr(Source.replace(R.Token->getSourceRange(), SlotName), InMacro);
  }
  if (!Spellings.Refusal.empty())
    return {{}, Spellings.Refusal};
  if (Spellings.Found.empty())
    return {{},
            "the type of the callback is not spelled here: it comes from a function or another "
            "declaration"};
  for (const Spelling &S : Spellings.Found)
    AddOr(Source.replace(S.Range, S.Text), InMacro);

  const std::optional<std::string> Token = Source.text(Plan.Token->getSourceRange());
  if (!Token)
    return {{}, InMacro.str()};
  const std::string Declaration =
      llvm::formatv("{0}{1} {2}({3});", Namespace.Text, runtime::Slot, SlotName, *Token).str();
  if (std::optional<std::string> Refusal = declareSlot(Source, C, Plan, Declaration, Result.Edits))
    return {{}, *Refusal};

  const FileID File = Unit.sources().getFileID(H.Variable->getLocation());
  const auto [First, Last] = std::minmax_element(Result.Edits.begin(), Result.Edits.end());
  if (!Source.areUnderOneCondition(File, First->Offset, Last->Offset))
    return {
        {},
        "a preprocessor condition stands between the loop and the registration, so that another "
        "configuration would see only one of them"};
  if (SourceEdits::Include Header = Source.include(File, runtime::SlotHeader, runtime::Umbrella);
      Header.Needed)
    Result.Edits.push_back(*Header.Needed);
  if (!Result.Refusal.empty())
    Result.Edits.clear();
  return Result;
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
