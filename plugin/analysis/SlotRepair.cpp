// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans first, for a whole coroutine, then renders one place at a time.
#include "SlotRepair.h"
#include "CoroutineCalls.h"
#include "RuntimeNames.h"
#include "SlotHoist.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace cancel_tools {

using namespace clang;

namespace {

/// Those of one kind together, so that callbacks on one token share a slot.
template <class Wanted, class Planner>
void plan(const Coroutine &C, llvm::ArrayRef<RegistrationSite> Sites, Wanted IsWanted,
          Planner PlanTogether, std::vector<SlotPlan> &Result) {
  llvm::SmallVector<unsigned, 4> Holders;
  for (const RegistrationSite &S : Sites)
    if (IsWanted(S) && !llvm::is_contained(Holders, S.registration().HolderIndex))
      Holders.push_back(S.registration().HolderIndex);
  if (Holders.empty())
    return;
  const std::vector<SlotPlan> Plans = PlanTogether(C, *Sites.front().Use, Holders);
  for (const auto &[S, Plan] : llvm::zip(Sites, Result))
    if (IsWanted(S))
      Plan = Plans[llvm::find(Holders, S.registration().HolderIndex) - Holders.begin()];
}

std::string whyNotShared(const PromiseShape &Promise) {
  if (Promise.What == PromiseShape::Foreign)
    return Promise.Reason;
  return Promise.IsGenerator
             ? "a generator finds no slot of others: each next value may be another coroutine's"
             : "its promise's await_transform does not take cancel::slot_for";
}

/// `this`, and a member of it, and what a source among them gives: spelled alike, it is the same in
/// each member function.
bool isOfThis(const Expr &E) {
  const Expr *At = withoutCopies(&E);
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(At))
    return Call->getNumArgs() == 0 && isOfThis(*Call->getImplicitObjectArgument());
  const auto *Member = dyn_cast<MemberExpr>(At);
  if (!Member || !isa<FieldDecl>(Member->getMemberDecl()))
    return false;
  const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
  return isa<CXXThisExpr>(Base) || isOfThis(*Base);
}

bool isOnThis(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  return Member && isa<CXXThisExpr>(Member->getImplicitObjectArgument()->IgnoreParenImpCasts());
}

} // namespace

SlotRepair::SlotRepair(TranslationUnit &Unit) : Unit(Unit) {
  for (const Coroutine &C : Unit.coroutines()) {
    Planned P{&C, registrationSites(C), {}, promiseShapeOf(Unit, C), {}};
    P.Plans.resize(P.Sites.size());
    plan(
        C, P.Sites, [](const RegistrationSite &S) { return S.Repeats && S.Loop; }, planSlots,
        P.Plans);
    plan(
        C, P.Sites, [](const RegistrationSite &S) { return S.OncePerCall; }, planSlotsOfCall,
        P.Plans);
    ByFunction.try_emplace(&C.function(), std::move(P));
  }
  for (const Coroutine &C : Unit.coroutines()) {
    Planned &P = ByFunction.find(&C.function())->second;
    for (const CallExpr *Call : awaitedCalls(C.body()))
      if (!C.loopsAround(*Call).empty())
        if (const Expr *Token = tokenOf(*Call))
          P.Calls.push_back({Call, planForCallees(C, *Token, *Call), nullptr});
    llvm::sort(P.Calls, [](const PlannedCall &A, const PlannedCall &B) {
      return A.Call->getBeginLoc() < B.Call->getBeginLoc();
    });
    for (PlannedCall &Each : P.Calls)
      if (Each.Plan.Before)
        Each.Scope = &slotScope(Each.Plan, C);
    Candidates[&C.outermostFunction()] += P.Sites.size() + P.Calls.size();
  }
}

llvm::ArrayRef<RegistrationSite> SlotRepair::sites(const Coroutine &C) const {
  return ByFunction.find(&C.function())->second.Sites;
}

std::string SlotRepair::groupId(const SlotPlan &Plan) const {
  const Location At = Unit.placeOf(Plan.Before->getBeginLoc());
  std::string Token;
  llvm::raw_string_ostream Stream(Token);
  Plan.Token->printPretty(Stream, nullptr, Unit.context().getPrintingPolicy());
  return llvm::formatv("slot@{0}:{1}:{2}", At.File, At.Offset, Token);
}

