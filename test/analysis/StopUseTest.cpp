// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables hold stop callbacks, with which token, until when, and what else is done with
// them.
#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

using namespace clang;

constexpr llvm::StringLiteral Declarations = R"cpp(
struct pair_of { std::stop_callback<callback> on_stop; int n; };
struct nested { pair_of inner; };
struct derived : std::stop_callback<callback> { using stop_callback::stop_callback; };
struct scope { std::optional<registered> on_stop; };
std::stop_callback<callback> make(std::stop_token);
void look(const void *);
std::unique_ptr<registered> wrap(std::unique_ptr<registered>);
)cpp";

const char *name(HolderKind Kind) {
  switch (Kind) {
  case HolderKind::Object:
    return "object";
  case HolderKind::Optional:
    return "optional";
  case HolderKind::UniquePtr:
    return "unique_ptr";
  case HolderKind::Aggregate:
    return "aggregate";
  }
  return "";
}

/// "object cb: st" for each holder: its kind, its name, the tokens it is registered with ("?" where
/// one cannot be seen), "ends" for each early end, "other" if it is used in another way.
std::string holders(llvm::StringRef Body) {
  const Program P((Declarations +
                   "task f(std::stop_token st, std::stop_token other) { co_await tick(); " + Body +
                   "}")
                      .str());
  const StopUse Use = stopUseIn(P.coroutine());
  std::vector<std::string> Lines;
  for (unsigned I = 0; I != Use.Holders.size(); ++I) {
    const Holder &H = Use.Holders[I];
    std::string Line = std::string(name(H.Kind)) + " " + H.Variable->getNameAsString();
    if (H.Member)
      Line += "." + H.Member->getNameAsString();
    Line += ":";
    for (const Registration &R : Use.Registrations)
      if (R.HolderIndex == I)
        Line += " " + (R.Token ? P.text(*R.Token) : "?");
    for (const LifetimeEvent &E : Use.Events)
      if (E.Holder == H.Variable && E.Member == H.Member && !E.Begins)
        Line += " ends";
    Lines.push_back(Line + (H.OtherUse ? " other" : ""));
  }
  return llvm::join(Lines, "; ");
}

TEST(Holder, IsALocalObjectHoweverItIsDeclared) {
  EXPECT_EQ(holders("std::stop_callback cb(st, callback{});"), "object cb: st");
  EXPECT_EQ(holders("std::stop_callback<callback> cb{st, callback{}};"), "object cb: st");
  EXPECT_EQ(holders("registered cb(st, callback{});"), "object cb: st");
  EXPECT_EQ(holders("auto cb = std::stop_callback(st, [] {});"), "object cb: st");
  EXPECT_EQ(holders("const auto &cb = std::stop_callback(st, [] {});"), "object cb: st");
  EXPECT_EQ(holders("auto &&cb = registered(st, callback{});"), "object cb: st");
  EXPECT_EQ(holders("derived cb(st, callback{});"), "object cb: st");
}

TEST(Holder, IsAnOptionalThatIsFilled) {
  EXPECT_EQ(holders("std::optional<registered> cb; cb.emplace(st, callback{});"),
            "optional cb: st");
  EXPECT_EQ(holders("std::optional<registered> cb(std::in_place, st, callback{});"),
            "optional cb: st");
  EXPECT_EQ(holders("std::optional<registered> cb; cb.emplace(st, callback{}); cb.emplace(other, "
                    "callback{});"),
            "optional cb: st other");
}

TEST(Holder, IsAUniquePtrThatIsFilled) {
  EXPECT_EQ(holders("auto cb = std::make_unique<registered>(st, callback{});"),
            "unique_ptr cb: st");
  EXPECT_EQ(holders("std::unique_ptr<registered> cb(new registered(st, callback{}));"),
            "unique_ptr cb: st");
  EXPECT_EQ(holders("std::unique_ptr<registered> cb; cb.reset(new registered(st, callback{}));"),
            "unique_ptr cb: st");
  EXPECT_EQ(
      holders("std::unique_ptr<registered> cb; cb = std::make_unique<registered>(st, callback{});"),
      "unique_ptr cb: st");
}

TEST(Holder, IsAnObjectOrArrayThatContainsOne) {
  EXPECT_EQ(holders("pair_of p{registered(st, callback{}), 1};"), "aggregate p: st");
  EXPECT_EQ(holders("nested p{{registered(st, callback{}), 1}};"), "aggregate p: st");
  EXPECT_EQ(holders("registered a[1] = {registered(st, callback{})};"), "aggregate a: st");
}

TEST(Holder, IsAMemberThatIsFilledOnItsOwn) {
  EXPECT_EQ(holders("scope s; s.on_stop.emplace(st, callback{});"), "optional s.on_stop: st");
}

TEST(Holder, IsNeitherAParameterNorAStaticNorAReferenceToAnother) {
  EXPECT_EQ(holders("static registered cb(st, callback{});"), "");
  EXPECT_EQ(holders("std::optional<registered> *p = nullptr; p->emplace(st, callback{});"), "");
  EXPECT_EQ(holders("int cb = 1; std::vector<registered *> list;"), "");
}

