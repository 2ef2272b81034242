// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// when_all waits for everything; when_any stops what is not first, and waits for it too.
#include "slot_identity.hpp"
#include "sources.hpp"
#include "woken_tasks.hpp"

#include <cancel/await.hpp>
#include <cancel/task.hpp>
#include <cancel/when.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

using cancel::inplace_stop_token;
using cancel::poll_event;
using cancel::task;
using cancel::wake_reason;
using cancel_test::event;
using cancel_test::expect_different;
using cancel_test::gives;
using cancel_test::gives_nothing;
using cancel_test::identity;

using everything = std::tuple<int, std::monostate, std::reference_wrapper<std::string>>;

task<everything> awaits_all(event (&wake)[3], std::string &text) {
  co_return co_await cancel::when_all(gives(wake[0], 1), gives_nothing(wake[1]),
                                      gives<std::string &>(wake[2], text));
}

TEST(when_all, goes_on_when_the_last_has_completed_in_whatever_order) {
  for (const int last : {0, 1, 2}) {
    event wake[3];
    std::string text;
    task<everything> whole = awaits_all(wake, text);
    whole.start();
    for (const int i : {0, 1, 2})
      if (i != last)
        wake[i].waiter.resume();
    EXPECT_FALSE(whole.done());
    wake[last].waiter.resume();
    ASSERT_TRUE(whole.done());
    const everything all = whole.result();
    EXPECT_EQ(std::get<0>(all), 1);
    EXPECT_EQ(&std::get<2>(all).get(), &text);
  }
}

task<int> gives_at_once(int value) { co_return value; }
task<int> adds() {
  const auto [a, b] = co_await cancel::when_all(gives_at_once(1), gives_at_once(2));
  co_await cancel::when_all();
  co_return a + b;
}

TEST(when_all, does_not_suspend_when_everything_is_there) {
  task<int> whole = adds();
  whole.start();
  ASSERT_TRUE(whole.done());
  EXPECT_EQ(whole.result(), 3);
}

TEST(when_all, destroys_what_it_waits_for) {
  event wake[3];
  std::string text;
  const task<everything> whole = awaits_all(wake, text);
  whole.start();
}

TEST(when_all, may_complete_on_several_threads) {
  for (int round = 0; round < 200; ++round) {
    event wake[3];
    std::string text;
    const task<everything> whole = awaits_all(wake, text);
    whole.start();
    {
      std::jthread first([&] { wake[0].waiter.resume(); });
      std::jthread second([&] { wake[1].waiter.resume(); });
      wake[2].waiter.resume();
    }
    ASSERT_TRUE(whole.done());
  }
}

template <class Token>
task<const void *> notes_its_slot(const Token &token, event &wake) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  const void *const slot = identity(cancel_slot);
  co_await wake;
  co_return slot;
}
template <class Token>
task<> branches_below_a_slot(Token token, event (&wake)[2]) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  const auto [a, b] =
      co_await cancel::when_all(notes_its_slot(token, wake[0]), notes_its_slot(token, wake[1]));
  expect_different(a, b);
  expect_different(a, identity(cancel_slot));
}

TEST(when_all, gives_each_branch_a_slot_of_its_own) {
  std::stop_source source;
  event wake[2];
  const task<> whole = branches_below_a_slot(source.get_token(), wake);
  whole.start();
  wake[0].waiter.resume();
  wake[1].waiter.resume();
  EXPECT_TRUE(whole.done());
}

/// Completes with the event or with the stop, and notes which.
task<std::string> waits(poll_event &wanted, inplace_stop_token token, int &stops) {
  const wake_reason reason = co_await wanted.wait(token);
  if (reason == wake_reason::completed)
    co_return "event";
  ++stops;
  co_return "stop";
}

template <class Token>
task<std::variant<std::string, std::string>> races(Token token, poll_event (&wanted)[2],
                                                   int &stops) {
  co_return co_await cancel::when_any(
      token, [&](inplace_stop_token st) { return waits(wanted[0], st, stops); },
      [&](inplace_stop_token st) { return waits(wanted[1], st, stops); });
}

template <class Source>
class when_any : public testing::Test {};
TYPED_TEST_SUITE(when_any, cancel_test::every_source, cancel_test::source_names);

