// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suspension points and liveness across them, computed on Clang's CFG with the co_await element as
// the barrier.
#include "Suspension.h"
#include "Vocabulary.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <deque>

namespace cancel_tools {

using namespace clang;

namespace {

class SuspensionCollector : public RecursiveASTVisitor<SuspensionCollector> {
public:
  llvm::SmallVector<const CoroutineSuspendExpr *, 4> Found;

  bool VisitCoroutineSuspendExpr(CoroutineSuspendExpr *E) {
    Found.push_back(E);
    return true;
  }
  // The same operand stands below each of the three calls; only the written one counts.
  bool TraverseCoawaitExpr(CoawaitExpr *E, DataRecursionQueue * = nullptr) {
    return VisitCoroutineSuspendExpr(E) && TraverseStmt(E->getOperand());
  }
  bool TraverseCoyieldExpr(CoyieldExpr *E, DataRecursionQueue * = nullptr) {
    return VisitCoroutineSuspendExpr(E) && TraverseStmt(E->getOperand());
  }
  bool TraverseLambdaExpr(LambdaExpr *E) {
    for (Expr *Captured : E->capture_inits())
      if (!TraverseStmt(Captured))
        return false;
    return true;
  }
};

class LabelFinder : public RecursiveASTVisitor<LabelFinder> {
public:
  bool Found = false;
  bool VisitLabelStmt(LabelStmt *) { return !(Found = true); }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
};

/// `co_await std::suspend_never{}` is an await that never suspends.
bool suspends(const CoroutineSuspendExpr &E) {
  const Expr *Awaiter = E.getCommonExpr();
  return !Awaiter || !isNeverSuspendingAwaiter(Awaiter->getType());
}

/// Where one lifetime of `Events` is born or dies, found by CFG element.
struct EventIndex {
  llvm::DenseMap<const Stmt *, llvm::SmallVector<const LifetimeEvent *, 1>> ByStmt;
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const LifetimeEvent *, 1>> ByDecl;
  /// All lifetimes that some variable or member may hold.
  llvm::DenseMap<std::pair<const VarDecl *, const FieldDecl *>, llvm::BitVector> Held;
  /// All lifetimes that die with a variable.
  llvm::DenseMap<const VarDecl *, llvm::BitVector> Owned;

  EventIndex(const Coroutine &C, llvm::ArrayRef<LifetimeEvent> Events, unsigned Count) : C(C) {
    for (const LifetimeEvent &E : Events) {
      if (E.Declared)
        ByDecl[E.Declared].push_back(&E);
      else
        ByStmt[E.At].push_back(&E);
      for (llvm::BitVector *Set : {&Held[{E.Holder, E.Member}], &Owned[E.Holder]}) {
        Set->resize(Count);
        if (E.Begins)
          Set->set(*E.Begins);
      }
    }
  }

  /// The CFG has no destructors on the way to a handler: what the try block declares is gone there.
  void unwind(const CXXCatchStmt &Handler, llvm::BitVector &Alive) const {
    const auto *Try = dyn_cast_or_null<CXXTryStmt>(C.parents().getParent(&Handler));
    if (!Try)
      return;
    const SourceManager &Sources = C.function().getASTContext().getSourceManager();
    const SourceRange Block = Try->getTryBlock()->getSourceRange();
    for (const auto &[Variable, Lifetimes] : Owned)
      if (Sources.isPointWithin(Variable->getLocation(), Block.getBegin(), Block.getEnd()))
        Alive.reset(Lifetimes);
  }

