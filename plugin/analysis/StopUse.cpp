// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a coroutine body once and sorts each use of a variable that holds a stop callback.
#include "StopUse.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"

namespace cancel_tools {

using namespace clang;

namespace {

QualType firstTemplateArgument(QualType Type) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type->getAsCXXRecordDecl());
  if (!Class || Class->getTemplateArgs().size() == 0)
    return {};
  const TemplateArgument &First = Class->getTemplateArgs()[0];
  return First.getKind() == TemplateArgument::Type ? First.getAsType() : QualType();
}

/// std::stop_callback<F> itself or a class derived from one.
bool isStopCallback(QualType Type) {
  const CXXRecordDecl *Class = Type.isNull() ? nullptr : Type->getAsCXXRecordDecl();
  if (!Class)
    return false;
  if (isKnown(*Class, KnownType::StopCallback))
    return true;
  return Class->hasDefinition() && llvm::any_of(Class->bases(), [](const CXXBaseSpecifier &Base) {
           return isStopCallback(Base.getType());
         });
}

/// Whether constructing the class constructs a stop callback with it.
bool containsStopCallback(QualType Type) {
  if (const auto *Array = Type->getAsArrayTypeUnsafe())
    return isStopCallback(Array->getElementType()) || containsStopCallback(Array->getElementType());
  if (isKnown(Type, KnownType::FixedArray))
    return isStopCallback(firstTemplateArgument(Type));
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || Class->isInStdNamespace() ||
      isKnown(*Class, KnownType::RuntimeHolder))
    return false;
  Class = Class->getDefinition();
  return llvm::any_of(Class->fields(),
                      [](const FieldDecl *F) {
                        return isStopCallback(F->getType()) || containsStopCallback(F->getType());
                      }) ||
         llvm::any_of(Class->bases(),
                      [](const CXXBaseSpecifier &B) { return containsStopCallback(B.getType()); });
}

std::optional<HolderKind> holderKind(QualType Type) {
  if (Type->isDependentType())
    return std::nullopt;
  if (isStopCallback(Type))
    return HolderKind::Object;
  if (isKnown(Type, KnownType::Optional) || isKnown(Type, KnownType::UniquePtr)) {
    if (!isStopCallback(firstTemplateArgument(Type)))
      return std::nullopt;
    return isKnown(Type, KnownType::Optional) ? HolderKind::Optional : HolderKind::UniquePtr;
  }
  if (containsStopCallback(Type))
    return HolderKind::Aggregate;
  return std::nullopt;
}

/// The expression below `E` that makes a stop callback, and its token:
/// `std::stop_callback(st, f)`, `std::make_unique<C>(st, f)`, `std::optional<C>(std::in_place, st,
/// f)`.
struct Making {
  const Expr *Made = nullptr;
  const Expr *Token = nullptr;
  const Expr *Callback = nullptr;
};

Making makingIn(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return {};
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    if (isStopCallback(Construct->getType()) && Construct->getNumArgs() == 2)
      return {Construct, Construct->getArg(0), Construct->getArg(1)};
    if (Construct->getNumArgs() >= 3 &&
        isKnown(Construct->getArg(0)->getType(), KnownType::InPlaceTag))
      return {Construct, Construct->getArg(1), Construct->getArg(2)};
  }
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    if (makesCallback(*Call) && Call->getNumArgs() == 2)
      return {Call, Call->getArg(0), Call->getArg(1)};
    if (!Call->isCallToStdMove()) // another function: its parameter keeps the callback's type
      return {};
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(S)) {
    const Making One = makingIn(Choice->getTrueExpr()), Other = makingIn(Choice->getFalseExpr());
    if (One.Made && Other.Made)
      return {One.Made, nullptr, nullptr};
  }
  for (const Stmt *Child : S->children())
    if (Making Found = makingIn(Child); Found.Made)
      return Found;
  return {};
}

/// The initialiser leaves an optional or a pointer without a callback: `{}`, `= std::nullopt`,
/// `(nullptr)`.
bool leavesEmpty(const Expr *Init) {
  if (!Init)
    return true;
  if (makingIn(Init).Made)
    return false;
  const auto *Construct = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
  if (!Construct)
    return false;
  return llvm::all_of(Construct->arguments(), [](const Expr *Argument) {
    return isa<CXXDefaultArgExpr>(Argument->IgnoreUnlessSpelledInSource()) ||
           namesNothing(*Argument);
  });
}

