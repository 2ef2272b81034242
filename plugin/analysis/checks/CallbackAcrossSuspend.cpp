// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stop callback that is registered on every turn of a loop and stays registered while the
// coroutine is suspended.
//
//   while (!st.stop_requested()) {                          cancel::stop_slot cancel_slot(st);
//     std::stop_callback on_stop(st, f);                    while (!st.stop_requested()) {
//     co_await socket.read(buffer);                           cancel::stop_guard
//     on_stop(cancel_slot, f);
//   }                                                         co_await socket.read(buffer);
//                                                           }
#include "Check.h"
#include "CoroutineCalls.h"
#include "PromiseShape.h"
#include "RegistrationSite.h"
#include "RuntimeNames.h"
#include "SlotHoist.h"
#include "SlotPlan.h"
#include "StopUse.h"
#include "TranslationUnit.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

constexpr llvm::StringLiteral Name = "cancel-callback-across-suspend";

constexpr OptionSpec OptionTable[] = {
    {"WarnOutsideLoops", "false",
     "Also report callbacks that no loop registers again, where a slot gains nothing yet"},
};

// Whatever a callback is held by and called in the code at hand, its class has its own name where
// it is defined.
constexpr Alternatives (*NeedTable[])() = {
    suspendingKeywords,
    [] { return namesOf(KnownType::StopCallback); },
};

// Find
// -------------------------------------------------------------------------------------------------------

/// A site with where its slot would go, which is made for those that something repeats.
struct Site : RegistrationSite {
  SlotPlan Plan;
};

std::vector<Site> findSites(const Coroutine &C) {
  std::vector<Site> Sites;
  for (RegistrationSite &S : registrationSites(C))
    Sites.push_back({std::move(S), {}});
  return Sites;
}

// Repair
// -----------------------------------------------------------------------------------------------------

/// Where a fact stands: where it is written, also in a macro's argument; a macro's own text stands
/// where it is used.
Location placeOf(TranslationUnit &Unit, SourceLocation Loc) {
  return Unit.locate(Unit.sources().getFileLoc(Loc)).value_or(Location{});
}

std::string groupId(TranslationUnit &Unit, const SlotPlan &Plan) {
  const Location At = placeOf(Unit, Plan.Before->getBeginLoc());
  std::string Token;
  llvm::raw_string_ostream Stream(Token);
  Plan.Token->printPretty(Stream, nullptr, Unit.context().getPrintingPolicy());
  return llvm::formatv("{0}@{1}:{2}:{3}", Name, At.File, At.Offset, Token);
}

std::string whyNotShared(const PromiseShape &Promise) {
  if (Promise.What == PromiseShape::Foreign)
    return Promise.Reason;
  return Promise.IsGenerator
             ? "a generator finds no slot of others: each next value may be another coroutine's"
             : "its promise's await_transform does not take cancel::slot_for";
}

/// Slots of one function get names that differ; instantiations of one template get the same names.
class SlotNames {
public:
  std::string nameOf(TranslationUnit &Unit, const Coroutine &C, const std::string &Group) {
    auto &OfFunction = Numbers[placeOf(Unit, C.outermostFunction().getBeginLoc())];
    const unsigned Nth = OfFunction.try_emplace(Group, OfFunction.size() + 1).first->second;
    return freeSlotName(Unit, C, Nth);
  }

private:
  std::map<Location, std::map<std::string, unsigned>> Numbers;
};

void repair(TranslationUnit &Unit, const Site &S, const PromiseShape &Promise, SlotNames &Names,
            Fact &F) {
  if (S.Repeats && !S.Loop) {
    F.Refusal = "the loop is made by goto, so there is no place before it";
    return;
  }
  if (!S.Plan.Before) {
    F.Refusal = S.Plan.Refusal;
    return;
  }
  const std::string Group = groupId(Unit, S.Plan);
  const std::string Name = Names.nameOf(Unit, *S.In, Group);
  const auto Render = [&](SlotForm Form) {
    return renderHoist(Unit, *S.In, *S.Use, S.registration().HolderIndex, S.Plan, Name, Form);
  };
  // A slot of its own would gain nothing where nothing here repeats the registration.
  if (S.Repeats) {
    SlotEdits Own = Render(SlotForm::Own);
    if (!Own.Refusal.empty()) {
      F.Refusal = Own.Refusal;
      return;
    }
    F.Edits = std::move(Own.Edits);
  }
  F.Group = Group;
  if (Promise.canShareSlots()) {
    SlotEdits OfStack = Render(SlotForm::OfStack);
    F.Alternative = std::move(OfStack.Edits);
    if (S.OncePerCall && !OfStack.Refusal.empty())
      F.Refusal = OfStack.Refusal;
  } else if (S.OncePerCall) {
    F.Refusal = whyNotShared(Promise);
  }
}

