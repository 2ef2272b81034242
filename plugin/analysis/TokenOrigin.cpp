// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a token expression to the variables it depends on and looks for whatever could give it
// another value.
#include "TokenOrigin.h"
#include "StopUse.h"
#include "Vocabulary.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

TokenOrigin same(const Expr &E) { return {TokenOrigin::Same, &E, {}}; }
TokenOrigin varies() { return {TokenOrigin::Varies, nullptr, {}}; }
TokenOrigin unproven(std::string Reason) {
  return {TokenOrigin::Unproven, nullptr, std::move(Reason)};
}

enum class Use { Read, Assigned, Escapes };

/// Whether the lambda captures the expression under another name: `[&other = st]`.
bool isRenamed(const Stmt &Captured, const LambdaExpr &Lambda) {
  for (const auto &[Capture, Init] : llvm::zip(Lambda.captures(), Lambda.capture_inits()))
    if (Init == &Captured)
      return Lambda.isInitCapture(&Capture);
  return false;
}

/// What one mention of a variable does with it, or with the part of it that the fields of `Path`
/// lead to.
Use classify(const DeclRefExpr &Mention, const ParentMap &Parents,
             llvm::ArrayRef<const FieldDecl *> Path) {
  if (Mention.getType().isConstQualified()) // a copy in a lambda that is not mutable
    return Use::Read;
  const Stmt *Child = &Mention;
  for (const Stmt *Parent = Parents.getParent(Child); Parent;
       Child = Parent, Parent = Parents.getParent(Parent)) {
    if (isa<ParenExpr>(Parent))
      continue;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Parent)) {
      if (Cast->getCastKind() == CK_LValueToRValue || Cast->getType().isConstQualified())
        return Use::Read;
      continue;
    }
    if (const auto *Cast = dyn_cast<CastExpr>(Parent); Cast && Cast->getCastKind() == CK_ToVoid)
      return Use::Read;
    if (const auto *Member = dyn_cast<MemberExpr>(Parent)) {
      if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
          Field && !Path.empty()) {
        if (Field->getCanonicalDecl() != Path.front()->getCanonicalDecl())
          return Use::Read; // another part
        Path = Path.drop_front();
        continue;
      }
      const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl());
      if (!Method || (!Path.empty() && !Method->isConst())) // it may keep a pointer to its object
        return Method && Method->isConst() ? Use::Read : Use::Escapes;
      const bool Keeps =
          Method->isConst() || (Method->getIdentifier() && keepsStopState(Method->getName()));
      return Keeps ? Use::Read : Use::Assigned;
    }
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Parent))
      return Operator->getOperator() == OO_Equal && Operator->getArg(0) == Child ? Use::Assigned
                                                                                 : Use::Escapes;
    if (const auto *Call = dyn_cast<CallExpr>(Parent)) {
      if (makesCallback(*Call))
        return Use::Read; // forwarded to the constructor of what is held
      return Call->isCallToStdMove() ? Use::Assigned : Use::Escapes;
    }
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Parent);
        Construct && isKnown(Construct->getArg(0)->getType(), KnownType::InPlaceTag))
      return Use::Read; // the same
    // A capture under its own name is judged by what the lambda's body does with it.
    const auto *Lambda = dyn_cast<LambdaExpr>(Parent);
    return Lambda && !isRenamed(*Child, *Lambda) ? Use::Read : Use::Escapes;
  }
  return Use::Escapes;
}

class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  explicit Mentions(const VarDecl *Wanted) : Wanted(Wanted) {}

  struct Mention {
    const DeclRefExpr *Expression;
    bool InLambda;
  };
  std::vector<Mention> Found;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (!Wanted || E->getDecl() == Wanted)
      Found.push_back({E, LambdaDepth > 0});
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *E) {
    if (copies(*E)) { // what its body does to the copy is no concern of the variable
      for (Expr *Captured : E->capture_inits())
        if (!TraverseStmt(Captured))
          return false;
      return true;
    }
    ++LambdaDepth;
    const bool Go = RecursiveASTVisitor::TraverseLambdaExpr(E);
    --LambdaDepth;
    return Go;
  }
  // Unevaluated. LLVM 22 passes whether to visit the qualifier, 19 nothing.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool = true) { return true; }

