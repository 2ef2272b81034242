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
#include "Emptiness.h"
#include "RuntimeNames.h"
#include "SlotHoist.h"
#include "SlotPlan.h"
#include "StopUse.h"
#include "TokenOrigin.h"
#include "TranslationUnit.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Index/USRGeneration.h"
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

/// One registration that is alive at a suspension point.
struct Site {
  const Coroutine *In = nullptr;
  /// Shared by the sites of one coroutine.
  std::shared_ptr<const StopUse> Use;
  unsigned Index = 0;
  const Expr *Suspension = nullptr;
  /// The innermost loop whose turns register; null where the control flow repeats without one
  /// (goto).
  const Stmt *Loop = nullptr;
  bool Repeats = false;
  /// Where its slot would go; made for those that a loop repeats.
  SlotPlan Plan;

  const Registration &registration() const { return Use->Registrations[Index]; }
  const Holder &holder() const { return Use->Holders[registration().HolderIndex]; }
};

/// Each turn registers with another token, an element's for instance: there is nothing to register
/// once.
bool takesTokenPerTurn(const Site &S) {
  const Expr *Token = S.registration().Token;
  return S.Loop && Token && originOf(*Token, *S.In, *S.Loop).What == TokenOrigin::Varies;
}

/// `if (!on_stop) on_stop.emplace(st, f);` registers once for all turns, unless a turn ends it.
bool fillsOnlyWhenEmpty(const Site &S) {
  const ParentMap &Parents = S.In->parents();
  const auto IsIn = [&](const Stmt *At, const Stmt *Loop) {
    while (At && At != Loop)
      At = Parents.getParent(At);
    return At != nullptr;
  };
  const Holder &H = S.holder();
  const Expr *Call = S.registration().Call;
  if (!Call || !isReachedOnlyEmpty(*Call, *S.In, H))
    return false;
  const Stmt *Loop = nullptr; // the outermost that the holder outlives
  for (const Stmt *Around : S.In->loopsAround(*Call))
    if (!IsIn(H.Declaration, Around))
      Loop = Around;
  return Loop && llvm::none_of(S.Use->Events, [&](const LifetimeEvent &E) {
           return !E.Begins && E.Holder == H.Variable && IsIn(E.At, Loop);
         });
}

void findSites(const Coroutine &C, std::vector<Site> &Found) {
  auto Use = std::make_shared<const StopUse>(stopUseIn(C));
  if (Use->Registrations.empty())
    return;
  const std::vector<Crossing> Crossings = crossings(C, Use->Events, Use->Registrations.size());
  for (unsigned I = 0; I != Crossings.size(); ++I) {
    if (Crossings[I].Suspensions.empty())
      continue;
    Site S{&C, Use, I, Crossings[I].Suspensions.front(), nullptr, Crossings[I].Repeats, {}};
    const Registration &R = S.registration();
    const Stmt &Registered = R.Call ? static_cast<const Stmt &>(*R.Call) : *S.holder().Declaration;
    if (const auto Loops = C.loopsAround(Registered); S.Repeats && !Loops.empty())
      S.Loop = Loops.front();
    S.Repeats = S.Repeats && !takesTokenPerTurn(S) && !fillsOnlyWhenEmpty(S);
    Found.push_back(std::move(S));
  }
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

void repair(TranslationUnit &Unit, const Site &S, SlotNames &Names, Fact &F) {
  if (!S.Loop) {
    F.Refusal = "the loop is made by goto, so there is no place before it";
    return;
  }
  if (!S.Plan.Before) {
    F.Refusal = S.Plan.Refusal;
    return;
  }
  const std::string Group = groupId(Unit, S.Plan);
  HoistEdits Hoist = renderHoist(Unit, *S.In, *S.Use, S.registration().HolderIndex, S.Plan,
                                 Names.nameOf(Unit, *S.In, Group));
  if (!Hoist.Refusal.empty()) {
    F.Refusal = Hoist.Refusal;
    return;
  }
  F.Group = Group;
  F.Edits = std::move(Hoist.Edits);
}

std::string usrOf(const FunctionDecl &Function) {
  llvm::SmallString<128> USR;
  index::generateUSRForDecl(&Function, USR);
  return std::string(USR);
}

/// Plans the slots of one coroutine together, so that callbacks on one token share one.
void planSites(const Coroutine &C, llvm::MutableArrayRef<Site> Sites) {
  llvm::SmallVector<unsigned, 4> Holders;
  for (const Site &S : Sites)
    if (S.Repeats && S.Loop && !llvm::is_contained(Holders, S.registration().HolderIndex))
      Holders.push_back(S.registration().HolderIndex);
  if (Holders.empty())
    return;
  const std::vector<SlotPlan> Plans = planSlots(C, *Sites.front().Use, Holders);
  for (Site &S : Sites)
    if (const auto *It = llvm::find(Holders, S.registration().HolderIndex); It != Holders.end())
      S.Plan = Plans[It - Holders.begin()];
}

void examineUnit(TranslationUnit &Unit, std::vector<Fact> &Facts) {
  std::vector<Site> Sites;
  for (const Coroutine &C : Unit.coroutines()) {
    const std::size_t Before = Sites.size();
    findSites(C, Sites);
    planSites(C, llvm::MutableArrayRef<Site>(Sites).drop_front(Before));
  }
  SlotNames Names;
  for (const Site &S : Sites) {
    Fact F;
    F.Check = Name.str();
    F.At = placeOf(Unit, S.registration().Where);
    if (F.At.File.empty() ||
        Unit.sources().isInSystemHeader(Unit.sources().getExpansionLoc(S.registration().Where)))
      continue;
    F.Function = usrOf(S.In->function());
    F.Attributes = llvm::json::Object{
        {"variable", S.holder().name().str()}, // a copy: facts outlive the AST
        {"repeats", S.Repeats},
        {"suspends", isa<CoyieldExpr>(S.Suspension) ? "co_yield" : "co_await"},
    };
    F.Notes.push_back({placeOf(Unit, S.Suspension->getExprLoc()),
                       "it is registered across this suspension point"});
    if (S.Repeats)
      repair(Unit, S, Names, F);
    Facts.push_back(std::move(F));
  }
}

// Judge
// ------------------------------------------------------------------------------------------------------

void concludeFacts(llvm::ArrayRef<Fact> Facts, const Options &Values,
                   std::vector<Finding> &Findings) {
  for (const Fact &F : Facts) {
    const bool Repeats = F.Attributes.getBoolean("repeats").value_or(false);
    if (!Repeats && !Values.isSet("WarnOutsideLoops"))
      continue;
    const llvm::StringRef Variable = F.Attributes.getString("variable").value_or("");
    const llvm::StringRef Suspends = F.Attributes.getString("suspends").value_or("co_await");
    Finding Result;
    Result.Check = F.Check;
    Result.At = F.At;
    Result.Message =
        Repeats
            ? llvm::formatv(
                  "stop callback '{0}' is registered on every turn and held across {1}: two locks "
                  "and two "
                  "list operations a turn; register once, with a cancel::stop_slot before the loop",
                  Variable, Suspends)
            : llvm::formatv("stop callback '{0}' is held across {1}; no loop here registers it "
                            "again, so a slot "
                            "gains nothing yet",
                            Variable, Suspends);
    Result.Notes = F.Notes;
    Result.Group = F.Group;
    Result.Edits = F.Edits;
    Result.Refusal = F.Refusal;
    Findings.push_back(std::move(Result));
  }
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
