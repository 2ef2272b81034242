// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the body of await_suspend as it was instantiated, where types are known; what it names it
// names in the source's words.
#include "AwaiterShape.h"
#include "HandleUse.h"
#include "SourceEdits.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

bool isHandle(QualType Type) { return isKnown(Type, KnownType::CoroutineHandle); }

/// `P` of `std::coroutine_handle<P>`; null for void and for what is no handle.
const CXXRecordDecl *promiseOfHandle(QualType Type) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !isHandle(Type) || Class->getTemplateArgs().size() != 1)
    return nullptr;
  return Class->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
}

/// The expression without what was added to make a handle of another type, or to empty a member.
const Expr *withoutConversions(const Expr *E) {
  while (true) {
    E = E->IgnoreUnlessSpelledInSource();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E); Cast && isHandle(Cast->getType()))
      E = Cast->getSubExpr();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(E);
             Made && isHandle(Made->getType()) && Made->getNumArgs() == 1)
      E = Made->getArg(0);
    else if (const auto *Call = dyn_cast<CallExpr>(E);
             Call && Call->getNumArgs() != 0 && Call->getDirectCallee() &&
             Call->getDirectCallee()->isInStdNamespace() &&
             Call->getDirectCallee()->getIdentifier() &&
             (Call->isCallToStdMove() || Call->getDirectCallee()->getName() == "exchange"))
      E = Call->getArg(0);
    else
      return E;
  }
}

/// What await_suspend resumes, or returns to be resumed; and what else it says of the task.
class BodyReader : public RecursiveASTVisitor<BodyReader> {
public:
  explicit BodyReader(const CXXRecordDecl &Promise) : Promise(*Promise.getCanonicalDecl()) {}

  llvm::SmallVector<const Expr *, 4> Started;
  /// Objects and pointers of the promise's class.
  llvm::SmallVector<const Expr *, 4> Promises;
  llvm::SmallVector<const Expr *, 4> Handles, Tested, Assigned;
  /// Arguments of calls that are handles of the task.
  llvm::SmallVector<const Expr *, 4> HandedOut;

  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitReturnStmt(ReturnStmt *Return) {
    if (const Expr *Value = Return->getRetValue(); Value && isHandle(Value->getType()))
      start(Value);
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    const Expr *Object = Call->getImplicitObjectArgument();
    if (!Method || !Object || !isHandle(Object->getType()))
      return true;
    if (Method->getIdentifier() && Method->getName() == "resume")
      start(Object);
    if (const auto *To = dyn_cast<CXXConversionDecl>(Method);
        To && To->getConversionType()->isBooleanType())
      Tested.push_back(withoutConversions(Object));
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    if (!isHandle(Call->getArg(0)->getType()))
      return true;
    if (Call->getOperator() == OO_Call)
      start(Call->getArg(0));
    else if (Call->getOperator() == OO_Equal)
      Assigned.push_back(withoutConversions(Call->getArg(0)));
    else
      for (const Expr *Side : Call->arguments())
        Tested.push_back(withoutConversions(Side));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const bool IsStandard = Callee && Callee->isInStdNamespace(); // std::exchange(c, {})
    if (!isa<CXXOperatorCallExpr>(Call) && !IsStandard)
      for (const Expr *Argument : Call->arguments())
        if (isHandle(Argument->getType()))
          HandedOut.push_back(withoutConversions(Argument));
    return true;
  }
  bool VisitCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator *E) { // a != b
    for (const Expr *Side : {E->getLHS(), E->getRHS()})
      if (isHandle(Side->getType()))
        Tested.push_back(withoutConversions(Side));
    return true;
  }
  bool VisitExpr(Expr *E) {
    if (isPromise(E->getType()))
      Promises.push_back(E);
    if (isOfPromise(E->getType()))
      Handles.push_back(E);
    return true;
  }

  /// The class of the task's promise, a pointer or a reference to it.
  bool isPromise(QualType Type) const {
    const CXXRecordDecl *Class = Type->isPointerType()
                                     ? Type->getPointeeCXXRecordDecl()
                                     : Type.getNonReferenceType()->getAsCXXRecordDecl();
    return Class && Class->getCanonicalDecl() == &Promise;
  }

  /// Whether it is a handle of the task's coroutine.
  bool isOfPromise(QualType Type) const {
    const CXXRecordDecl *Of = promiseOfHandle(Type);
    return Of && Of->getCanonicalDecl() == &Promise;
  }

