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
#include "TokenOrigin.h"
#include "TranslationUnit.h"
#include "Vocabulary.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

constexpr llvm::StringLiteral Name = "cancel-promise-not-embedded";

// Who looks for a slot names a token, whose header names the callback.
constexpr Alternatives (*NeedTable[])() = {
    suspendingKeywords,
    [] { return namesOf(KnownType::StopCallback); },
};

// Find and repair
// ---------------------------------------------------------------------------------------------

/// The facts of one unit; each class and function is looked at once.
class Examination {
public:
  Examination(TranslationUnit &Unit, std::vector<Fact> &Facts) : Unit(Unit), Facts(Facts) {}

  void examine(const Coroutine &C) {
    examineRegistrations(C);
    if (C.promise() && C.promise()->hasDefinition() && Promises.insert(C.promise()).second)
      examinePromise(C);
    for (const AwaitedTask &Task : awaitedTasks(Unit, C))
      if (!isForeign(*Task.Promise) && Awaiters.insert(Task.Suspend).second)
        examineAwaiter(Task);
  }

private:
  bool isForeign(const CXXRecordDecl &Class) const {
    return Unit.sources().isInSystemHeader(Class.getLocation());
  }

  Fact factAt(SourceLocation Loc, llvm::StringRef Kind) {
    Fact F;
    F.Check = Name.str();
    F.At = Unit.locate(Unit.sources().getFileLoc(Loc)).value_or(Location{});
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
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Promises;
  llvm::SmallPtrSet<const CXXMethodDecl *, 8> Awaiters;
};

void examineUnit(TranslationUnit &Unit, std::vector<Fact> &Facts) {
  // What NeedTable says holds of the awaiters and promises too.
  const IdentifierTable &Names = Unit.context().Idents;
  if (llvm::none_of(namesOf(KnownType::StopCallback),
                    [&](llvm::StringRef Callback) { return Names.find(Callback) != Names.end(); }))
    return;
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

/// What the facts of the program say together.
class Judge {
public:
  Judge(llvm::ArrayRef<Fact> Facts, const CallGraph &Calls) : Calls(Calls) {
    for (const Fact &F : Facts) {
      join(F);
      if (isKind(F, "promise"))
        Promises.try_emplace(textOf(F, "key"), &F);
      else if (isKind(F, "awaiter"))
        Awaiters.push_back(&F);
    }
    for (const Fact &F : Facts)
      if (isKind(F, "helper"))
        for (const CallGraph::Path &P : Calls.loopsReaching(F.Function))
          addChain(F, P);
    findBrokenChains();
  }

  void judge(std::vector<Finding> &Findings) const {
    for (const auto &[Key, N] : Needs)
      if (!is(*N.Promise, "embedded"))
        Findings.push_back(findingOf(N));
    for (const Fact *F : Awaiters)
      if (const auto Of = Groups.find(familyOf(*F)); Of != Groups.end() && Of->second.Hands)
        judgeAwaiter(*F, Of->first, Of->second, Findings);
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
  /// What is embedded together: the promises that an awaiter may meet.
  struct Group {
    bool Hands = false; ///< one of them is called
    std::optional<std::string> Refusal;
    /// Some chain through it leads through nothing that is refused.
    bool Serves = false;
    std::string Obstacle;
  };
  using Chain = std::vector<std::string>; // of families

  void join(const Fact &F) {
    const llvm::json::Array *Family = F.Attributes.getArray("family");
    for (const llvm::json::Value &Key : Family ? *Family : llvm::json::Array()) {
      const auto [It, Fresh] = Numbers.try_emplace(*Key.getAsString(), Keys.size());
      if (Fresh) {
        Keys.push_back(It->getKey());
        Families.grow(Keys.size());
      }
      Families.join(It->second, Numbers.lookup(*Family->front().getAsString()));
    }
  }

  /// By the name of one of its promises.
  std::string familyOf(const Fact &F) const {
    const llvm::json::Array *Family = F.Attributes.getArray("family");
    return Keys[Families.findLeader(Numbers.lookup(*Family->front().getAsString()))].str();
  }

  /// The promises on the way from a loop to a registration are needed, if all can be had.
  void addChain(const Fact &Helper, const CallGraph::Path &P) {
    llvm::SmallVector<const Fact *, 4> OnTheWay;
    const auto Add = [&](llvm::StringRef Function) {
      const CoroutineFact *C = Calls.coroutine(Function);
      if (!C) // returns what another coroutine gave it
        return true;
      const auto It = Promises.find(C->Promise);
      if (It == Promises.end() || is(*It->second, "unusable"))
        return false;
      OnTheWay.push_back(It->second);
      return true;
    };
    if (!Add(P.front()->Caller))
      return;
    for (const CoroutineCall *Call : P)
      if (!Add(Call->Callee))
        return;
    Chain Through;
    for (const auto &[Nth, Promise] : llvm::enumerate(OnTheWay)) {
      Need &N = Needs[textOf(*Promise, "key").str()];
      N.Promise = Promise;
      N.IsCalled |= Nth != 0;
      if (!N.Loop)
        N.Loop = P.front();
      if (!llvm::is_contained(N.Registrations, &Helper))
        N.Registrations.push_back(&Helper);
      Group &G = Groups[familyOf(*Promise)];
      G.Hands |= Nth != 0;
      Through.push_back(familyOf(*Promise));
    }
    Chains.push_back(std::move(Through));
  }

  /// Why nothing can be done about the group, for reasons of its own.
  std::optional<std::string> refusalOf(const std::string &Family, const Group &G) const {
    for (const auto &[Key, N] : Needs) {
      if (familyOf(*N.Promise) != Family)
        continue;
      if (N.Promise->Refusal)
        return N.Promise->Refusal;
      if (!is(*N.Promise, "takesSlotFor"))
        return "its await_transform does not take what cancel::slot_for returns";
      if (N.IsCalled && !textOf(*N.Promise, "eager").empty())
        return textOf(*N.Promise, "eager").str();
    }
    if (!G.Hands)
      return std::nullopt;
    bool IsAwaited = false;
    for (const Fact *F : Awaiters)
      if (familyOf(*F) == Family) {
        IsAwaited = true;
        if (F->Refusal)
          return F->Refusal;
      }
    if (!IsAwaited)
      return "no co_await of its coroutines is seen, which would tell the awaiter";
    return std::nullopt;
  }

  /// A slot that is not handed down at one place reaches nobody behind that.
  void findBrokenChains() {
    for (auto &[Family, G] : Groups)
      G.Refusal = refusalOf(Family, G);
    std::map<std::string, std::string> Names; // of a promise of each group
    for (const auto &[Key, N] : Needs)
      Names.try_emplace(familyOf(*N.Promise), textOf(*N.Promise, "name").str());
    for (const Chain &Through : Chains) {
      const auto Broken =
          llvm::find_if(Through, [&](const std::string &F) { return Groups[F].Refusal; });
      for (const std::string &Family : Through)
        if (Broken == Through.end())
          Groups[Family].Serves = true;
        else
          Groups[Family].Obstacle = Names[*Broken];
    }
    for (auto &[Family, G] : Groups)
      if (!G.Refusal && !G.Serves)
        Unserved.insert(Family);
  }

  std::string quoted(llvm::StringRef Function) const {
    const CoroutineFact *C = Calls.coroutine(Function);
    if (!C)
      return "a coroutine";
    return C->Name == "a lambda" ? C->Name : "'" + C->Name + "'";
  }

  /// Gives the finding its place in the group.
  void conclude(const Fact &F, const std::string &Family, const Group &G, Finding &Result) const {
    Result.Check = F.Check;
    Result.At = F.At;
    Result.Group = llvm::formatv("{0}@{1}", Name, Family);
    Result.Edits = F.Edits;
    if (F.Refusal)
      Result.Refusal = F.Refusal;
    else if (G.Refusal)
      Result.Refusal = G.Refusal;
    else if (Unserved.contains(Family))
      Result.Refusal = llvm::formatv(
          "no slot would come this far: each way leads through '{0}', which is not rewritten",
          G.Obstacle);
  }

  Finding findingOf(const Need &N) const {
    const Fact &F = *N.Promise;
    const std::string Family = familyOf(F);
    Finding Result;
    conclude(F, Family, Groups.find(Family)->second, Result);
    const std::string Helper = quoted(N.Registrations.front()->Function);
    Result.Message =
        N.IsCalled
            ? llvm::formatv("promise '{0}' hands no slot down, so {1}, which a loop calls, "
                            "registers on every call; derive it from cancel::stop_frame, and call "
                            "adopt where its coroutines are awaited",
                            textOf(F, "name"), Helper)
                  .str()
            : llvm::formatv("promise '{0}' has no slot to hand down, so {1}, which a loop of its "
                            "coroutines calls, registers on every call; derive it from "
                            "cancel::stop_frame",
                            textOf(F, "name"), Helper)
                  .str();
    for (const Fact *At : llvm::ArrayRef(N.Registrations).take_front(3))
      Result.Notes.push_back(
          {At->At, llvm::formatv("{0} registers here", quoted(At->Function)).str()});
    Result.Notes.push_back(
        {N.Loop->At,
         llvm::formatv("this loop calls {0} on every turn", quoted(N.Loop->Callee)).str()});
    return Result;
  }

  void judgeAwaiter(const Fact &F, const std::string &Family, const Group &G,
                    std::vector<Finding> &Findings) const {
    if (is(F, "adopts"))
      return;
    Finding Result;
    conclude(F, Family, G, Result);
    Result.Message = llvm::formatv("await_suspend of '{0}' starts a coroutine without handing it "
                                   "the slots of the one that awaits it; call adopt before",
                                   textOf(F, "name"));
    Findings.push_back(std::move(Result));
  }

  const CallGraph &Calls;
  /// Promises by their numbers, joined where an awaiter may meet both.
  llvm::IntEqClasses Families;
  llvm::StringMap<unsigned> Numbers;
  std::vector<llvm::StringRef> Keys;
  llvm::StringMap<const Fact *> Promises;
  std::vector<const Fact *> Awaiters;
  std::map<std::string, Need> Needs;
  std::map<std::string, Group> Groups;
  std::vector<Chain> Chains;
  llvm::StringSet<> Unserved;
};

void concludeFacts(llvm::ArrayRef<Fact> Facts, const CallGraph &Calls, const Options &,
                   std::vector<Finding> &Findings) {
  Judge(Facts, Calls).judge(Findings);
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
    concludeFacts};

} // namespace cancel_tools