/// `o == std::nullopt`, `nullptr != p`
bool isComparedWithNothing(const CXXOperatorCallExpr &Operator) {
  return Operator.isComparisonOp() && llvm::any_of(Operator.arguments(), [](const Expr *Argument) {
           return namesNothing(*Argument);
         });
}

class Reader : public RecursiveASTVisitor<Reader> {
public:
  Reader(const Coroutine &C, StopUse &Result) : C(C), Result(Result) {}

  bool VisitDeclStmt(DeclStmt *S) {
    for (const Decl *D : S->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->hasLocalStorage())
        readDeclaration(*S, *V);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl()); V && V->hasLocalStorage())
      readUse(*E, *V);
    return true;
  }

  // What it captures is used here; what its body does is not this coroutine's.
  bool TraverseLambdaExpr(LambdaExpr *E) {
    for (Expr *Captured : E->capture_inits())
      if (!TraverseStmt(Captured))
        return false;
    return true;
  }
  // The operand stands below each of the three implicit calls as well.
  bool TraverseCoawaitExpr(CoawaitExpr *E, DataRecursionQueue * = nullptr) {
    return TraverseStmt(E->getOperand());
  }
  bool TraverseCoyieldExpr(CoyieldExpr *E, DataRecursionQueue * = nullptr) {
    return TraverseStmt(E->getOperand());
  }