private:
  void start(const Expr *Handle) {
    Handle = withoutConversions(Handle);
    if (const auto *Choice = dyn_cast<ConditionalOperator>(Handle)) {
      start(Choice->getTrueExpr());
      start(Choice->getFalseExpr());
    } else {
      Started.push_back(Handle);
    }
  }

  const CXXRecordDecl &Promise;
};

/// The variable or `this` at the root of `a.b->c()`, where evaluating that changes nothing; null
/// for anything else.
const Expr *rootOf(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  if (isa<CXXThisExpr>(E))
    return E;
  if (const auto *Variable = dyn_cast<DeclRefExpr>(E))
    return isa<VarDecl>(Variable->getDecl()) ? E : nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return rootOf(Member->getBase());
  if (const auto *Deref = dyn_cast<UnaryOperator>(E); Deref && Deref->getOpcode() == UO_Deref)
    return rootOf(Deref->getSubExpr());
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    return Call->getNumArgs() == 0 && Call->getMethodDecl() && Call->getMethodDecl()->isConst()
               ? rootOf(Call->getImplicitObjectArgument())
               : nullptr;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
    return Operator->getNumArgs() == 1 &&
                   (Operator->getOperator() == OO_Star || Operator->getOperator() == OO_Arrow)
               ? rootOf(Operator->getArg(0))
               : nullptr;
  return nullptr;
}

class ShapeReader {
public:
  ShapeReader(TranslationUnit &Unit, const AwaitedTask &Task, AwaiterShape &Shape)
      : Source(Unit), Unit(Unit), Shape(Shape), Body(*Task.Promise) {}

  void read() {
    Body.TraverseStmt(Shape.Definition->getBody());
    findPromise();
    if (Shape.Promise.empty()) {
      Shape.Refusal = startsTask()
                          ? "await_suspend names no promise of the task that it starts"
                          : "await_suspend neither resumes nor returns the task's handle, so the "
                            "task may be running already or run elsewhere";
      return;
    }
    findPlace();
    if (Shape.Refusal.empty())
      Shape.Refusal = whyBeside();
  }

private:
  /// Why the awaiting coroutine may go on, or end, while the task runs.
  std::string whyBeside() const {
    for (const Expr *E : Body.HandedOut)
      if (isTheTask(E))
        return llvm::formatv("await_suspend hands the task's handle out, at line {0}, so that "
                             "others may resume or end it",
                             Unit.sources().getExpansionLineNumber(E->getExprLoc()));
    const auto *Block = cast<CompoundStmt>(Shape.Definition->getBody());
    for (const Expr *E : Body.Started) {
      const auto *S = llvm::find_if(Block->body(), [&](const Stmt *In) { return isIn(E, *In); });
      if (S != Block->body_end() && tests(**S)) // there may be no task
        continue;
      if (isParent(*E))
        return "await_suspend goes on with the awaiting coroutine, beside the task";
      if (S == Block->body_end() || !isa<Expr, ReturnStmt>(*S) ||
          !(Body.isOfPromise(E->getType()) || rootOf(E)))
        return "await_suspend starts the task on a condition: it may be running already, or be "
               "shared";
    }
    return {};
  }

  bool isParent(const Expr &E) const {
    const auto *Mention = dyn_cast<DeclRefExpr>(&E);
    return Mention && Mention->getDecl() == Shape.Parent;
  }

  /// Something is started that is neither the awaiting coroutine nor none at all.
  bool startsTask() const {
    return llvm::any_of(Body.Started, [&](const Expr *E) {
      return !isParent(*E) && (Body.isOfPromise(E->getType()) || rootOf(E));
    });
  }

  std::string textOf(const Expr &E) const {
    return Source.text(E.getSourceRange()).value_or(std::string());
  }