/// Plans the slots of one coroutine together, so that callbacks on one token share one.
void planSites(const Coroutine &C, llvm::MutableArrayRef<Site> Sites) {
  const auto Plan = [&](auto Wanted, auto PlanSlots) {
    llvm::SmallVector<unsigned, 4> Holders;
    for (const Site &S : Sites)
      if (Wanted(S) && !llvm::is_contained(Holders, S.registration().HolderIndex))
        Holders.push_back(S.registration().HolderIndex);
    if (Holders.empty())
      return;
    const std::vector<SlotPlan> Plans = PlanSlots(C, *Sites.front().Use, Holders);
    for (Site &S : Sites)
      if (const auto *It = llvm::find(Holders, S.registration().HolderIndex);
          Wanted(S) && It != Holders.end())
        S.Plan = Plans[It - Holders.begin()];
  };
  Plan([](const Site &S) { return S.Repeats && S.Loop; }, planSlots);
  Plan([](const Site &S) { return S.OncePerCall; }, planSlotsOfCall);
}

Fact factAbout(TranslationUnit &Unit, const Site &S, const PromiseShape &Promise) {
  Fact F;
  F.Check = Name.str();
  F.At = placeOf(Unit, S.registration().Where);
  F.Function = entityKey(Unit, S.In->function());
  F.Attributes = llvm::json::Object{
      {"kind", "registration"},
      {"variable", S.holder().name().str()}, // a copy: facts outlive the AST
      {"repeats", S.Repeats},
      {"oncePerCall", S.OncePerCall},
      {"suspends", isa<CoyieldExpr>(S.Suspension) ? "co_yield" : "co_await"},
      {"embedded", Promise.What == PromiseShape::Embedded},
  };
  F.Notes.push_back(
      {placeOf(Unit, S.Suspension->getExprLoc()), "it is registered across this suspension point"});
  return F;
}

/// A call in a loop that passes the token: what it calls may look for a slot of that token, which
/// this coroutine can have before the loop.
void examineCalls(TranslationUnit &Unit, const Coroutine &C, llvm::ArrayRef<Site> Sites,
                  SlotNames &Names, std::vector<Fact> &Facts) {
  for (const CallExpr *Call : awaitedCalls(C.body())) {
    const std::vector<const Expr *> Tokens = tokensIn(*Call);
    if (Tokens.size() != 1 || C.loopsAround(*Call).empty())
      continue;
    Fact F;
    F.Check = Name.str();
    F.At = placeOf(Unit, Call->getExprLoc());
    F.Function = entityKey(Unit, C.function());
    F.Attributes =
        llvm::json::Object{{"kind", "call"}, {"callee", entityKey(Unit, *Call->getDirectCallee())}};
    const PromiseShape Promise = promiseShapeOf(Unit, C);
    const SlotPlan Plan = planForCallees(C, *Tokens.front(), *Call);
    const auto Serves = [&](const Site &S) { return S.Repeats && servesAlso(S.Plan, Plan, C); };
    if (!Promise.canShareSlots()) {
      F.Refusal = whyNotShared(Promise);
    } else if (!Plan.Before) {
      F.Refusal = Plan.Refusal;
    } else if (const auto *Served = llvm::find_if(Sites, Serves); Served != Sites.end()) {
      F.Attributes["servedBy"] = placeOf(Unit, Served->registration().Where).Line;
    } else {
      const std::string Group = groupId(Unit, Plan);
      SlotEdits Slot = renderSlotForCallees(Unit, C, Plan, Names.nameOf(Unit, C, Group));
      if (Slot.Refusal.empty()) {
        F.Group = Group;
        F.Edits = std::move(Slot.Edits);
      } else {
        F.Refusal = Slot.Refusal;
      }
    }
    Facts.push_back(std::move(F));
  }
}

