// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slot answers for its token, and the account decides in which mode slots start.
#include <cancel/cancel.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <stop_token>

namespace {

TEST(a_stop_slot, names_the_token_it_is_registered_with) {
  std::stop_source source;
  cancel::stop_slot slot(source.get_token());
  EXPECT_EQ(slot.token(), source.get_token());
}

TEST(a_stop_slot, knows_of_the_stop_before_any_callback_runs) {
  std::stop_source source;
  cancel::stop_slot slot(source.get_token());
  EXPECT_FALSE(slot.stop_requested());
  bool known = false;
  cancel::stop_guard guard(slot, [&] { known = slot.stop_requested(); });
  source.request_stop();
  EXPECT_TRUE(known);
}

TEST(a_stop_slot, outlives_the_source) {
  std::optional<std::stop_source> source(std::in_place);
  cancel::stop_slot slot(source->get_token());
  source.reset();
  cancel::stop_guard guard(slot, [] { FAIL(); });
  EXPECT_FALSE(slot.stop_requested());
}

TEST(a_program, sees_which_mode_it_was_built_in) {
#ifdef EXPECT_LEGACY_STOP_TOKEN
  static_assert(cancel::use_legacy_stop_token);
  static_assert(sizeof(cancel::stop_slot<>) == sizeof(std::stop_token));
#else
  static_assert(!cancel::use_legacy_stop_token);
#endif
}

#ifndef EXPECT_LEGACY_STOP_TOKEN
using cancel::detail::await_account;

TEST(an_await_account, lets_slots_start_turned_once_the_price_is_paid) {
  await_account account(100);
  EXPECT_EQ(account.outstanding(), 100);
  account.pay(60);
  EXPECT_EQ(account.outstanding(), 40);
  account.pay(60);
  EXPECT_EQ(account.outstanding(), 0);
}

TEST(an_await_account, starts_again_after_a_stop) {
  await_account account(100);
  account.pay(100);
  account.start_period();
  EXPECT_EQ(account.outstanding(), 100);
}
#endif

} // namespace