private:
  bool copies(const LambdaExpr &E) const {
    return Wanted && llvm::any_of(E.captures(), [&](const LambdaCapture &Capture) {
             return Capture.capturesVariable() && Capture.getCapturedVar() == Wanted &&
                    Capture.getCaptureKind() == LCK_ByCopy;
           });
  }

  const VarDecl *Wanted;
  unsigned LambdaDepth = 0;
};

/// The fields that lead from a variable to a member of it: `v.request.token`. `Variable` is null
/// where the path begins elsewhere or leads through a pointer or reference.
struct MemberPath {
  const VarDecl *Variable = nullptr;
  llvm::SmallVector<const FieldDecl *, 2> Fields;

  explicit MemberPath(const MemberExpr &Whole) {
    const Expr *At = &Whole;
    while (const auto *Member = dyn_cast<MemberExpr>(At)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (!Field || Member->isArrow() || Field->getType()->isReferenceType())
        return;
      Fields.insert(Fields.begin(), Field);
      At = Member->getBase()->IgnoreParenImpCasts();
    }
    if (const auto *Reference = dyn_cast<DeclRefExpr>(At))
      Variable = dyn_cast<VarDecl>(Reference->getDecl());
  }
};

/// Nobody but who mentions the object knows where it is: no constructor of its class could have
/// told.
bool isKnownByNameOnly(const VarDecl &V) {
  const CXXRecordDecl *Class = V.getType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return false;
  // The coroutine's parameter is moved or copied from the argument.
  return Class->isAggregate() ||
         (isa<ParmVarDecl>(V) && llvm::none_of(Class->ctors(), [](const CXXConstructorDecl *Made) {
            return Made->isCopyOrMoveConstructor() && Made->isUserProvided();
          }));
}

class Tracer {
public:
  Tracer(const Coroutine &C, const Stmt &Region, SourceLocation From)
      : C(C), Region(Region), Sources(C.function().getASTContext().getSourceManager()),
        Range(Sources.getExpansionRange(Region.getSourceRange()).getAsRange()) {
    if (From.isValid())
      Range.setBegin(Sources.getExpansionLoc(From));
  }

