// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders the edits of one holder; each refusal says which condition failed.
#include "SlotHoist.h"
#include "CallbackSpelling.h"
#include "RuntimeNames.h"
#include "SourceEdits.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace cancel_tools {

using namespace clang;

namespace {

/// A function that the callback reaches, through bodies that are visible here, and that waits for
/// something elsewhere; null if none is seen. The slot's destructor waits until the callbacks of
/// all its guards have returned, where each std::stop_callback waits for its own alone.
const FunctionDecl *blockingCalleeOf(const Expr &Callback) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const FunctionDecl *Found = nullptr;
    llvm::SmallPtrSet<const FunctionDecl *, 16> Entered;
    bool VisitCallExpr(CallExpr *Call) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      if (!Callee)
        return true;
      if (blocks(*Callee)) {
        Found = Callee;
        return false;
      }
      const SourceManager &Sources = Callee->getASTContext().getSourceManager();
      const FunctionDecl *Definition = nullptr;
      if (Callee->hasBody(Definition) && !Sources.isInSystemHeader(Definition->getLocation()) &&
          !isa<CoroutineBodyStmt>(Definition->getBody()) && Entered.insert(Definition).second)
        return TraverseStmt(Definition->getBody());
      return true;
    }
    bool TraverseLambdaExpr(LambdaExpr *) { return true; } // made here, called elsewhere if at all
  } F;
  const CXXRecordDecl *Class = Callback.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return nullptr;
  for (const CXXMethodDecl *Method : Class->methods())
    if (Method->getOverloadedOperator() == OO_Call && Method->hasBody())
      F.TraverseStmt(Method->getBody());
  return F.Found;
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
                                       const SlotPlan &Plan, const std::string &Declaration,
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
    // A comment right above the loop, a NOLINTNEXTLINE for one, stays with the loop.
    Before = Source.insertBefore(Source.aboveItsComments(Begin), Declaration + Separator);
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

bool isInHandler(const Stmt &S, const Coroutine &C) {
  const Stmt *At = &S;
  while (At && !isa<CXXCatchStmt>(At))
    At = C.parents().getParent(At);
  return At != nullptr;
}

constexpr llvm::StringLiteral InMacro = "the registration is made by a macro";

/// Why the holder itself cannot become one of guards; empty if it can.
std::string refusalOf(const Holder &H, const TranslationUnit &Unit) {
  const QualType Type = H.Variable->getType().getNonReferenceType();
  if (!H.Member && H.Kind == HolderKind::Aggregate &&
      (Type->isArrayType() || isKnown(Type, KnownType::FixedArray)))
    return "the callbacks are elements of an array, each registered in its own way";
  if (H.Kind == HolderKind::Aggregate)
    return "the callback is part of '" +
           H.Variable->getType().getAsString(H.Variable->getASTContext().getPrintingPolicy()) +
           "', whose definition other code may share";
  if (H.Member)
    return "the callback is a data member, whose class other code may share";
  if (!H.Declaration->isSingleDecl())
    return "it is declared together with other variables, whose type would change too";
  if (H.OtherUse)
    return llvm::formatv("'{0}' is used in another way at line {1}", H.Variable->getName(),
                         Unit.sources().getExpansionLineNumber(H.OtherUse->getExprLoc()));
  return H.Variable->getLocation().isMacroID() ? InMacro.str() : "";
}

/// Turns the holder's type and each registration in it into those of a guard; returns why not.
std::string renderGuards(const SourceEdits &Source, const Coroutine &C, const StopUse &Use,
                         unsigned HolderIndex, const std::string &Guard,
                         const std::string &SlotName, std::vector<Edit> &Result) {
  const Holder &H = Use.Holders[HolderIndex];
  llvm::SmallVector<const Expr *, 2> Registering;
  if (H.Variable->getInit())
    Registering.push_back(H.Variable->getInit());
  bool Complete = true;
  const auto Add = [&](std::optional<Edit> E) {
    Complete &= E.has_value();
    if (E)
      Result.push_back(std::move(*E));
  };
  for (const Registration &R : Use.Registrations) {
    if (R.HolderIndex != HolderIndex)
      continue;
    if (const FunctionDecl *Blocking = R.Callback ? blockingCalleeOf(*R.Callback) : nullptr)
      return llvm::formatv(
          "its callback calls '{0}', which blocks: the slot would wait for it where "
          "the std::stop_callback does not",
          Blocking->getQualifiedNameAsString());
    if (R.Call)
      Registering.push_back(R.Call);
    Add(Source.replace(R.Token->getSourceRange(), SlotName));
  }
  const Spellings Types = spellingsOf(Source, *H.Variable, Registering, Guard, C.isInstantiated());
  if (!Types.Refusal.empty())
    return Types.Refusal;
  for (const Spelling &S : Types.Found)
    Add(Source.replace(S.Range, S.Text));
  return Complete ? "" : InMacro.str();
}

} // namespace

