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
#include "SlotRepair.h"
#include "TranslationUnit.h"

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

// A unit without a callback may still have the loop that calls, or a function on the way.
constexpr Alternatives (*NeedTable[])() = {coroutineWords};

// Find and repair
// --------------------------------------------------------------------------------------------

Fact factAt(TranslationUnit &Unit, const Coroutine &C, SourceLocation Where) {
  Fact F;
  F.Check = Name.str();
  F.At = Unit.placeOf(Where);
  F.Function = entityKey(Unit, C.function());
  F.Attributes["embedded"] = promiseShapeOf(Unit, C).What == PromiseShape::Embedded;
  if (const CXXRecordDecl *Promise = C.promise())
    F.Attributes["promise"] = entityKey(Unit, *Promise);
  // Instantiations of one template, and lambdas of one function, count their slots together.
  const Location Outermost = Unit.placeOf(C.outermostFunction().getBeginLoc());
  F.Attributes["slotsOf"] = llvm::formatv("{0}:{1}", Outermost.File, Outermost.Offset).str();
  return F;
}

void addRepair(SlotRepair &Slots, const Coroutine &C, Repair Rendered, Fact &F) {
  F.Group = std::move(Rendered.Group);
  F.Edits = std::move(Rendered.Edits);
  F.Alternative = std::move(Rendered.Alternative);
  F.Refusal = std::move(Rendered.Refusal);
  if (!F.Refusal && !F.Group.empty())
    F.Attributes["slotNames"] = llvm::json::Array(Slots.slotNames(C));
}

void examineSite(TranslationUnit &Unit, SlotRepair &Slots, const Coroutine &C,
                 const RegistrationSite &S, std::vector<Fact> &Facts) {
  Fact F = factAt(Unit, C, S.registration().Where);
  if (F.At.File.empty() ||
      Unit.sources().isInSystemHeader(Unit.sources().getExpansionLoc(S.registration().Where)))
    return;
  F.Rank = S.Repeats ? 2 : S.OncePerCall ? 1 : 0;
  F.Attributes["kind"] = "registration";
  F.Attributes["variable"] = S.holder().name().str(); // a copy: facts outlive the AST
  F.Attributes["repeats"] = S.Repeats;
  F.Attributes["oncePerCall"] = S.OncePerCall;
  F.Attributes["suspends"] = isa<CoyieldExpr>(S.Suspension) ? "co_yield" : "co_await";
  F.Notes.push_back(
      {Unit.placeOf(S.Suspension->getExprLoc()), "it is registered across this suspension point"});
  if (S.Repeats || S.OncePerCall)
    addRepair(Slots, C, Slots.ofSite(C, S), F);
  Facts.push_back(std::move(F));
}

/// What is called may look for a slot, which this coroutine can have before its loop.
void examineCall(TranslationUnit &Unit, SlotRepair &Slots, const Coroutine &C, const CallExpr &Call,
                 std::vector<Fact> &Facts) {
  Repair Rendered = Slots.ofCall(C, Call);
  Fact F = factAt(Unit, C, Call.getExprLoc());
  F.Attributes["kind"] = "call";
  F.Attributes["callee"] = entityKey(Unit, *Call.getDirectCallee());
  F.Attributes["calleeName"] = nameForPeople(*Call.getDirectCallee());
  F.Attributes["servedBy"] = llvm::json::Array(Rendered.ServedBy);
  addRepair(Slots, C, std::move(Rendered), F);
  Facts.push_back(std::move(F));
}