  /// Takes `E`, a handle or promise of the task, for the name of it, if it is one that can be
  /// repeated.
  bool take(const Expr &E, llvm::StringRef Access) {
    Root = rootOf(&E);
    const std::string Text = Root ? textOf(E) : std::string();
    if (Text.empty() || isParent(*Root))
      return false;
    const bool IsPointer = E.getType()->isPointerType();
    Shape.Promise = Text + (IsPointer ? "->" : Access.str());
    if (const auto *Deref = dyn_cast<UnaryOperator>(&E); Deref && !IsPointer)
      if (const std::string Pointer = textOf(*Deref->getSubExpr()->IgnoreParens());
          !Pointer.empty())
        Shape.Promise = Pointer + "->" + Access.drop_front().str();
    Named = Text;
    return true;
  }

  void findPromise() {
    for (const Expr *E : Body.Started) {
      if (!Body.isOfPromise(E->getType()))
        continue;
      const auto *Made = dyn_cast<CallExpr>(E); // from_promise(*promise)
      const Expr *Of =
          Made && Made->getNumArgs() == 1 ? Made->getArg(0)->IgnoreParenImpCasts() : nullptr;
      if (llvm::is_contained(Body.Promises, Of) ? take(*Of, ".") : take(*E, ".promise()."))
        return;
    }
    if (!startsTask())
      return;
    // Where the handle that is started does not tell its promise, something beside it may.
    for (const Expr *E : Body.Handles)
      if (take(*E->IgnoreUnlessSpelledInSource(), ".promise()."))
        return;
    for (const Expr *E : Body.Promises)
      if (take(*E->IgnoreUnlessSpelledInSource(), "."))
        return;
    takeMember();
  }

  /// The awaiter's only member that knows the promise.
  void takeMember() {
    const FieldDecl *Only = nullptr;
    for (const FieldDecl *Member : Shape.Definition->getParent()->fields()) {
      if (!Body.isOfPromise(Member->getType()) && !Body.isPromise(Member->getType()))
        continue;
      if (Only)
        return;
      Only = Member;
    }
    if (!Only || Only->getName().empty())
      return;
    Named = Only->getName().str();
    Shape.Promise = Named + (Only->getType()->isPointerType()    ? "->"
                             : Body.isOfPromise(Only->getType()) ? ".promise()."
                                                                 : ".");
  }

  bool isTheTask(const Expr *E) const { return textOf(*E) == Named; }

  bool isIn(const Expr *E, const Stmt &S) const {
    return Unit.sources().isPointWithin(E->getBeginLoc(), S.getBeginLoc(), S.getEndLoc());
  }

  bool starts(const Stmt &S) const {
    return llvm::any_of(Body.Started, [&](const Expr *E) { return !isParent(*E) && isIn(E, S); });
  }

  /// Whether a statement does with the task what needs it to exist.
  bool uses(const Stmt &S) const {
    return starts(S) || llvm::any_of(Body.Promises, [&](const Expr *E) { return isIn(E, S); });
  }

  bool tests(const Stmt &S) const {
    return llvm::any_of(Body.Tested, [&](const Expr *E) { return isTheTask(E) && isIn(E, S); });
  }

  /// Whether the statement declares the variable by which the task is named.
  bool declaresRoot(const Stmt &S) const {
    const auto *Variable = dyn_cast_or_null<DeclRefExpr>(Root);
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return Variable && Declaration && llvm::is_contained(Declaration->decls(), Variable->getDecl());
  }

  void findPlace() {
    if (llvm::any_of(Body.Assigned, [&](const Expr *E) { return isTheTask(E); })) {
      Shape.Refusal = "await_suspend sets the task's handle itself";
      return;
    }
    const auto *Block = cast<CompoundStmt>(Shape.Definition->getBody());
    const auto *Variable = dyn_cast_or_null<DeclRefExpr>(Root);
    const bool IsLocal = Variable && cast<VarDecl>(Variable->getDecl())->isLocalVarDecl();
    if (IsLocal && llvm::none_of(Block->body(), [&](const Stmt *S) { return declaresRoot(*S); })) {
      Shape.Refusal = "the task's handle is declared in a block of await_suspend";
      return;
    }
    bool IsDeclared = !IsLocal;
    for (const Stmt *S : Block->body()) {
      if (!Shape.Before)
        Shape.Before = S;
      if (declaresRoot(*S)) {
        IsDeclared = true;
        Shape.Before = nullptr;
        continue;
      }
      // Before the task has a name, a promise of its type is another's.
      if (IsDeclared ? uses(*S) : starts(*S)) {
        if (!IsDeclared)
          Shape.Refusal = "await_suspend starts something before it declares the task's handle";
        else if (tests(*S))
          Shape.Refusal = "await_suspend tests whether there is a task where it starts it";
        return;
      }
      if (tests(*S))
        Shape.Before = nullptr;
    }
    if (!Shape.Before)
      Shape.Refusal = "await_suspend names no promise of the task that it starts";
  }

