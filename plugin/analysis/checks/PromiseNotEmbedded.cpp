// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task type whose coroutines register stop callbacks in helpers that a loop calls, and whose
// promise does not hand the loop's slot down to them.
//
//   struct promise_type {                   struct promise_type : cancel::stop_frame {
//   ...                                     ...
//   std::coroutine_handle<>                 template <class Promise>
//   await_suspend(                          std::coroutine_handle<>
//       std::coroutine_handle<> parent) {   await_suspend(std::coroutine_handle<Promise> parent) {
//                                             coroutine.promise().adopt(parent);
//     coroutine.promise().next = parent;      coroutine.promise().next = parent;
//     return coroutine;                       return coroutine;
//   }                                       }
#include "AwaiterShape.h"
#include "Check.h"
#include "CoroutineCalls.h"
#include "PromiseEmbed.h"
#include "PromiseFamily.h"
#include "PromiseShape.h"
#include "RegistrationSite.h"
#include "SlotChains.h"
#include "TaskType.h"
#include "TokenOrigin.h"
#include "TranslationUnit.h"
#include "Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

constexpr llvm::StringLiteral Name = "cancel-promise-not-embedded";

// A unit without a callback may still have an awaiter, or a function on the way.
constexpr Alternatives (*NeedTable[])() = {coroutineWords};

// Find and repair
// ---------------------------------------------------------------------------------------------

/// The facts of one unit; each class and function is looked at once.
class Examination {
public:
  Examination(TranslationUnit &Unit, std::vector<Fact> &Facts)
      : Unit(Unit), Facts(Facts), Tasks(Unit) {}

  void examine(const Coroutine &C) {
    examineRegistrations(C);
    if (C.promise() && C.promise()->hasDefinition() &&
        Promises.insert(&spelledClass(*C.promise())).second)
      examinePromise(C);
    for (const AwaitedTask &Task : Tasks.awaitedIn(C))
      if (!isForeign(*Task.Promise) && Awaiters.insert(&spelled(*Task.Suspend)).second)
        examineAwaiter(Task);
  }

private:
  static const FunctionDecl &spelled(const CXXMethodDecl &Method) {
    const FunctionDecl *Pattern = Method.getTemplateInstantiationPattern();
    return Pattern ? *Pattern : Method;
  }

  bool isForeign(const CXXRecordDecl &Class) const {
    return Unit.sources().isInSystemHeader(Class.getLocation());
  }

  Fact factAt(SourceLocation Loc, llvm::StringRef Kind) {
    Fact F;
    F.Check = Name.str();
    F.At = Unit.placeOf(Loc);
    F.Attributes = llvm::json::Object{{"kind", Kind.str()}};
    return F;
  }

  void add(Fact F) {
    if (!F.At.File.empty())
      Facts.push_back(std::move(F));
  }

  void addHelper(const Coroutine &C, SourceLocation Loc) {
    Fact F = factAt(Loc, "helper");
    F.Function = entityKey(Unit, C.function());
    add(std::move(F));
  }

  void examineRegistrations(const Coroutine &C) {
    for (const RegistrationSite &S : registrationSites(C))
      if (S.OncePerCall)
        addHelper(C, S.registration().Where);
    // What was rewritten before its promise was embedded.
    for (const CallExpr *Call : awaitedCalls(C.body()))
      if (givesSlotOfStack(*Call->getDirectCallee()) && C.loopsAround(*Call).empty() &&
          llvm::any_of(tokensIn(*Call), [&](const Expr *Token) {
            return originOf(*Token, C, C.body()).What != TokenOrigin::Varies;
          }))
        addHelper(C, Call->getExprLoc());
  }

  llvm::json::Array keysOf(const PromiseFamily &Family) {
    llvm::json::Array Keys;
    for (const CXXRecordDecl *Promise : Family.Promises)
      Keys.push_back(entityKey(Unit, *Promise));
    return Keys;
  }

  void take(EmbedEdits Rendered, Fact &F) {
    if (!Rendered.Refusal.empty())
      F.Refusal = std::move(Rendered.Refusal);
    F.Edits = std::move(Rendered.Edits);
    if (!F.Edits.empty()) // the judge knows better who belongs together
      F.Group = llvm::formatv("{0}@{1}:{2}", Name, F.At.File, F.At.Offset);
  }

  void examinePromise(const Coroutine &C) {
    const CXXRecordDecl &Promise = spelledClass(*C.promise());
    const PromiseShape Shape = promiseShapeOf(Unit, C);
    const PromiseFamily Family = promiseFamilyOf(Unit, *C.promise(), taskOf(C));
    Fact F = factAt(Promise.getLocation(), "promise");
    F.Attributes["key"] = entityKey(Unit, Promise);
    F.Attributes["name"] = nameOf(Promise);
    F.Attributes["family"] = keysOf(Family);
    F.Attributes["embedded"] = Shape.What == PromiseShape::Embedded;
    F.Attributes["unusable"] = isForeign(Promise) || Shape.IsGenerator;
    F.Attributes["takesSlotFor"] = Shape.TakesSlotFor;
    F.Attributes["eager"] = whyEager(*C.promise());
    if (Shape.What != PromiseShape::Embedded && !isForeign(Promise) && !Shape.IsGenerator) {
      if (Family.Refusal.empty())
        take(renderFrameBase(Unit, Family), F);
      else
        F.Refusal = Family.Refusal;
    }
    add(std::move(F));
  }

