// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts together who registers, what lives across a suspension, and which loops are around.
#include "RegistrationSite.h"
#include "Emptiness.h"
#include "TokenOrigin.h"

#include "llvm/ADT/STLExtras.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Each turn registers with another token, an element's for instance: there is nothing to register
/// once.
bool takesTokenPerTurn(const RegistrationSite &S) {
  const Expr *Token = S.registration().Token;
  return S.Loop && Token && originOf(*Token, *S.In, *S.Loop).What == TokenOrigin::Varies;
}

/// `if (!on_stop) on_stop.emplace(st, f);` registers once for all turns, unless a turn ends it.
bool fillsOnlyWhenEmpty(const RegistrationSite &S) {
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

/// The token is made by the coroutine itself: no two calls register with one.
bool takesTokenPerCall(const RegistrationSite &S) {
  const Expr *Token = S.registration().Token;
  return Token && originOf(*Token, *S.In, S.In->body()).What == TokenOrigin::Varies;
}

} // namespace

std::vector<RegistrationSite> registrationSites(const Coroutine &C) {
  std::vector<RegistrationSite> Found;
  auto Use = std::make_shared<const StopUse>(stopUseIn(C));
  if (Use->Registrations.empty())
    return Found;
  const std::vector<Crossing> Crossings = crossings(C, Use->Events, Use->Registrations.size());
  for (unsigned I = 0; I != Crossings.size(); ++I) {
    if (Crossings[I].Suspensions.empty())
      continue;
    RegistrationSite S{&C, Use, I, Crossings[I].Suspensions.front()};
    const Registration &R = S.registration();
    const Stmt &Registered = R.Call ? static_cast<const Stmt &>(*R.Call) : *S.holder().Declaration;
    const bool Turns = Crossings[I].Repeats;
    if (const auto Loops = C.loopsAround(Registered); Turns && !Loops.empty())
      S.Loop = Loops.front();
    S.Repeats = Turns && !takesTokenPerTurn(S) && !fillsOnlyWhenEmpty(S);
    S.OncePerCall = !Turns && !takesTokenPerCall(S);
    Found.push_back(std::move(S));
  }
  return Found;
}

} // namespace cancel_tools