void examineUnit(TranslationUnit &Unit, std::vector<Fact> &Facts) {
  SlotNames Names;
  for (const Coroutine &C : Unit.coroutines()) {
    std::vector<Site> Sites = findSites(C);
    planSites(C, Sites);
    const PromiseShape Promise = promiseShapeOf(Unit, C);
    for (const Site &S : Sites) {
      Fact F = factAbout(Unit, S, Promise);
      if (F.At.File.empty() ||
          Unit.sources().isInSystemHeader(Unit.sources().getExpansionLoc(S.registration().Where)))
        continue;
      if (S.Repeats || S.OncePerCall)
        repair(Unit, S, Promise, Names, F);
      Facts.push_back(std::move(F));
    }
    examineCalls(Unit, C, Sites, Names, Facts);
  }
}

// Judge
// ------------------------------------------------------------------------------------------------------

bool isKind(const Fact &F, llvm::StringRef Kind) { return F.Attributes.getString("kind") == Kind; }
bool is(const Fact &F, llvm::StringRef Attribute) {
  return F.Attributes.getBoolean(Attribute).value_or(false);
}

Finding findingOf(const Fact &F, std::string Message) {
  Finding Result;
  Result.Check = F.Check;
  Result.At = F.At;
  Result.Message = std::move(Message);
  Result.Notes = F.Notes;
  return Result;
}

/// What the facts of the program say together.
class Judge {
public:
  Judge(llvm::ArrayRef<Fact> Facts, const CallGraph &Calls, const Options &Values)
      : Calls(Calls), Values(Values) {
    for (const Fact &F : Facts)
      if (isKind(F, "call"))
        CallFacts.emplace(F.At, &F);
    llvm::StringSet<> Rewritten;
    for (const Fact &F : Facts)
      if (isKind(F, "registration") && is(F, "oncePerCall") && !F.Refusal &&
          !sharingLoops(Calls.loopsReaching(F.Function)).empty())
        Rewritten.insert(F.Function);
    Sharing = Calls.reaching(Rewritten);
  }

  void judge(const Fact &F, std::vector<Finding> &Findings) const {
    if (isKind(F, "call"))
      judgeCall(F, Findings);
    else if (is(F, "repeats"))
      judgeTurn(F, Findings);
    else if (is(F, "oncePerCall"))
      judgeHelper(F, Findings);
    else if (Values.isSet("WarnOutsideLoops"))
      Findings.push_back(findingOf(F, unrepeated(F)));
  }

private:
  using Paths = std::vector<CallGraph::Path>;

  static llvm::StringRef variable(const Fact &F) {
    return F.Attributes.getString("variable").value_or("");
  }
  static llvm::StringRef suspends(const Fact &F) {
    return F.Attributes.getString("suspends").value_or("co_await");
  }

  static std::string unrepeated(const Fact &F) {
    return llvm::formatv("stop callback '{0}' is held across {1}; no loop here registers it again, "
                         "so a slot gains nothing yet",
                         variable(F), suspends(F));
  }

  std::string quoted(llvm::StringRef Function) const {
    const CoroutineFact *C = Calls.coroutine(Function);
    return C ? llvm::StringRef(C->Name) == "a lambda" ? C->Name : "'" + C->Name + "'" : "this";
  }

  /// Those of the loops that can have a slot for what they call.
  Paths sharingLoops(const Paths &Loops) const {
    Paths Result;
    llvm::copy_if(Loops, std::back_inserter(Result), [&](const CallGraph::Path &P) {
      const auto It = CallFacts.find(P.front()->At);
      return It != CallFacts.end() && !It->second->Refusal;
    });
    return Result;
  }