  void apply(const LifetimeEvent &E, llvm::BitVector &Alive) const {
    Alive.reset(Held.find({E.Holder, E.Member})->second);
    if (E.Begins)
      Alive.set(*E.Begins);
  }

private:
  const Coroutine &C;
};

/// Replays one block over `Alive`; `AtSuspension` sees the set at each suspension point.
template <typename Callback>
void replay(const CFGBlock &Block, const EventIndex &Index, llvm::BitVector &Alive,
            Callback AtSuspension) {
  if (const auto *Handler = dyn_cast_or_null<CXXCatchStmt>(Block.getLabel()))
    Index.unwind(*Handler, Alive);
  for (const CFGElement &Element : Block) {
    if (auto Dtor = Element.getAs<CFGAutomaticObjDtor>()) {
      if (auto It = Index.Owned.find(Dtor->getVarDecl()); It != Index.Owned.end())
        Alive.reset(It->second);
      continue;
    }
    auto Statement = Element.getAs<CFGStmt>();
    if (!Statement)
      continue;
    const Stmt *S = Statement->getStmt();
    if (const auto *Suspend = dyn_cast<CoroutineSuspendExpr>(S); Suspend && suspends(*Suspend))
      AtSuspension(*Suspend);
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls())
        if (auto It = Index.ByDecl.find(dyn_cast<VarDecl>(D)); It != Index.ByDecl.end())
          for (const LifetimeEvent *E : It->second)
            Index.apply(*E, Alive);
    }
    if (auto It = Index.ByStmt.find(S); It != Index.ByStmt.end())
      for (const LifetimeEvent *E : It->second)
        Index.apply(*E, Alive);
  }
}

bool reachesItself(const CFGBlock &Start) {
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  std::deque<const CFGBlock *> Work{&Start};
  while (!Work.empty()) {
    const CFGBlock *Block = Work.front();
    Work.pop_front();
    for (const CFGBlock *Next : Block->succs()) {
      if (Next == &Start)
        return true;
      if (Next && Seen.insert(Next).second)
        Work.push_back(Next);
    }
  }
  return false;
}

} // namespace

llvm::SmallVector<const CoroutineSuspendExpr *, 4> suspensionsIn(const Stmt &S) {
  SuspensionCollector Collector;
  Collector.TraverseStmt(const_cast<Stmt *>(&S));
  llvm::erase_if(Collector.Found, [](const CoroutineSuspendExpr *E) { return !suspends(*E); });
  return std::move(Collector.Found);
}

std::vector<llvm::StringRef> coroutineWords() { return {"promise_type", "coroutine_traits"}; }

bool turns(const Stmt &Above, const Stmt &Below) {
  if (const auto *For = dyn_cast<ForStmt>(&Above))
    return &Below != For->getInit();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Above))
    return &Below == Range->getBody() || &Below == Range->getLoopVarStmt();
  return isa<WhileStmt, DoStmt>(Above);
}

Coroutine::Coroutine(const FunctionDecl &Function, const CoroutineBodyStmt &Whole)
    : Function(&Function), Body(Whole.getBody()),
      Promise(Whole.getPromiseDecl()->getType()->getAsCXXRecordDecl()) {}

const FunctionDecl &Coroutine::outermostFunction() const {
  const FunctionDecl *Outermost = Function;
  for (const DeclContext *Scope = Function; Scope; Scope = Scope->getParent())
    if (const auto *Enclosing = dyn_cast<FunctionDecl>(Scope))
      Outermost = Enclosing;
  return *Outermost;
}

bool Coroutine::isInstantiated() const {
  for (const DeclContext *Scope = Function; Scope; Scope = Scope->getParent()) {
    if (const auto *Enclosing = dyn_cast<FunctionDecl>(Scope);
        Enclosing && Enclosing->isTemplateInstantiation())
      return true;
    if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(Scope);
        Class && !Class->isExplicitSpecialization())
      return true;
  }
  return false;
}

bool Coroutine::yields() const {
  return llvm::any_of(suspensionsIn(*Body), [](const Expr *E) { return isa<CoyieldExpr>(E); });
}

bool Coroutine::hasLabels() const {
  LabelFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  return Finder.Found;
}