TEST(Holder, OfANestedLambdaIsNotThisCoroutines) {
  EXPECT_EQ(holders("auto inner = [st] { registered cb(st, callback{}); };"), "");
}

TEST(Holder, IsEmptyUntilItIsFilled) {
  EXPECT_EQ(holders("std::optional<registered> cb;"), "optional cb:");
  EXPECT_EQ(holders("std::optional<registered> cb = std::nullopt;"), "optional cb:");
  EXPECT_EQ(holders("std::unique_ptr<registered> cb = nullptr;"), "unique_ptr cb:");
}

TEST(Token, IsReadThroughCopiesParenthesesAndConversions) {
  EXPECT_EQ(holders("std::stop_callback cb((st), callback{});"), "object cb: st");
  EXPECT_EQ(holders("std::stop_callback cb(std::stop_token(st), callback{});"),
            "object cb: std::stop_token(st)");
}

TEST(Token, IsAnyExpression) {
  EXPECT_EQ(holders("std::stop_source s; std::stop_callback cb(s.get_token(), callback{});"),
            "object cb: s.get_token()");
  EXPECT_EQ(holders("std::stop_callback cb(coin() ? st : other, callback{});"),
            "object cb: coin() ? st : other");
}

TEST(Token, OfWhatAFunctionMakesIsNotSeen) {
  EXPECT_EQ(holders("auto cb = make(st);"), "object cb: ?");
}

TEST(Token, OfWhatPassesThroughAFunctionIsNotSeen) {
  EXPECT_EQ(holders("auto cb = wrap(std::make_unique<registered>(st, callback{}));"),
            "unique_ptr cb: ?");
}

TEST(Token, OfAHolderThatOneOfTwoExpressionsFillsIsNotSeen) {
  EXPECT_EQ(holders("auto cb = coin() ? std::make_unique<registered>(st, callback{})"
                    "                 : std::make_unique<registered>(other, callback{});"),
            "unique_ptr cb: ?");
  EXPECT_EQ(holders("auto cb = coin() ? std::make_unique<registered>(st, callback{}) : nullptr;"),
            "unique_ptr cb: st");
}

TEST(End, IsAResetAnEmptyAssignmentOrAMove) {
  EXPECT_EQ(holders("std::optional<registered> cb; cb.emplace(st, callback{}); cb.reset();"),
            "optional cb: st ends");
  EXPECT_EQ(holders("std::optional<registered> cb; cb.emplace(st, callback{}); cb = std::nullopt;"),
            "optional cb: st ends");
  EXPECT_EQ(
      holders("auto cb = std::make_unique<registered>(st, callback{}); cb = nullptr; cb.reset();"),
      "unique_ptr cb: st ends ends");
  EXPECT_EQ(
      holders("auto cb = std::make_unique<registered>(st, callback{}); auto p = std::move(cb);"),
      "unique_ptr cb: st ends other; unique_ptr p: ?");
}

TEST(OtherUse, IsNotATestForEmptinessNorACastToVoid) {
  EXPECT_EQ(
      holders(
          "std::optional<registered> cb; if (cb || cb.has_value()) cb.emplace(st, callback{});"),
      "optional cb: st");
  EXPECT_EQ(holders("std::stop_callback cb(st, callback{}); (void)cb;"), "object cb: st");
}

TEST(OtherUse, IsNotAComparisonWithNothing) {
  EXPECT_EQ(holders("std::optional<registered> cb; if (cb == std::nullopt || std::nullopt != cb) "
                    "cb.emplace(st, callback{});"),
            "optional cb: st");
  EXPECT_EQ(holders("std::unique_ptr<registered> cb; if (cb != nullptr) coin();"),
            "unique_ptr cb:");
}

TEST(OtherUse, IsItsAddressItsTypeAndItsContent) {
  EXPECT_EQ(holders("std::stop_callback cb(st, callback{}); look(&cb);"), "object cb: st other");
  EXPECT_EQ(holders("std::stop_callback cb(st, callback{}); using type = decltype(cb);"),
            "object cb: st other");
  EXPECT_EQ(holders("auto cb = std::make_unique<registered>(st, callback{}); look(cb.get());"),
            "unique_ptr cb: st other");
  EXPECT_EQ(holders("std::optional<registered> cb; look(&*cb);"), "optional cb: other");
}

TEST(OtherUse, IsACapture) {
  EXPECT_EQ(holders("std::optional<registered> cb; auto l = [&cb] { cb.reset(); };"),
            "optional cb: other");
  EXPECT_EQ(holders("std::optional<registered> cb; auto l = [&] { cb.reset(); };"),
            "optional cb: other");
  EXPECT_EQ(holders("std::optional<registered> cb; auto l = [p = &cb] { p->reset(); };"),
            "optional cb: other");
  EXPECT_EQ(holders("auto cb = std::make_unique<registered>(st, callback{}); auto l = [c = "
                    "std::move(cb)] {};"),
            "unique_ptr cb: st ends other");
}

} // namespace
} // namespace cancel_tools