  void examineAwaiter(const AwaitedTask &Task) {
    const AwaiterShape Shape = awaiterShapeOf(Unit, Task);
    Fact F = factAt(Shape.Spelled->getLocation(), "awaiter");
    F.Attributes["name"] = nameOf(*Shape.Spelled->getParent());
    F.Attributes["family"] = keysOf(promiseFamilyOf(Unit, *Task.Promise, Task.Task));
    F.Attributes["adopts"] = Shape.Adopts;
    if (!Shape.Refusal.empty())
      F.Refusal = Shape.Refusal;
    else if (!Shape.Adopts)
      take(renderAdoption(Unit, Shape), F);
    add(std::move(F));
  }

  TranslationUnit &Unit;
  std::vector<Fact> &Facts;
  TaskTypes Tasks;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Promises;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Awaiters;
};

void examineUnit(TranslationUnit &Unit, std::vector<Fact> &Facts) {
  Examination Whole(Unit, Facts);
  for (const Coroutine &C : Unit.coroutines())
    Whole.examine(C);
}

// Judge
// ---------------------------------------------------------------------------------------------

bool isKind(const Fact &F, llvm::StringRef Kind) { return F.Attributes.getString("kind") == Kind; }
bool is(const Fact &F, llvm::StringRef Attribute) {
  return F.Attributes.getBoolean(Attribute).value_or(false);
}
llvm::StringRef textOf(const Fact &F, llvm::StringRef Attribute) {
  return F.Attributes.getString(Attribute).value_or("");
}

std::vector<std::string> familyOf(const Fact &F) {
  std::vector<std::string> Family;
  if (const llvm::json::Array *Keys = F.Attributes.getArray("family"))
    for (const llvm::json::Value &Key : *Keys)
      Family.push_back(Key.getAsString().value_or("").str());
  return Family;
}

/// What the facts of the program say together.
class Judge {
public:
  Judge(llvm::ArrayRef<Fact> Facts, const CallGraph &Calls) : Calls(Calls) {
    for (const Fact &F : Facts) {
      Families.join(familyOf(F));
      if (isKind(F, "promise"))
        Promises.try_emplace(textOf(F, "key"), &F);
      else if (isKind(F, "awaiter"))
        Awaiters.push_back(&F);
    }
    const auto CanHave = [&](llvm::StringRef Promise) {
      const auto It = Promises.find(Promise);
      return It != Promises.end() && !is(*It->second, "unusable");
    };
    std::vector<SlotChain> Chains;
    for (const Fact &F : Facts)
      if (isKind(F, "helper"))
        for (SlotChain &Chain : slotChainsTo(F.Function, Calls, CanHave)) {
          addNeeds(F, Chain);
          Chains.push_back(std::move(Chain));
        }
    for (auto &[Name, G] : Groups)
      G.Refusal = refusalOf(Name, G);
    findUnserved(Chains);
  }

  void judge(std::vector<Finding> &Findings) const {
    for (const auto &[Key, N] : Needs)
      if (!is(*N.Promise, "embedded"))
        Findings.push_back(aboutPromise(N));
    for (const Fact *F : Awaiters)
      if (const auto Of = Groups.find(groupOf(*F));
          Of != Groups.end() && Of->second.IsCalled && !is(*F, "adopts"))
        Findings.push_back(aboutAwaiter(*F));
  }

private:
  /// Why one promise is needed.
  struct Need {
    const Fact *Promise = nullptr;
    /// Its coroutines are among those that are called, not only the loop's.
    bool IsCalled = false;
    std::vector<const Fact *> Registrations;
    const CoroutineCall *Loop = nullptr;
  };
  /// What is embedded together.
  struct Group {
    bool IsCalled = false; ///< one of its promises is
    std::optional<std::string> Refusal;
  };

  llvm::StringRef groupOf(const Fact &F) const { return Families.groupOf(familyOf(F).front()); }

  void addNeeds(const Fact &Helper, const SlotChain &Chain) {
    for (const auto &[Nth, Key] : llvm::enumerate(Chain.Promises)) {
      Need &N = Needs[Key.str()];
      N.Promise = Promises.lookup(Key);
      N.IsCalled |= Nth != 0;
      if (!N.Loop)
        N.Loop = Chain.Loop;
      if (!llvm::is_contained(N.Registrations, &Helper))
        N.Registrations.push_back(&Helper);
      Groups[groupOf(*N.Promise)].IsCalled |= Nth != 0;
    }
  }