TYPED_TEST(when_any, tells_the_first_and_stops_the_others) {
  for (const std::size_t first : {0u, 1u}) {
    TypeParam source;
    poll_event wanted[2];
    int stops = 0;
    auto whole = races(source.get_token(), wanted, stops);
    whole.start();
    EXPECT_FALSE(whole.done());
    wanted[first].set();
    ASSERT_TRUE(whole.done());
    const auto result = whole.result();
    EXPECT_EQ(result.index(), first);
    EXPECT_EQ(stops, 1);
    EXPECT_EQ(first == 0 ? std::get<0>(result) : std::get<1>(result), "event");
    EXPECT_FALSE(source.get_token().stop_requested());
  }
}

TYPED_TEST(when_any, passes_a_stop_on) {
  TypeParam source;
  poll_event wanted[2];
  int stops = 0;
  auto whole = races(source.get_token(), wanted, stops);
  whole.start();
  source.request_stop();
  ASSERT_TRUE(whole.done());
  EXPECT_EQ(stops, 2);
}

TYPED_TEST(when_any, passes_on_a_stop_that_has_come_before) {
  TypeParam source;
  poll_event wanted[2];
  int stops = 0;
  source.request_stop();
  auto whole = races(source.get_token(), wanted, stops);
  whole.start();
  ASSERT_TRUE(whole.done());
  EXPECT_EQ(stops, 2);
}

TYPED_TEST(when_any, may_be_destroyed_while_it_waits) {
  TypeParam source;
  poll_event wanted[2];
  int stops = 0;
  {
    auto whole = races(source.get_token(), wanted, stops);
    whole.start();
  }
  source.request_stop();
  wanted[0].set();
  EXPECT_EQ(stops, 0);
}

TYPED_TEST(when_any, is_ended_once_when_events_and_the_stop_race) {
  for (int round = 0; round < 200; ++round) {
    TypeParam source;
    poll_event wanted[2];
    int stops = 0;
    auto whole = races(source.get_token(), wanted, stops);
    whole.start();
    {
      std::jthread first([&] { wanted[0].set(); });
      std::jthread stop([&] { source.request_stop(); });
      wanted[1].set();
    }
    ASSERT_TRUE(whole.done());
  }
}

task<> waits_for_an_unheeding_branch(std::stop_token token, poll_event &wanted, event &unheeding,
                                     int &stops) {
  co_await cancel::when_any(
      token, [&](inplace_stop_token st) { return waits(wanted, st, stops); },
      [&](inplace_stop_token) { return gives_nothing(unheeding); });
}

TEST(when_any_of_two, waits_for_a_branch_that_does_not_heed_its_token) {
  std::stop_source source;
  poll_event wanted;
  event unheeding;
  int stops = 0;
  const task<> whole = waits_for_an_unheeding_branch(source.get_token(), wanted, unheeding, stops);
  whole.start();
  wanted.set();
  EXPECT_FALSE(whole.done());
  unheeding.waiter.resume();
  EXPECT_TRUE(whole.done());
}

#ifdef __cpp_exceptions
using cancel_test::throws;

task<> catches_one_of_all(event (&wake)[2], bool &caught) {
  try {
    co_await cancel::when_all(throws(wake[0]), gives(wake[1], 1));
  } catch (const std::runtime_error &) {
    caught = true;
  }
}

TEST(when_all, throws_when_all_have_completed) {
  event wake[2];
  bool caught = false;
  const task<> whole = catches_one_of_all(wake, caught);
  whole.start();
  wake[0].waiter.resume();
  EXPECT_FALSE(caught);
  wake[1].waiter.resume();
  EXPECT_TRUE(caught);
}

task<> catches_the_first(std::stop_token token, event &wake, poll_event &wanted, int &stops,
                         bool &caught) {
  try {
    co_await cancel::when_any(
        token, [&](inplace_stop_token) { return throws(wake); },
        [&](inplace_stop_token st) { return waits(wanted, st, stops); });
  } catch (const std::runtime_error &) {
    caught = true;
  }
}

TEST(when_any_of_two, throws_what_the_first_threw) {
  std::stop_source source;
  event wake;
  poll_event wanted;
  int stops = 0;
  bool caught = false;
  const task<> whole = catches_the_first(source.get_token(), wake, wanted, stops, caught);
  whole.start();
  wake.waiter.resume();
  EXPECT_TRUE(caught);
  EXPECT_EQ(stops, 1);
}
#endif

} // namespace
