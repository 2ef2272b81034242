// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads each body once; nested lambdas are functions of their own.
#include "CoroutineCalls.h"
#include "StopUse.h"
#include "TokenOrigin.h"
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Whether a function that returns it may be a coroutine, as far as the class tells; its
/// std::coroutine_traits may be specialised.
bool hasPromise(QualType Type) {
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return false;
  const IdentifierInfo &Name = Class->getASTContext().Idents.get("promise_type");
  return !Class->lookup(&Name).empty() ||
         llvm::any_of(Class->bases(),
                      [](const CXXBaseSpecifier &Base) { return hasPromise(Base.getType()); });
}

const FunctionDecl *spelled(const FunctionDecl &F) {
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return Pattern ? Pattern : &F;
}

/// `read(st)` in `std::move(read(st))`; null if it is no call of a function that can be told.
const CallExpr *callIn(const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E ? E->IgnoreUnlessSpelledInSource() : nullptr);
  if (Call && Call->isCallToStdMove())
    return callIn(Call->getArg(0));
  return Call && Call->getDirectCallee() ? Call : nullptr;
}

const VarDecl *variableIn(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->isCallToStdMove())
    return variableIn(Call->getArg(0));
  const auto *Mention = dyn_cast<DeclRefExpr>(E);
  return Mention ? dyn_cast<VarDecl>(Mention->getDecl()) : nullptr;
}

class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  std::vector<const CallExpr *> Found;
  llvm::SmallPtrSet<const VarDecl *, 8> AwaitedVariables;
  llvm::SmallVector<std::pair<const VarDecl *, const CallExpr *>, 8> Kept;

  bool TraverseLambdaExpr(LambdaExpr *E) {
    for (Expr *Captured : E->capture_inits())
      if (!TraverseStmt(Captured))
        return false;
    return true;
  }
  // The operand stands below each of the three implicit calls as well.
  bool TraverseCoawaitExpr(CoawaitExpr *E, DataRecursionQueue * = nullptr) {
    const Expr *Operand = E->getOperand();
    if (const CallExpr *Call = callIn(Operand))
      Found.push_back(Call);
    else if (const VarDecl *Variable = variableIn(Operand))
      AwaitedVariables.insert(Variable);
    return TraverseStmt(E->getOperand());
  }
  bool TraverseCoyieldExpr(CoyieldExpr *E, DataRecursionQueue * = nullptr) {
    return TraverseStmt(E->getOperand());
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (const CallExpr *Call = callIn(Variable->getInit()))
      Kept.emplace_back(Variable, Call);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *Return) {
    if (const CallExpr *Call = callIn(Return->getRetValue()); Call && hasPromise(Call->getType()))
      Found.push_back(Call);
    return true;
  }
};

/// Whether a loop of the coroutine makes the call on every turn, and not with another token each
/// time.
bool repeats(const CallExpr &Call, const Coroutine &C) {
  const auto Loops = C.loopsAround(Call);
  if (Loops.empty())
    return false;
  const std::vector<const Expr *> Tokens = tokensIn(Call);
  return Tokens.empty() || llvm::any_of(Tokens, [&](const Expr *Token) {
           return originOf(*Token, C, *Loops.front()).What != TokenOrigin::Varies;
         });
}

} // namespace

std::vector<const CallExpr *> awaitedCalls(const Stmt &Body) {
  CallFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(&Body));
  for (const auto &[Variable, Call] : Finder.Kept)
    if (Finder.AwaitedVariables.contains(Variable))
      Finder.Found.push_back(Call);
  return std::move(Finder.Found);
}

std::vector<const Expr *> tokensIn(const CallExpr &Call) {
  std::vector<const Expr *> Tokens;
  for (const Expr *Argument : Call.arguments())
    if (isKnown(Argument->getType(), KnownType::StopToken))
      Tokens.push_back(withoutCopies(Argument));
  return Tokens;
}

std::string nameForPeople(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && Method->getParent()->isLambda() ? "a lambda"
                                                   : "'" + F.getQualifiedNameAsString() + "'";
}

static std::string whereItStands(TranslationUnit &Unit, const NamedDecl &D) {
  const Location At = Unit.placeOf(D.getLocation());
  return llvm::formatv("@{0}:{1}", At.File, At.Offset);
}

std::string entityKey(TranslationUnit &Unit, const NamedDecl &D) {
  const NamedDecl *Spelled = &D;
  bool IsLambda = false;
  if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    Spelled = spelled(*Function);
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    IsLambda = Method && Method->getParent()->isLambda();
  } else if (const auto *Class = dyn_cast<CXXRecordDecl>(&D)) {
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      Spelled = Pattern;
  }
  Spelled = cast<NamedDecl>(Spelled->getCanonicalDecl());
  llvm::SmallString<128> Key;
  if (!IsLambda)
    index::generateUSRForDecl(Spelled, Key);
  if (IsLambda || !Spelled->isExternallyVisible())
    Key += whereItStands(Unit, *Spelled);
  return std::string(Key);
}

void findCalls(TranslationUnit &Unit, std::vector<CoroutineFact> &Coroutines,
               std::vector<CoroutineCall> &Calls) {
  if (const auto &Names = Unit.context().Idents; Names.find("promise_type") == Names.end())
    return;
  llvm::DenseMap<const FunctionDecl *, const Coroutine *> Bodies;
  for (const Coroutine &C : Unit.coroutines()) {
    Bodies[&C.function()] = &C;
    const CXXRecordDecl *Promise = C.promise();
    Coroutines.push_back({entityKey(Unit, C.function()), nameForPeople(C.function()),
                          Promise ? entityKey(Unit, *Promise) : std::string()});
  }
  for (const FunctionDecl *Caller : Unit.functions()) {
    const Coroutine *C = Bodies.lookup(Caller);
    std::string CallerKey;
    const auto KeyOfCaller = [&]() -> const std::string & {
      if (CallerKey.empty())
        CallerKey = entityKey(Unit, *Caller);
      return CallerKey;
    };
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Caller);
        Method && hasPromise(Method->getReturnType()))
      for (const CXXMethodDecl *Overridden : Method->overridden_methods())
        Calls.push_back({entityKey(Unit, *Overridden), KeyOfCaller(), nameForPeople(*Caller),
                         Unit.placeOf(Caller->getLocation()), false});
    for (const CallExpr *Call : awaitedCalls(C ? C->body() : *Caller->getBody()))
      Calls.push_back({KeyOfCaller(), entityKey(Unit, *Call->getDirectCallee()),
                       nameForPeople(*Call->getDirectCallee()), Unit.placeOf(Call->getExprLoc()),
                       C && repeats(*Call, *C)});
  }
}

} // namespace cancel_tools