  /// Why nothing can be done about the group, for reasons of its own.
  std::optional<std::string> refusalOf(llvm::StringRef Name, const Group &G) const {
    for (const auto &[Key, N] : Needs) {
      if (groupOf(*N.Promise) != Name)
        continue;
      if (N.Promise->Refusal)
        return N.Promise->Refusal;
      if (!is(*N.Promise, "takesSlotFor"))
        return "its await_transform does not take what cancel::slot_for returns";
      if (const llvm::StringRef Eager = textOf(*N.Promise, "eager"); N.IsCalled && !Eager.empty())
        return Eager.str();
    }
    if (!G.IsCalled)
      return std::nullopt;
    bool IsAwaited = false;
    for (const Fact *F : Awaiters)
      if (groupOf(*F) == Name) {
        IsAwaited = true;
        if (F->Refusal)
          return F->Refusal;
      }
    if (!IsAwaited)
      return "no co_await of its coroutines is seen, which would tell the awaiter";
    return std::nullopt;
  }

  /// A slot that is not handed down at one place reaches nobody behind that.
  void findUnserved(llvm::ArrayRef<SlotChain> Chains) {
    const auto GroupOf = [&](llvm::StringRef Promise) -> Group & {
      return Groups.find(groupOf(*Promises.lookup(Promise)))->second;
    };
    std::map<Group *, llvm::StringRef> Obstacles; // of each group, a promise that is not rewritten
    llvm::SmallPtrSet<Group *, 8> Served;
    for (const SlotChain &Chain : Chains) {
      const auto Broken = llvm::find_if(
          Chain.Promises, [&](llvm::StringRef Promise) { return GroupOf(Promise).Refusal; });
      for (llvm::StringRef Promise : Chain.Promises)
        if (Broken == Chain.Promises.end())
          Served.insert(&GroupOf(Promise));
        else
          Obstacles.try_emplace(&GroupOf(Promise), *Broken);
    }
    for (const auto &[G, Obstacle] : Obstacles)
      if (!G->Refusal && !Served.contains(G))
        G->Refusal = llvm::formatv("no slot would come this far: each way leads through '{0}', "
                                   "which is not rewritten",
                                   textOf(*Promises.lookup(Obstacle), "name"));
  }

  std::string nameOf(const Fact &Registration) const {
    const CoroutineFact *C = Calls.coroutine(Registration.Function);
    return C ? C->Name : "a coroutine";
  }

  Finding findingOf(const Fact &F, std::string Message) const {
    const llvm::StringRef Group = groupOf(F);
    Finding Result;
    Result.Check = F.Check;
    Result.At = F.At;
    Result.Message = std::move(Message);
    Result.Group = llvm::formatv("{0}@{1}", Name, Group);
    Result.Edits = F.Edits;
    Result.Refusal = F.Refusal ? F.Refusal : Groups.find(Group)->second.Refusal;
    return Result;
  }

  Finding aboutPromise(const Need &N) const {
    const std::string Helper = nameOf(*N.Registrations.front());
    const llvm::StringRef Promise = textOf(*N.Promise, "name");
    Finding Result = findingOf(
        *N.Promise,
        N.IsCalled ? llvm::formatv("promise '{0}' hands no slot down, so {1}, which a loop calls, "
                                   "registers on every call; derive it from cancel::stop_frame, "
                                   "and call adopt where its coroutines are awaited",
                                   Promise, Helper)
                         .str()
                   : llvm::formatv("promise '{0}' has no slot to hand down, so {1}, which a loop "
                                   "of its coroutines calls, registers on every call; derive it "
                                   "from cancel::stop_frame",
                                   Promise, Helper)
                         .str());
    Result.Embeds = familyOf(*N.Promise);
    for (const Fact *At : llvm::ArrayRef(N.Registrations).take_front(3))
      Result.Notes.push_back({At->At, nameOf(*At) + " registers here"});
    Result.Notes.push_back(
        {N.Loop->At, "this loop calls " + N.Loop->CalleeName + " on every turn"});
    return Result;
  }

  Finding aboutAwaiter(const Fact &F) const {
    return findingOf(F,
                     llvm::formatv("await_suspend of '{0}' starts a coroutine without handing it "
                                   "the slots of the one that awaits it; call adopt before",
                                   textOf(F, "name")));
  }

  const CallGraph &Calls;
  PromiseGroups Families;
  llvm::StringMap<const Fact *> Promises;
  std::vector<const Fact *> Awaiters;
  std::map<std::string, Need> Needs;
  std::map<llvm::StringRef, Group> Groups;
};

void concludeFacts(llvm::ArrayRef<Fact> Facts, const Evidence &Known, const Options &,
                   std::vector<Finding> &Findings) {
  Judge(Facts, Known.Calls).judge(Findings);
}

} // namespace

extern const Check PromiseNotEmbedded;
const Check PromiseNotEmbedded = {
    Name,
    "a task type whose coroutines register stop callbacks in a loop's helpers, but whose promise "
    "hands no slot down to them",
    {},
    NeedTable,
    examineUnit,
    concludeFacts,
    /*ConcludesFirst=*/true};

} // namespace cancel_tools