  TokenOrigin judge(const Expr &Token) {
    TokenOrigin Origin = trace(Token);
    // Once the slot names the object itself, nobody would use a reference to it any more.
    const auto *Reference = dyn_cast<DeclRefExpr>(&Token);
    const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (Origin.What == TokenOrigin::Same && V && V->getType()->isReferenceType() &&
        inRegion(V->getLocation()))
      return declaredInLoop(V->getName());
    if (Origin.What == TokenOrigin::Unproven && namesObject(Token) && !dependsOnRegion(Token))
      Origin.Expression = withoutCopies(&Token);
    return Origin;
  }

private:
  /// A variable, a member, or the token of such a source; evaluating it does nothing else.
  static bool namesObject(const Expr &Written) {
    const Expr *E = withoutCopies(&Written);
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      return isKnown(Call->getImplicitObjectArgument()->getType(), KnownType::StopSource) &&
             namesObject(*Call->getImplicitObjectArgument());
    if (const auto *Member = dyn_cast<MemberExpr>(E)) // a pointer may be null before the loop
      return isa<FieldDecl>(Member->getMemberDecl()) && namesObject(*Member->getBase()) &&
             (!Member->isArrow() || isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()));
    return isa<DeclRefExpr, CXXThisExpr>(E);
  }

  TokenOrigin trace(const Expr &Written) {
    const Expr *E = withoutCopies(&Written);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
      if (const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
          V && (Reference->getFoundDecl() == V || // else named by a using-declaration
                !inRegion(Reference->getFoundDecl()->getLocation())))
        return traceVariable(*Reference, *V);
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return traceMember(*Member);
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      if (isKnown(Call->getImplicitObjectArgument()->getType(), KnownType::StopSource) &&
          Call->getMethodDecl() && Call->getMethodDecl()->getNameAsString() == "get_token") {
        TokenOrigin Source = trace(*Call->getImplicitObjectArgument());
        if (Source.What != TokenOrigin::Same)
          return Source;
        // A source that was a local of the region cannot be put into the call's text.
        return Source.Expression == withoutCopies(Call->getImplicitObjectArgument()) ? same(*E)
                                                                                     : varies();
      }
    if (dependsOnRegion(*E))
      return varies();
    return unproven(
        "the expression that gives the token may give another one on each turn; take the token "
        "into a local variable before the loop");
  }

  bool inRegion(SourceLocation Loc) const {
    const SourceLocation At = Sources.getExpansionLoc(Loc);
    return !Sources.isBeforeInTranslationUnit(At, Range.getBegin()) &&
           !Sources.isBeforeInTranslationUnit(Range.getEnd(), At);
  }

  static TokenOrigin declaredInLoop(llvm::StringRef Name) {
    return unproven(llvm::formatv("'{0}' is declared in the loop; declare it before", Name));
  }

  /// The expression awaits, or mentions a variable that the region declares.
  bool dependsOnRegion(const Expr &E) const {
    if (!suspensionsIn(E).empty())
      return true;
    Mentions All(nullptr);
    All.TraverseStmt(const_cast<Expr *>(&E));
    return llvm::any_of(All.Found, [&](const Mentions::Mention &M) {
      return isa<VarDecl, BindingDecl>(M.Expression->getDecl()) &&
             inRegion(M.Expression->getDecl()->getLocation());
    });
  }

  TokenOrigin traceVariable(const DeclRefExpr &Reference, const VarDecl &V) {
    const std::string Name = V.getNameAsString();
    const QualType Type = V.getType();
    const QualType Object = Type.getNonReferenceType();
    if (!isKnown(Object, KnownType::StopToken) && !isKnown(Object, KnownType::StopSource))
      return inRegion(V.getLocation())
                 ? varies()
                 : unproven(llvm::formatv("'{0}' is not a std::stop_token", Name));
    if (!V.hasLocalStorage() && (!Object.isConstQualified() || Type->isReferenceType()))
      return unproven(llvm::formatv(
          "'{0}' outlives the coroutine: other code may replace it while the coroutine "
          "is suspended",
          Name));
    const bool RefersElsewhere = Type->isReferenceType() && !extendsTemporary(V);
    if (RefersElsewhere && !Object.isConstQualified())
      return inRegion(V.getLocation())
                 ? varies()
                 : unproven(llvm::formatv(
                       "'{0}' is a reference to non-const: other code may replace the object while "
                       "the coroutine is suspended",
                       Name));
    if (V.hasLocalStorage() && V.getDeclContext() != &C.function() && capturedByReference(V))
      return unproven(llvm::formatv(
          "'{0}' is captured by reference: other code may replace it while the coroutine is "
          "suspended",
          Name));
    if (TokenOrigin Changed = changes(V, Name); Changed.What != TokenOrigin::Same)
      return Changed;

    if (inRegion(V.getLocation())) {
      if (!V.getInit() || isa<ParmVarDecl>(V) || isKnown(Object, KnownType::StopSource))
        return varies();
      if (!V.hasLocalStorage()) // a static keeps the value of its first turn
        return declaredInLoop(Name);
      return trace(*V.getInit());
    }
    if (regionYields() && V.getInit() && installedPerNext(*V.getInit()))
      return unproven(llvm::formatv(
          "'{0}' was obtained from the caller of the generator, and each resumption after "
          "co_yield may come with another token",
          Name));
    // The caller's argument and the range's element are taken to stay while the coroutine uses
    // them.
    if (RefersElsewhere && !isa<ParmVarDecl>(V) && !V.isCXXForRangeDecl() && V.getInit())
      if (TokenOrigin Referred = trace(*V.getInit()); Referred.What != TokenOrigin::Same)
        return Referred;
    return same(Reference);
  }

  TokenOrigin traceMember(const MemberExpr &Member) {
    const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
    if (dependsOnRegion(Member))
      return varies();
    if (Field && Field->getType().isConstQualified() &&
        isa<CXXThisExpr>(Member.getBase()->IgnoreParenImpCasts()))
      return same(Member);
    const MemberPath Path(Member);
    if (const VarDecl *V = Path.Variable; V && isOwn(*V) && isKnownByNameOnly(*V) &&
                                          llvm::none_of(Path.Fields, [](const FieldDecl *F) {
                                            return F->isMutable() || F->getParent()->isUnion();
                                          })) {
      const TokenOrigin Changed = changes(*V, V->getName(), Path.Fields);
      return Changed.What == TokenOrigin::Same ? same(Member) : Changed;
    }
    return unproven(llvm::formatv(
        "the token is the member '{0}', which other code may replace while the coroutine is "
        "suspended; copy it into a local variable before the loop",
        Member.getMemberDecl()->getNameAsString()));
  }

  /// A parameter or local of the coroutine itself that is an object, not a reference to one.
  bool isOwn(const VarDecl &V) const {
    return V.hasLocalStorage() && V.getDeclContext() == &C.function() &&
           !V.getType()->isReferenceType() && !V.isInitCapture();
  }

  /// Same where nothing in the coroutine gives the variable, or the part of it that `Path` leads
  /// to, another value inside the region.
  TokenOrigin changes(const VarDecl &V, llvm::StringRef Name,
                      llvm::ArrayRef<const FieldDecl *> Path = {}) const {
    if (V.getType().getNonReferenceType().isConstQualified())
      return {TokenOrigin::Same, nullptr, {}};
    Mentions All(&V);
    All.TraverseStmt(const_cast<Stmt *>(&C.body()));
    for (const Mentions::Mention &M : All.Found) {
      const Use What = classify(*M.Expression, C.parents(), Path);
      if (What == Use::Read)
        continue;
      const unsigned Line = Sources.getExpansionLineNumber(M.Expression->getLocation());
      if (What == Use::Escapes)
        return unproven(
            llvm::formatv("other code may change '{0}': line {1} hands it out", Name, Line));
      if (M.InLambda)
        return unproven(
            llvm::formatv("other code may change '{0}': a lambda does, at line {1}", Name, Line));
      if (inRegion(M.Expression->getLocation()))
        return unproven(llvm::formatv("'{0}' changes in the loop, at line {1}", Name, Line));
      // A closure is shared by the calls of its operator.
      if (V.getDeclContext() != &C.function() || V.isInitCapture())
        return unproven(llvm::formatv(
            "other calls of the lambda share '{0}', and each changes it, at line {1}", Name, Line));
    }
    return {TokenOrigin::Same, nullptr, {}};
  }

  /// `const auto &st = source.get_token();` is an object in all but its type.
  static bool extendsTemporary(const VarDecl &V) {
    const Expr *Init = V.getInit();
    if (const auto *Cleanups = dyn_cast_or_null<ExprWithCleanups>(Init))
      Init = Cleanups->getSubExpr();
    const auto *Temporary = dyn_cast_or_null<MaterializeTemporaryExpr>(Init);
    return Temporary && Temporary->getExtendingDecl() == &V;
  }

  bool capturedByReference(const VarDecl &V) const {
    const auto *Operator = dyn_cast<CXXMethodDecl>(&C.function());
    if (!Operator || !Operator->getParent()->isLambda())
      return true;
    for (const LambdaCapture &Capture : Operator->getParent()->captures())
      if (Capture.capturesVariable() && Capture.getCapturedVar() == &V)
        return Capture.getCaptureKind() != LCK_ByCopy;
    return true;
  }

  bool regionYields() const {
    return llvm::any_of(suspensionsIn(Region), [](const Expr *E) { return isa<CoyieldExpr>(E); });
  }

  /// A generator's consumer installs its token for each next(); the body reads it by co_await or
  /// from the promise.
  bool installedPerNext(const Expr &Init) const {
    if (!suspensionsIn(Init).empty())
      return true;
    Mentions All(nullptr);
    All.TraverseStmt(const_cast<Expr *>(&Init));
    return llvm::any_of(All.Found, [](const Mentions::Mention &M) {
      const CXXRecordDecl *Class =
          M.Expression->getType().getNonReferenceType()->getAsCXXRecordDecl();
      return Class && Class->getIdentifier() && Class->getName() == "promise_type";
    });
  }

  const Coroutine &C;
  const Stmt &Region;
  const SourceManager &Sources;
  SourceRange Range;
};

} // namespace

TokenOrigin originOf(const Expr &Token, const Coroutine &C, const Stmt &Region,
                     SourceLocation From) {
  return Tracer(C, Region, From).judge(Token);
}

} // namespace cancel_tools