  void judgeTurn(const Fact &F, std::vector<Finding> &Findings) const {
    Finding Result = findingOf(
        F, llvm::formatv("stop callback '{0}' is registered on every turn and held across {1}: two "
                         "locks and two list operations a turn; register once, with a "
                         "cancel::stop_slot before the loop",
                         variable(F), suspends(F)));
    const bool OfStack =
        !F.Alternative.empty() && (is(F, "embedded") || Sharing.contains(F.Function));
    Result.Group = F.Group;
    Result.Edits = OfStack ? F.Alternative : F.Edits;
    Result.Refusal = F.Refusal;
    Findings.push_back(std::move(Result));
  }

  void judgeHelper(const Fact &F, std::vector<Finding> &Findings) const {
    const Paths Loops = Calls.loopsReaching(F.Function);
    if (Loops.empty()) {
      Findings.push_back(findingOf(F, unrepeated(F)));
      Findings.back().IsNote = !Values.isSet("WarnOutsideLoops");
      return;
    }
    Finding Result = findingOf(
        F, llvm::formatv("stop callback '{0}' is registered on every call of {1}, which a loop "
                         "calls, and held across {2}: two locks and two list operations a call; "
                         "arm it on the slot of the awaiting coroutine, with cancel::slot_for",
                         variable(F), quoted(F.Function), suspends(F)));
    const Paths Shared = sharingLoops(Loops);
    explain(Shared.empty() ? Loops : Shared, Result.Notes);
    if (F.Refusal)
      Result.Refusal = F.Refusal;
    else if (Shared.empty())
      Result.Refusal = whyNoLoopShares(Loops);
    else
      Result.Edits = F.Alternative;
    Result.Group = F.Group;
    Findings.push_back(std::move(Result));
  }

  std::string whyNoLoopShares(const Paths &Loops) const {
    for (const CallGraph::Path &P : Loops)
      if (const auto It = CallFacts.find(P.front()->At); It != CallFacts.end())
        return llvm::formatv("the loop that calls it, at line {0}, can have no slot to share: {1}",
                             P.front()->At.Line, *It->second->Refusal);
    return "the loops that call it do not pass the token, so they can have no slot to share";
  }

  void explain(const Paths &Loops, std::vector<Note> &Notes) const {
    constexpr std::size_t Shown = 3;
    for (const CallGraph::Path &P : llvm::ArrayRef(Loops).take_front(Shown)) {
      Notes.push_back({P.front()->At, llvm::formatv("this loop calls {0} on every turn",
                                                    quoted(P.front()->Callee))});
      for (const CoroutineCall *Call : llvm::drop_begin(P))
        Notes.push_back({Call->At, llvm::formatv("{0} calls {1} here", quoted(Call->Caller),
                                                 quoted(Call->Callee))});
    }
    if (Loops.size() > Shown)
      Notes.push_back(
          {Loops[Shown].front()->At,
           llvm::formatv("and {0} more, the first of them here", Loops.size() - Shown)});
  }

  void judgeCall(const Fact &F, std::vector<Finding> &Findings) const {
    const llvm::StringRef Callee = F.Attributes.getString("callee").value_or("");
    if (F.Edits.empty() || !Sharing.contains(Callee))
      return;
    Finding Result = findingOf(
        F, llvm::formatv("this loop calls {0}, which registers a stop callback on every call; "
                         "register once, with co_await cancel::slot_for before the loop",
                         quoted(Callee)));
    Result.Group = F.Group;
    Result.Edits = F.Edits;
    Findings.push_back(std::move(Result));
  }

  const CallGraph &Calls;
  const Options &Values;
  std::map<Location, const Fact *> CallFacts;
  /// Functions from which a registration is reached that is to share a slot.
  llvm::StringSet<> Sharing;
};

void concludeFacts(llvm::ArrayRef<Fact> Facts, const CallGraph &Calls, const Options &Values,
                   std::vector<Finding> &Findings) {
  const Judge Whole(Facts, Calls, Values);
  for (const Fact &F : Facts)
    Whole.judge(F, Findings);
}

} // namespace

extern const Check CallbackAcrossSuspend;
const Check CallbackAcrossSuspend = {
    Name,
    "a stop callback registered on every turn of a loop and held across co_await or co_yield",
    OptionTable,
    NeedTable,
    examineUnit,
    concludeFacts};

} // namespace cancel_tools