/// Declares the slot and includes what it needs; says why not. `Edits` holds what else is edited
/// with it.
static std::string renderSlot(TranslationUnit &Unit, const Coroutine &C, const SlotPlan &Plan,
                              const std::string &Qualifier, const std::string &SlotName,
                              SlotForm Form, bool MayBeUnused, std::vector<Edit> &Edits) {
  const SourceEdits Source(Unit);
  const std::optional<std::string> Token = Source.text(Plan.Token->getSourceRange());
  if (!Token)
    return InMacro.str();
  if (Form == SlotForm::OfStack && isInHandler(*Plan.Before, C))
    return "it stands in a catch block, in which nothing can be awaited";
  const std::string Declaration =
      Form == SlotForm::Own
          ? llvm::formatv("{0}{1} {2}({3});", Qualifier, runtime::Slot, SlotName, *Token).str()
          : llvm::formatv("{0}auto &&{1} = co_await {2}{3}({4});",
                          MayBeUnused ? "[[maybe_unused]] " : "", SlotName, Qualifier,
                          runtime::SlotFor, *Token)
                .str();
  if (std::optional<std::string> Refusal = declareSlot(Source, C, Plan, Declaration, Edits))
    return *Refusal;

  const FileID File = Unit.sources().getFileID(Plan.Before->getBeginLoc());
  const auto [First, Last] = std::minmax_element(Edits.begin(), Edits.end());
  if (!Source.areUnderOneCondition(File, First->Offset, Last->Offset))
    return "a preprocessor condition stands between the loop and the registration, so that another "
           "configuration would see only one of them";
  const llvm::StringRef Header =
      Form == SlotForm::Own ? runtime::SlotHeader : runtime::SlotForHeader;
  if (SourceEdits::Include Wanted = Source.include(File, Header, runtime::Umbrella); Wanted.Needed)
    Edits.push_back(*Wanted.Needed);
  return {};
}

const Stmt &slotScope(const SlotPlan &Slot, const Coroutine &C) {
  // Where it needs a block of its own, that ends with the loop.
  const Stmt *Block = C.parents().getParent(Slot.Before);
  return Block && takesDeclaration(C, *Slot.Before) ? *Block : *Slot.Before;
}

bool servesAlso(const SlotPlan &Slot, const Stmt &Scope, const SlotPlan &Other,
                const Coroutine &C) {
  return Other.Before && !(Other.Before->getBeginLoc() < Slot.Before->getBeginLoc()) &&
         isSameExpression(*Slot.Token, *Other.Token, C) && isBelow(*Other.Before, Scope, C);
}

SlotEdits renderHoist(TranslationUnit &Unit, const Coroutine &C, const StopUse &Use,
                      unsigned HolderIndex, const SlotPlan &Plan, const std::string &SlotName,
                      SlotForm Form) {
  const SourceEdits Source(Unit);
  if (std::string Refusal = refusalOf(Use.Holders[HolderIndex], Unit); !Refusal.empty())
    return {{}, Refusal};
  const Qualifier Namespace = runtimeQualifier(Unit, C);
  if (!Namespace.Refusal.empty())
    return {{}, Namespace.Refusal};

  SlotEdits Result;
  Result.Refusal = renderGuards(Source, C, Use, HolderIndex, Namespace.Text + runtime::Guard.str(),
                                SlotName, Result.Edits);
  if (Result.Refusal.empty())
    Result.Refusal = renderSlot(Unit, C, Plan, Namespace.Text, SlotName, Form, false, Result.Edits);
  if (!Result.Refusal.empty())
    Result.Edits.clear();
  return Result;
}

SlotEdits renderSlotForCallees(TranslationUnit &Unit, const Coroutine &C, const SlotPlan &Plan,
                               const std::string &SlotName) {
  const Qualifier Namespace = runtimeQualifier(Unit, C);
  if (!Namespace.Refusal.empty())
    return {{}, Namespace.Refusal};
  SlotEdits Result;
  Result.Refusal =
      renderSlot(Unit, C, Plan, Namespace.Text, SlotName, SlotForm::OfStack, true, Result.Edits);
  if (!Result.Refusal.empty())
    Result.Edits.clear();
  return Result;
}

} // namespace cancel_tools