  SourceEdits Source;
  TranslationUnit &Unit;
  AwaiterShape &Shape;
  BodyReader Body;
  const Expr *Root = nullptr;
  std::string Named;
};

/// What can be told without the body.
std::string refusalOf(const AwaiterShape &Shape, const SourceManager &Sources) {
  const CXXMethodDecl &Method = *Shape.Spelled;
  if (Sources.isInSystemHeader(Method.getLocation()))
    return "its await_suspend stands in a system header";
  if (!Shape.Definition || !Shape.Definition->getBody() || !Method.getBody())
    return "the body of its await_suspend is not seen here";
  if (!isa<CompoundStmt>(Shape.Definition->getBody()))
    return "the whole body of its await_suspend is a try block";
  if (Method.getLocation().isMacroID() || Method.getBody()->getBeginLoc().isMacroID() ||
      Method.getBody()->getEndLoc().isMacroID())
    return "its await_suspend is made by a macro";
  const QualType Result = Shape.Definition->getReturnType();
  if (!Result->isVoidType() && !isHandle(Result))
    return llvm::formatv("await_suspend returns '{0}', so the awaiting coroutine may go on beside "
                         "the task",
                         Result.getAsString(Method.getASTContext().getPrintingPolicy()));
  if (!Shape.Parent || !isHandle(Shape.Parent->getType()))
    return "await_suspend takes no std::coroutine_handle";
  if (const QualType Type = Shape.Parent->getType();
      Type->isLValueReferenceType() && !Type.getNonReferenceType().isConstQualified())
    return "await_suspend takes the handle by reference";
  if (!Shape.IsErased)
    return {};
  // It is to become a member template.
  if (!Method.getParent()->lookup(Method.getDeclName()).isSingleResult())
    return "await_suspend is overloaded, and would be ambiguous as a template";
  if (Method.isVirtual())
    return "await_suspend is virtual, so it cannot take the handle of any promise";
  if (!Method.getLexicalDeclContext()->isRecord())
    return "await_suspend is defined outside of its class";
  if (Method.getParent()->isLocalClass())
    return "the awaiter is a class in a function, which can have no member template: take it out "
           "of the function";
  return {};
}

} // namespace

AwaiterShape awaiterShapeOf(TranslationUnit &Unit, const AwaitedTask &Task) {
  AwaiterShape Shape;
  const FunctionDecl *Defined = Task.Suspend;
  if (Task.Suspend->getBody(Defined))
    Shape.Definition = cast<CXXMethodDecl>(Defined);
  const CXXMethodDecl &Instance = Shape.Definition ? *Shape.Definition : *Task.Suspend;
  const FunctionDecl *Pattern = Instance.getTemplateInstantiationPattern();
  Shape.Spelled = Pattern ? cast<CXXMethodDecl>(Pattern) : &Instance;
  if (Instance.getNumParams() == 1)
    Shape.Parent = Instance.getParamDecl(0);
  Shape.IsErased = Shape.Parent && isHandle(Shape.Parent->getType()) &&
                   !promiseOfHandle(Shape.Parent->getType()) && !Instance.getPrimaryTemplate() &&
                   !Shape.Spelled->getParamDecl(0)->getType()->isDependentType();
  if (const Stmt *Body = Shape.Spelled->getBody())
    Shape.Adopts = SourceEdits(Unit).mentions(Body->getSourceRange(), runtime::Adopt);
  if (Shape.Adopts)
    return Shape;
  Shape.Refusal = refusalOf(Shape, Unit.sources());
  if (Shape.Refusal.empty())
    ShapeReader(Unit, Task, Shape).read();
  if (Shape.Refusal.empty() && Shape.IsErased)
    Shape.Refusal = findErasingUses(Unit, *Shape.Definition, *Shape.Parent, Shape.Erasing);
  return Shape;
}

} // namespace cancel_tools
