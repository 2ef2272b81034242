// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits that a stop ends tell an event from a stop, whatever comes first and on whatever thread.
#include "sources.hpp"
#include "woken_tasks.hpp"

#include <cancel/await.hpp>
#include <cancel/task.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using cancel::poll_event;
using cancel::task;
using cancel::wake_reason;
using cancel_test::event;
using cancel_test::gives;

template <class Source>
class a_wait : public testing::Test {};
TYPED_TEST_SUITE(a_wait, cancel_test::every_source, cancel_test::source_names);

template <class Token>
task<> waits_for_the_stop(Token token, bool &ended) {
  co_await cancel::until_stopped(token);
  EXPECT_TRUE(token.stop_requested());
  ended = true;
}

TYPED_TEST(a_wait, for_the_stop_ends_with_the_request) {
  TypeParam source;
  bool ended = false;
  const task<> whole = waits_for_the_stop(source.get_token(), ended);
  whole.start();
  EXPECT_FALSE(ended);
  source.request_stop();
  EXPECT_TRUE(ended);
}

TYPED_TEST(a_wait, for_a_stop_that_has_come_does_not_suspend) {
  TypeParam source;
  bool ended = false;
  source.request_stop();
  const task<> whole = waits_for_the_stop(source.get_token(), ended);
  whole.start();
  EXPECT_TRUE(ended);
}

TYPED_TEST(a_wait, for_the_stop_may_be_destroyed) {
  TypeParam source;
  bool ended = false;
  {
    const task<> whole = waits_for_the_stop(source.get_token(), ended);
    whole.start();
  }
  source.request_stop();
  EXPECT_FALSE(ended);
}

template <class Token>
task<> takes(poll_event &wanted, Token token, std::vector<wake_reason> &reasons) {
  for (;;) {
    const wake_reason reason = co_await wanted.wait(token);
    reasons.push_back(reason);
    if (reason == wake_reason::stopped)
      co_return;
  }
}

constexpr auto completed = wake_reason::completed;
constexpr auto stopped = wake_reason::stopped;

TYPED_TEST(a_wait, for_an_event_ends_with_the_event) {
  TypeParam source;
  poll_event wanted;
  std::vector<wake_reason> reasons;
  const task<> whole = takes(wanted, source.get_token(), reasons);
  whole.start();
  EXPECT_TRUE(reasons.empty());
  wanted.set();
  wanted.set();
  EXPECT_EQ(reasons, (std::vector{completed, completed}));
  source.request_stop();
  EXPECT_EQ(reasons.back(), stopped);
  EXPECT_TRUE(whole.done());
}

TYPED_TEST(a_wait, for_an_event_that_is_there_takes_it_even_after_the_stop) {
  TypeParam source;
  poll_event wanted;
  std::vector<wake_reason> reasons;
  wanted.set();
  source.request_stop();
  const task<> whole = takes(wanted, source.get_token(), reasons);
  whole.start();
  EXPECT_EQ(reasons, (std::vector{completed, stopped}));
}

TYPED_TEST(a_wait, that_was_stopped_leaves_the_event_to_the_next) {
  TypeParam source;
  poll_event wanted;
  std::vector<wake_reason> reasons;
  const task<> whole = takes(wanted, source.get_token(), reasons);
  whole.start();
  source.request_stop();
  EXPECT_FALSE(wanted.poll());
  wanted.set();
  EXPECT_TRUE(wanted.poll());
  EXPECT_FALSE(wanted.poll());
}

TYPED_TEST(a_wait, for_an_event_may_be_destroyed) {
  TypeParam source;
  poll_event wanted;
  std::vector<wake_reason> reasons;
  {
    const task<> whole = takes(wanted, source.get_token(), reasons);
    whole.start();
  }
  wanted.set();
  source.request_stop();
  EXPECT_TRUE(reasons.empty());
  EXPECT_TRUE(wanted.poll());
}

/// The coroutine counts the events it is told of; each event that it is not told of is left.
template <class Token>
task<> takes_one(std::unique_ptr<poll_event> wanted, Token token, std::atomic<int> &result) {
  const wake_reason reason = co_await wanted->wait(token);
  const bool left = wanted->poll();
  wanted.reset(); // whoever set it is done with it
  result = reason == wake_reason::completed ? 1 : left ? 2 : 3;
}

TYPED_TEST(a_wait, never_loses_an_event_that_races_with_the_stop) {
  for (int round = 0; round < 300; ++round) {
    TypeParam source;
    auto owned = std::make_unique<poll_event>();
    poll_event &wanted = *owned;
    std::atomic<int> result = 0;
    const task<> whole = takes_one(std::move(owned), source.get_token(), result);
    {
      std::atomic<int> ready = 0;
      const auto meet = [&ready](int of) {
        for (++ready; ready < of;)
          std::this_thread::yield();
      };
      std::jthread stops([&] {
        meet(2);
        source.request_stop();
      });
      meet(2);
      whole.start();
    }
    ASSERT_EQ(result, 3);
    static_cast<void>(wanted);
  }
  for (int round = 0; round < 300; ++round) {
    TypeParam source;
    auto owned = std::make_unique<poll_event>();
    poll_event &wanted = *owned;
    std::atomic<int> result = 0;
    const task<> whole = takes_one(std::move(owned), source.get_token(), result);
    std::jthread sets([&] { wanted.set(); });
    whole.start();
    sets.join();
    ASSERT_EQ(result, 1);
  }
}