void examineUnit(TranslationUnit &Unit, std::vector<Fact> &Facts) {
  SlotRepair Slots(Unit);
  for (const Coroutine &C : Unit.coroutines()) {
    for (const RegistrationSite &S : Slots.sites(C))
      examineSite(Unit, Slots, C, S, Facts);
    for (const CallExpr *Call : Slots.calls(C))
      examineCall(Unit, Slots, C, *Call, Facts);
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

constexpr llvm::StringLiteral NotHandedDown =
    "its promise hands no slot down, so that each call would register as before; "
    "cancel-promise-not-embedded changes the promise, or says why not";

/// What the facts of the program say together.
class Judge {
public:
  Judge(llvm::ArrayRef<Fact> Facts, const Evidence &Known, const Options &Values)
      : Calls(Known.Calls), Known(Known), Values(Values) {
    for (const Fact &F : Facts)
      if (isKind(F, "call"))
        CallFacts.emplace(F.At, &F);
    llvm::StringSet<> Rewritten;
    for (const Fact &F : Facts)
      if (isKind(F, "registration") && is(F, "oncePerCall") && !F.Refusal && handsDown(F) &&
          !sharingLoops(Calls.loopsReaching(F.Function)).empty())
        Rewritten.insert(F.Function);
    Sharing = Calls.reaching(Rewritten);
  }

  void judge(const Fact &F, std::vector<Finding> &Findings) {
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

  /// `Edits` of the fact, with the names of the slots that its function gets.
  void edit(const Fact &F, std::vector<Edit> Edits, Finding &Into) {
    Edited.insert(F.Group);
    const auto NamesSlot = [](const Edit &E) {
      return llvm::StringRef(E.Text).contains(SlotNamePlaceholder);
    };
    Into.Edits = std::move(Edits);
    if (llvm::none_of(Into.Edits, NamesSlot))
      return;
    auto &OfFunction = Slots[F.Attributes.getString("slotsOf").value_or("").str()];
    const std::size_t Nth = OfFunction.try_emplace(F.Group, OfFunction.size()).first->second;
    const llvm::json::Array *Names = F.Attributes.getArray("slotNames");
    const llvm::StringRef Name =
        Names && Nth < Names->size() ? (*Names)[Nth].getAsString().value_or("") : "";
    if (Name.empty()) {
      Into.Edits.clear();
      Into.Refusal = "other configurations of this function have other slots in it";
      return;
    }
    for (Edit &E : Into.Edits)
      for (std::size_t At; (At = E.Text.find(SlotNamePlaceholder)) != std::string::npos;)
        E.Text.replace(At, SlotNamePlaceholder.size(), Name);
  }

  std::string nameOf(const Fact &F) const {
    const CoroutineFact *C = Calls.coroutine(F.Function);
    return C ? C->Name : "its coroutine";
  }

  /// Whether the promise of the fact's coroutine is a stop_frame, now or after this run's edits.
  bool handsDown(const Fact &F) const {
    return is(F, "embedded") || Known.Embedding.count(promiseOf(F)) != 0;
  }
  static std::string promiseOf(const Fact &F) {
    return F.Attributes.getString("promise").value_or("").str();
  }
  /// What would cost more than it saves if the promise stayed as it is.
  void require(const Fact &F, Finding &Into) const {
    if (const auto It = Known.Embedding.find(promiseOf(F)); It != Known.Embedding.end())
      Into.Requires.push_back(It->second);
  }

  /// Those of the loops that can have a slot for what they call.
  Paths sharingLoops(const Paths &Loops) const {
    Paths Result;
    llvm::copy_if(Loops, std::back_inserter(Result), [&](const CallGraph::Path &P) {
      const auto It = CallFacts.find(P.front()->At);
      return It != CallFacts.end() && !It->second->Refusal && handsDown(*It->second);
    });
    return Result;
  }

  void judgeTurn(const Fact &F, std::vector<Finding> &Findings) {
    Finding Result = findingOf(
        F, llvm::formatv("stop callback '{0}' is registered on every turn and held across {1}: two "
                         "locks and two list operations a turn; register once, with a "
                         "cancel::stop_slot before the loop",
                         variable(F), suspends(F)));
    const bool OfStack = !F.Alternative.empty() &&
                         (is(F, "embedded") || (Sharing.contains(F.Function) && handsDown(F)));
    Result.Group = F.Group;
    Result.Refusal = F.Refusal;
    edit(F, OfStack ? F.Alternative : F.Edits, Result);
    Findings.push_back(std::move(Result));
  }

  void judgeHelper(const Fact &F, std::vector<Finding> &Findings) {
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
                         variable(F), nameOf(F), suspends(F)));
    const Paths Shared = sharingLoops(Loops);
    explain(Shared.empty() ? Loops : Shared, Result.Notes);
    if (F.Refusal)
      Result.Refusal = F.Refusal;
    else if (!handsDown(F))
      Result.Refusal = NotHandedDown.str();
    else if (Shared.empty())
      Result.Refusal = whyNoLoopShares(Loops);
    else
      edit(F, F.Alternative, Result);
    require(F, Result);
    Result.Group = F.Group;
    Findings.push_back(std::move(Result));
  }

  std::string whyNoLoopShares(const Paths &Loops) const {
    for (const CallGraph::Path &P : Loops)
      if (const auto It = CallFacts.find(P.front()->At); It != CallFacts.end())
        return llvm::formatv("the loop that calls it, at line {0}, can have no slot to share: {1}",
                             P.front()->At.Line, It->second->Refusal.value_or(NotHandedDown.str()));
    return "the loops that call it do not pass the token, so they can have no slot to share";
  }

  void explain(const Paths &Loops, std::vector<Note> &Notes) const {
    constexpr std::size_t Shown = 3;
    for (const CallGraph::Path &P : llvm::ArrayRef(Loops).take_front(Shown)) {
      Notes.push_back({P.front()->At,
                       llvm::formatv("this loop calls {0} on every turn", P.front()->CalleeName)});
      for (std::size_t I = 1; I < P.size(); ++I)
        Notes.push_back({P[I]->At, llvm::formatv("{0} calls {1} here", P[I - 1]->CalleeName,
                                                 P[I]->CalleeName)});
    }
    if (Loops.size() > Shown)
      Notes.push_back(
          {Loops[Shown].front()->At,
           llvm::formatv("and {0} more, the first of them here", Loops.size() - Shown)});
  }

  void judgeCall(const Fact &F, std::vector<Finding> &Findings) {
    const llvm::StringRef Callee = F.Attributes.getString("callee").value_or("");
    if (F.Edits.empty() || !Sharing.contains(Callee) || !handsDown(F))
      return;
    Finding Result = findingOf(
        F, llvm::formatv("this loop calls {0}, which registers a stop callback on every call; "
                         "register once, with co_await cancel::slot_for before the loop",
                         F.Attributes.getString("calleeName").value_or("it")));
    require(F, Result);
    Result.Group = F.Group;
    for (const llvm::json::Value &Other : *F.Attributes.getArray("servedBy"))
      if (Edited.contains(Other.getAsString().value_or("")))
        Result.Group = Other.getAsString()->str(); // whose slot is there already
    if (Result.Group == F.Group)
      edit(F, F.Edits, Result);
    Findings.push_back(std::move(Result));
  }

  const CallGraph &Calls;
  const Evidence &Known;
  const Options &Values;
  std::map<Location, const Fact *> CallFacts;
  /// Functions from which a registration is reached that is to share a slot.
  llvm::StringSet<> Sharing;
  /// Groups that are edited, as far as they have been judged.
  llvm::StringSet<> Edited;
  /// For each outermost function, the slots that it gets, by group, in source order.
  std::map<std::string, std::map<std::string, std::size_t>> Slots;
};

void concludeFacts(llvm::ArrayRef<Fact> Facts, const Evidence &Known, const Options &Values,
                   std::vector<Finding> &Findings) {
  Judge Whole(Facts, Known, Values);
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