Repair SlotRepair::ofSite(const Coroutine &C, const RegistrationSite &S) const {
  const Planned &Of = ByFunction.find(&C.function())->second;
  const SlotPlan &Plan = Of.Plans[&S - Of.Sites.data()];
  Repair Result;
  if (S.Repeats && !S.Loop) {
    Result.Refusal = "the loop is made by goto, so there is no place before it";
    return Result;
  }
  if (!Plan.Before) {
    Result.Refusal = Plan.Refusal;
    return Result;
  }
  const auto Render = [&](SlotForm Form, std::vector<Edit> &Edits) {
    SlotEdits Rendered = renderHoist(Unit, C, *S.Use, S.registration().HolderIndex, Plan,
                                     SlotNamePlaceholder.str(), Form);
    if (!Rendered.Refusal.empty())
      Result.Refusal = Rendered.Refusal;
    Edits = std::move(Rendered.Edits);
  };
  // A slot of its own would gain nothing where nothing here repeats the registration.
  if (S.Repeats)
    Render(SlotForm::Own, Result.Edits);
  if (Result.Refusal)
    return Result;
  Result.Group = groupId(Plan);
  if (!Of.Promise.canShareSlots()) {
    if (S.OncePerCall)
      Result.Refusal = whyNotShared(Of.Promise);
    return Result;
  }
  Render(SlotForm::OfStack, Result.Alternative);
  if (S.Repeats) // then there is the other form
    Result.Refusal.reset();
  return Result;
}

/// The token of the object's own with which a member function, or one that it awaits, registers.
const Expr *SlotRepair::ownTokenOf(const FunctionDecl &Called, unsigned Depth) const {
  const FunctionDecl *Definition = nullptr;
  if (Depth == 0 || !Called.hasBody(Definition))
    return nullptr;
  const auto Of = ByFunction.find(Definition);
  if (Of == ByFunction.end())
    return nullptr;
  for (const RegistrationSite &S : Of->second.Sites)
    if (const Expr *Token = S.registration().Token; S.OncePerCall && Token && isOfThis(*Token))
      return Token;
  for (const CallExpr *Next : awaitedCalls(Of->second.In->body()))
    if (isOnThis(*Next))
      if (const Expr *Token = ownTokenOf(*Next->getDirectCallee(), Depth - 1))
        return Token;
  return nullptr;
}

const Expr *SlotRepair::tokenOf(const CallExpr &Call) const {
  constexpr unsigned Depth = 4;
  const std::vector<const Expr *> Tokens = tokensIn(Call);
  if (!Tokens.empty()) // of several, the first has a chance
    return Tokens.front();
  return isOnThis(Call) ? ownTokenOf(*Call.getDirectCallee(), Depth) : nullptr;
}

std::vector<const CallExpr *> SlotRepair::calls(const Coroutine &C) const {
  std::vector<const CallExpr *> Calls;
  for (const PlannedCall &Each : ByFunction.find(&C.function())->second.Calls)
    Calls.push_back(Each.Call);
  return Calls;
}

Repair SlotRepair::ofCall(const Coroutine &C, const CallExpr &Call) const {
  const Planned &Of = ByFunction.find(&C.function())->second;
  const auto Own =
      llvm::find_if(Of.Calls, [&](const PlannedCall &Each) { return Each.Call == &Call; });
  const SlotPlan &Plan = Own->Plan;
  Repair Result;
  if (!Of.Promise.canShareSlots()) {
    Result.Refusal = whyNotShared(Of.Promise);
    return Result;
  }
  if (!Plan.Before) {
    Result.Refusal = Plan.Refusal;
    return Result;
  }
  if (hasSlotFor(C, *Plan.Token))
    return Result;
  for (const auto &[S, Slot] : llvm::zip(Of.Sites, Of.Plans))
    if (Slot.Before && servesAlso(Slot, slotScope(Slot, C), Plan, C)) {
      if (S.Repeats)
        return Result;
      Result.ServedBy.push_back(groupId(Slot));
    }
  for (const PlannedCall &Earlier : llvm::make_range(Of.Calls.begin(), Own))
    if (Earlier.Scope && servesAlso(Earlier.Plan, *Earlier.Scope, Plan, C))
      Result.ServedBy.push_back(groupId(Earlier.Plan));
  SlotEdits Slot = renderSlotForCallees(Unit, C, Plan, SlotNamePlaceholder.str());
  if (!Slot.Refusal.empty()) {
    Result.Refusal = Slot.Refusal;
    return Result;
  }
  Result.Group = groupId(Plan);
  Result.Edits = std::move(Slot.Edits);
  return Result;
}

const std::vector<std::string> &SlotRepair::slotNames(const Coroutine &C) {
  const FunctionDecl *Outermost = &C.outermostFunction();
  std::vector<std::string> &OfFunction = Names[Outermost];
  constexpr unsigned Most = 64;
  if (OfFunction.empty())
    OfFunction = freeSlotNames(Unit, C, std::min(Candidates.lookup(Outermost), Most));
  return OfFunction;
}

} // namespace cancel_tools