template <class Token>
task<> takes_from(poll_event &wanted, Token token, std::optional<wake_reason> &reason) {
  reason = co_await wanted.wait(token);
}

TYPED_TEST(a_wait, is_ended_once_when_event_and_stop_race) {
  for (int round = 0; round < 300; ++round) {
    TypeParam source;
    poll_event wanted;
    std::optional<wake_reason> reason;
    const task<> whole = takes_from(wanted, source.get_token(), reason);
    whole.start();
    {
      std::jthread stops([&] { source.request_stop(); });
      wanted.set();
    }
    ASSERT_TRUE(whole.done());
    ASSERT_EQ(wanted.poll(), reason == wake_reason::stopped);
  }
}

/// `stop_or` of a task that gives 5 when it is woken.
template <class Source>
struct stoppable_five {
  Source source;
  event wake;
  std::optional<int> result;
  bool ended = false;

  task<> awaits() {
    result = co_await cancel::stop_or(gives(wake, 5), source.get_token());
    ended = true;
  }
  task<> started() {
    task<> whole = awaits();
    whole.start();
    return whole;
  }
};

TYPED_TEST(a_wait, or_stop_gives_what_the_awaitable_gives) {
  stoppable_five<TypeParam> five;
  const task<> whole = five.started();
  EXPECT_FALSE(five.ended);
  five.wake.waiter.resume();
  EXPECT_TRUE(five.ended);
  EXPECT_EQ(five.result, 5);
  five.source.request_stop();
}

TYPED_TEST(a_wait, or_stop_gives_nothing_when_the_stop_is_first) {
  stoppable_five<TypeParam> five;
  const task<> whole = five.started();
  five.source.request_stop();
  EXPECT_TRUE(five.ended);
  EXPECT_FALSE(five.result);
  five.wake.waiter.resume(); // what was left behind ends by itself
}

TYPED_TEST(a_wait, or_stop_does_not_await_after_the_stop) {
  stoppable_five<TypeParam> five;
  five.source.request_stop();
  const task<> whole = five.started();
  EXPECT_TRUE(five.ended);
  EXPECT_FALSE(five.wake.waiter);
}

TYPED_TEST(a_wait, or_stop_may_be_destroyed) {
  stoppable_five<TypeParam> five;
  {
    const task<> whole = five.started();
  }
  five.source.request_stop();
  five.wake.waiter.resume();
  EXPECT_FALSE(five.ended);
}

TYPED_TEST(a_wait, or_stop_is_ended_once_when_both_race) {
  for (int round = 0; round < 300; ++round) {
    stoppable_five<TypeParam> five;
    const task<> whole = five.started();
    {
      std::jthread stops([&] { five.source.request_stop(); });
      five.wake.waiter.resume();
    }
    ASSERT_TRUE(five.ended);
    ASSERT_TRUE(!five.result || *five.result == 5);
  }
}

task<> uses_every_kind(std::stop_token token, event &wake, int &value) {
  const wake_reason nothing = co_await cancel::stop_or(cancel_test::gives_nothing(wake), token);
  EXPECT_EQ(nothing, wake_reason::completed);
  const std::optional<std::reference_wrapper<int>> same =
      co_await cancel::stop_or(gives<int &>(wake, value), token);
  EXPECT_EQ(&same->get(), &value);
  const wake_reason of_lvalue = co_await cancel::stop_or(wake, token);
  EXPECT_EQ(of_lvalue, wake_reason::completed);
}

TEST(stop_or, takes_values_references_and_nothing) {
  std::stop_source source;
  event wake;
  int value = 0;
  const task<> whole = uses_every_kind(source.get_token(), wake, value);
  whole.start();
  for (int awaits = 3; awaits; --awaits)
    wake.waiter.resume();
  EXPECT_TRUE(whole.done());
}

#ifdef __cpp_exceptions
task<> catches(std::stop_token token, event &wake, bool &caught) {
  try {
    static_cast<void>(co_await cancel::stop_or(cancel_test::throws(wake), token));
  } catch (const std::runtime_error &) {
    caught = true;
  }
}

TEST(stop_or, throws_what_the_awaitable_throws) {
  std::stop_source source;
  event wake;
  bool caught = false;
  const task<> whole = catches(source.get_token(), wake, caught);
  whole.start();
  wake.waiter.resume();
  EXPECT_TRUE(caught);
}
#endif

} // namespace