private:
  unsigned holderIndex(const VarDecl &V, const FieldDecl *Member, HolderKind Kind) {
    auto [It, Fresh] = Indices.try_emplace({&V, Member}, Result.Holders.size());
    if (Fresh)
      Result.Holders.push_back({&V, Declarations.lookup(&V), Member, Kind, nullptr});
    return It->second;
  }

  void readDeclaration(const DeclStmt &S, const VarDecl &V) {
    Declarations[&V] = &S;
    QualType Type = V.getType();
    if (Type->isReferenceType()) { // auto &&cb = std::stop_callback(st, f); lives as long as a
                                   // variable
      const Expr *Init = V.getInit();
      if (const auto *Cleanups = dyn_cast_or_null<ExprWithCleanups>(Init))
        Init = Cleanups->getSubExpr();
      const auto *Temporary = dyn_cast_or_null<MaterializeTemporaryExpr>(Init);
      if (!Temporary || Temporary->getExtendingDecl() != &V)
        return;
      Type = Type.getNonReferenceType();
    }
    const std::optional<HolderKind> Kind = holderKind(Type);
    if (!Kind)
      return;
    const unsigned Index = holderIndex(V, nullptr, *Kind);
    const bool MayBeEmpty = *Kind == HolderKind::Optional || *Kind == HolderKind::UniquePtr;
    if (MayBeEmpty && leavesEmpty(V.getInit()))
      return;
    const Making Found = makingIn(V.getInit());
    begin(Index, {Index, Found.Made, nullptr, withoutCopies(Found.Token), Found.Callback,
                  V.getLocation()});
  }

  void begin(unsigned HolderIndex, Registration R) {
    const Holder &H = Result.Holders[HolderIndex];
    LifetimeEvent Event{R.Call, R.Call ? nullptr : H.Variable,
                        unsigned(Result.Registrations.size()), H.Variable, H.Member};
    Result.Events.push_back(Event);
    Result.Registrations.push_back(R);
  }

  void end(unsigned HolderIndex, const Stmt &At) {
    const Holder &H = Result.Holders[HolderIndex];
    Result.Events.push_back({&At, nullptr, std::nullopt, H.Variable, H.Member});
  }

  /// The nearest ancestor that is not a cast or parenthesis.
  const Stmt *meaningfulParent(const Stmt &S) const {
    const Stmt *Parent = C.parents().getParent(&S);
    while (Parent && isa<ParenExpr, ImplicitCastExpr>(Parent))
      Parent = C.parents().getParent(Parent);
    return Parent;
  }

  void readUse(const DeclRefExpr &Use, const VarDecl &V) {
    const Expr *Object = &Use;
    const FieldDecl *Member = nullptr;
    const Stmt *Parent = meaningfulParent(Use);
    if (!Declarations.count(&V))
      return; // a parameter
    if (const auto *Access = dyn_cast_or_null<MemberExpr>(Parent))
      Member = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (Member) {
      Object = cast<MemberExpr>(Parent);
      Parent = meaningfulParent(*Object);
    }
    if (Member) { // a member of a local that holds a callback on its own account
      const std::optional<HolderKind> Kind = holderKind(Member->getType());
      if (Kind != HolderKind::Optional && Kind != HolderKind::UniquePtr)
        return;
      readHolderUse(holderIndex(V, Member, *Kind), *Object, Parent);
    } else if (auto It = Indices.find({&V, nullptr}); It != Indices.end()) {
      readHolderUse(It->second, *Object, Parent);
    }
  }

  void readHolderUse(unsigned Index, const Expr &Object, const Stmt *Parent) {
    Holder &H = Result.Holders[Index];
    if (const auto *Access = dyn_cast_or_null<MemberExpr>(Parent)) {
      if (const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(meaningfulParent(*Access)))
        if (readMemberCall(Index, *Call))
          return;
    } else if (const auto *Operator = dyn_cast_or_null<CXXOperatorCallExpr>(Parent)) {
      if (Operator->getOperator() == OO_Equal &&
          Operator->getArg(0)->IgnoreParenImpCasts() == &Object) {
        if (const Making Found = makingIn(Operator->getArg(1)); Found.Made)
          begin(Index, {Index, Found.Made, Operator, withoutCopies(Found.Token), Found.Callback,
                        Operator->getOperatorLoc()});
        else
          end(Index, *Operator);
        return;
      }
      if (isComparedWithNothing(*Operator))
        return;
    } else if (const auto *Call = dyn_cast_or_null<CallExpr>(Parent);
               Call && Call->isCallToStdMove()) {
      end(Index, *Call);
    } else if (const auto *Cast = dyn_cast_or_null<CastExpr>(Parent);
               Cast && Cast->getCastKind() == CK_ToVoid) {
      return; // (void)on_stop;
    }
    if (H.Kind != HolderKind::Aggregate)
      H.OtherUse = &Object;
  }

  bool readMemberCall(unsigned Index, const CXXMemberCallExpr &Call) {
    const CXXMethodDecl *Method = Call.getMethodDecl();
    if (!Method)
      return false;
    if (isa<CXXConversionDecl>(Method))
      return true;
    const llvm::StringRef Name = Method->getIdentifier() ? Method->getName() : "";
    if (Name == "has_value")
      return true;
    if (constructsInPlace(*Method) && Call.getNumArgs() == 2) {
      begin(Index, {Index, &Call, &Call, withoutCopies(Call.getArg(0)), Call.getArg(1),
                    Call.getExprLoc()});
      return true;
    }
    if (Name == "reset") {
      if (const Making Found = Call.getNumArgs() ? makingIn(Call.getArg(0)) : Making(); Found.Made)
        begin(Index, {Index, Found.Made, &Call, withoutCopies(Found.Token), Found.Callback,
                      Call.getExprLoc()});
      else
        end(Index, Call);
      return true;
    }
    return false;
  }

  const Coroutine &C;
  StopUse &Result;
  llvm::DenseMap<std::pair<const VarDecl *, const FieldDecl *>, unsigned> Indices;
  llvm::DenseMap<const VarDecl *, const DeclStmt *> Declarations;
};

} // namespace

bool namesNothing(const Expr &E) {
  const QualType Type = E.IgnoreUnlessSpelledInSource()->getType();
  return Type->isNullPtrType() || isKnown(Type, KnownType::EmptyTag);
}

bool makesCallback(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return false;
  if (constructsInPlace(*Callee))
    return isStopCallback(Call.getType());
  return makesHolder(*Callee) && isStopCallback(firstTemplateArgument(Call.getType()));
}

const Expr *withoutCopies(const Expr *E) {
  while (E) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Inner))
      Inner = Cleanups->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(Inner))
      Inner = Bound->getSubExpr();
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner);
             Construct && Construct->getNumArgs() == 1 &&
             Construct->getConstructor()->isCopyConstructor())
      Inner = Construct->getArg(0);
    if (Inner == E)
      break;
    E = Inner;
  }
  return E;
}

StopUse stopUseIn(const Coroutine &C) {
  StopUse Result;
  Reader(C, Result).TraverseStmt(const_cast<Stmt *>(&C.body()));
  return Result;
}

} // namespace cancel_tools