const CFG *Coroutine::cfg() const {
  if (!GraphTried) {
    GraphTried = true;
    CFG::BuildOptions Options;
    Options.AddImplicitDtors = true;
    Options.AddEHEdges = true; // a retry loop turns by way of its handler
    Options.setAlwaysAdd(Stmt::CoawaitExprClass).setAlwaysAdd(Stmt::CoyieldExprClass);
    // From the written body: built from the whole coroutine, the promise would come after it.
    Graph = CFG::buildCFG(Function, const_cast<Stmt *>(Body), &Function->getASTContext(), Options);
  }
  return Graph.get();
}

const ParentMap &Coroutine::parents() const {
  if (!Parents)
    Parents = std::make_unique<ParentMap>(const_cast<Stmt *>(Body));
  return *Parents;
}

llvm::SmallVector<const Stmt *, 4> Coroutine::loopsAround(const Stmt &S) const {
  llvm::SmallVector<const Stmt *, 4> Loops;
  const Stmt *Below = &S;
  for (const Stmt *Above = parents().getParent(Below); Above;
       Below = Above, Above = parents().getParent(Above)) {
    if (turns(*Above, *Below))
      Loops.push_back(Above);
  }
  return Loops;
}

std::vector<Crossing> crossings(const Coroutine &C, llvm::ArrayRef<LifetimeEvent> Events,
                                unsigned Count) {
  std::vector<Crossing> Result(Count);
  const CFG *Graph = C.cfg();
  if (!Graph)
    return Result;
  const EventIndex Index(C, Events, Count);

  std::vector<llvm::BitVector> AtEntry(Graph->getNumBlockIDs(), llvm::BitVector(Count));
  std::deque<const CFGBlock *> Work(1, &Graph->getEntry());
  llvm::BitVector Visited(Graph->getNumBlockIDs());
  while (!Work.empty()) {
    const CFGBlock *Block = Work.front();
    Work.pop_front();
    Visited.set(Block->getBlockID());
    llvm::BitVector Alive = AtEntry[Block->getBlockID()];
    replay(*Block, Index, Alive, [](const Expr &) {});
    for (const CFGBlock *Next : Block->succs()) {
      if (!Next)
        continue;
      llvm::BitVector &Entry = AtEntry[Next->getBlockID()];
      llvm::BitVector Joined = Entry;
      Joined |= Alive;
      if (Joined != Entry || !Visited.test(Next->getBlockID())) {
        Entry = std::move(Joined);
        Work.push_back(Next);
      }
    }
  }

  for (const CFGBlock *Block : *Graph) {
    if (!Visited.test(Block->getBlockID()))
      continue;
    llvm::BitVector Alive = AtEntry[Block->getBlockID()];
    replay(*Block, Index, Alive, [&](const Expr &Suspension) {
      for (unsigned Lifetime : Alive.set_bits())
        Result[Lifetime].Suspensions.push_back(&Suspension);
    });
    std::optional<bool> Repeats; // of this block, found once
    auto Mark = [&](const LifetimeEvent *E) {
      if (!E->Begins)
        return;
      if (!Repeats)
        Repeats = reachesItself(*Block);
      Result[*E->Begins].Repeats |= *Repeats;
    };
    for (const CFGElement &Element : *Block)
      if (auto Statement = Element.getAs<CFGStmt>()) {
        if (auto It = Index.ByStmt.find(Statement->getStmt()); It != Index.ByStmt.end())
          llvm::for_each(It->second, Mark);
        if (const auto *Declaration = dyn_cast<DeclStmt>(Statement->getStmt()))
          for (const Decl *D : Declaration->decls())
            if (auto It = Index.ByDecl.find(dyn_cast<VarDecl>(D)); It != Index.ByDecl.end())
              llvm::for_each(It->second, Mark);
      }
  }
  for (Crossing &Each : Result) {
    llvm::sort(Each.Suspensions,
               [](const Expr *A, const Expr *B) { return A->getBeginLoc() < B->getBeginLoc(); });
    Each.Suspensions.erase(llvm::unique(Each.Suspensions), Each.Suspensions.end());
  }
  return Result;
}

} // namespace cancel_tools
