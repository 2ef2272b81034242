// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coroutine whose promise is a stop_frame is stopped through its handle.
#include "coroutine.hpp"

#include <cancel/stop_frame.hpp>
#include <cancel/stop_slot.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <coroutine>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using cancel::stop_frame;
using cancel::stop_guard;
using cancel::stop_policy;
using cancel_test::detached;
using cancel_test::event;
using cancel_test::session;

static_assert(cancel::armable<stop_frame>);
static_assert(!std::copy_constructible<stop_frame> && !std::move_constructible<stop_frame>);
static_assert(noexcept(cancel::request_stop(session().handle)));

class a_stop_frame : public testing::TestWithParam<stop_policy> {
protected:
  stop_policy policy = GetParam();
};

std::string name_of_policy(const testing::TestParamInfo<stop_policy> &info) {
  constexpr const char *names[] = {"adaptive", "shared", "asymmetric"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(policy, a_stop_frame,
                         testing::Values(stop_policy::adaptive, stop_policy::shared,
                                         stop_policy::asymmetric),
                         name_of_policy);

/// Awaits under a guard, once.
session waits(stop_policy, event &wake, std::function<void()> on_stop, bool &ended) {
  stop_frame &frame = co_await cancel::this_stop_frame();
  {
    stop_guard guard(frame, on_stop);
    co_await wake;
  }
  ended = true;
}

TEST_P(a_stop_frame, runs_what_is_armed_when_its_handle_is_stopped) {
  event wake;
  int runs = 0;
  bool ended = false;
  const session task = waits(policy, wake, [&] { ++runs; }, ended);
  EXPECT_FALSE(task.handle.promise().stop_requested());
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(task.handle.promise().stop_requested());
  EXPECT_FALSE(ended);
  wake.waiter.resume();
  EXPECT_TRUE(ended);
}

TEST_P(a_stop_frame, is_stopped_by_the_first_request_alone) {
  event wake;
  int runs = 0;
  bool ended = false;
  const session task = waits(policy, wake, [&] { ++runs; }, ended);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_FALSE(cancel::request_stop(task.handle));
  EXPECT_EQ(runs, 1);
  wake.waiter.destroy();
}

TEST_P(a_stop_frame, lets_one_of_many_threads_win) {
  for (int round = 0; round < 50; ++round) {
    event wake;
    std::atomic<int> runs{0}, winners{0};
    bool ended = false;
    const session task = waits(policy, wake, [&] { ++runs; }, ended);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { winners += cancel::request_stop(task.handle); });
    }
    ASSERT_EQ(winners, 1);
    ASSERT_EQ(runs, 1);
    wake.waiter.destroy();
  }
}

session arms_after_the_stop(stop_policy, event &wake, int &runs) {
  stop_frame &frame = co_await cancel::this_stop_frame();
  co_await wake;
  stop_guard guard(frame, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

TEST_P(a_stop_frame, runs_at_once_what_is_armed_after_the_stop) {
  event wake;
  int runs = 0;
  const session task = arms_after_the_stop(policy, wake, runs);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_EQ(runs, 0);
  wake.waiter.resume();
  EXPECT_EQ(runs, 1);
}

session waits_twice(stop_policy, event &first, event &second, bool &ended) {
  stop_frame &frame = co_await cancel::this_stop_frame();
  for (int i = 0; i < 10'000; ++i) // an adaptive frame turns
    stop_guard guard(frame, [] { ADD_FAILURE(); });
  {
    stop_guard guard(frame, [] { ADD_FAILURE(); });
    co_await first;
  }
  co_await second;
  ended = frame.stop_requested();
}

TEST_P(a_stop_frame, does_not_run_what_was_disarmed) {
  event first, second;
  bool ended = false;
  const session task = waits_twice(policy, first, second, ended);
  first.waiter.resume();
  EXPECT_TRUE(cancel::request_stop(task.handle));
  second.waiter.resume();
  EXPECT_TRUE(ended);
}

TEST_P(a_stop_frame, may_die_when_its_callback_destroys_it) {
  event wake;
  bool ended = false;
  const session task = waits(policy, wake, [&] { wake.waiter.destroy(); }, ended);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_FALSE(ended);
}

TEST_P(a_stop_frame, may_die_when_its_callback_resumes_it_to_its_end) {
  event wake;
  bool ended = false;
  const session task = waits(policy, wake, [&] { wake.waiter.resume(); }, ended);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_TRUE(ended);
}

TEST_P(a_stop_frame, dies_on_another_thread_only_when_its_callback_has_run) {
  event wake;
  std::jthread other;
  std::atomic<bool> returned = false;
  bool ended = false;
  const session task = waits(
      policy, wake,
      [&] {
        other = std::jthread([&] {
          wake.waiter.destroy();
          EXPECT_TRUE(returned);
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        returned = true;
      },
      ended);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  other.join();
}

session waits_unarmed(stop_policy, event &wake) {
  stop_frame &frame = co_await cancel::this_stop_frame();
  co_await wake;
  EXPECT_TRUE(frame.stop_requested());
}

TEST_P(a_stop_frame, can_end_on_another_thread_while_the_request_is_in_progress) {
  if constexpr (!cancel::use_legacy_stop_token) // a std::stop_source does not wait for its requests
    for (int round = 0; round < 200; ++round) {
      event wake;
      const session task = waits_unarmed(policy, wake);
      std::jthread owner([&] {
        while (!task.handle.promise().stop_requested())
          ;
        wake.waiter.resume(); // ends the frame below the request
      });
      ASSERT_TRUE(cancel::request_stop(task.handle));
    }
}

detached helps(stop_frame &frame, event &wake, std::vector<int> &ran) {
  stop_guard guard(frame, [&] { ran.push_back(1); });
  co_await wake;
}

session calls_helpers(stop_policy, event &own, event &of_helper, std::vector<int> &ran) {
  stop_frame &frame = co_await cancel::this_stop_frame();
  stop_guard guard(frame, [&] { ran.push_back(2); });
  helps(frame, of_helper, ran);
  co_await own;
}

TEST_P(a_stop_frame, runs_what_other_coroutines_have_armed_on_it) {
  event own, of_helper;
  std::vector<int> ran;
  const session task = calls_helpers(policy, own, of_helper, ran);
  EXPECT_TRUE(cancel::request_stop(task.handle));
  EXPECT_EQ(ran, (std::vector{1, 2}));
  of_helper.waiter.destroy();
  own.waiter.destroy();
}

TEST_P(a_stop_frame, shows_what_preceded_the_request) {
  event wake;
  int written = 0; // plain
  const session task = waits_unarmed(policy, wake);
  {
    std::jthread requester([&] {
      written = 1;
      cancel::request_stop(task.handle);
    });
    while (!task.handle.promise().stop_requested())
      std::this_thread::yield();
    EXPECT_EQ(written, 1);
  }
  wake.waiter.resume();
}

} // namespace
