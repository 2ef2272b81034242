// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stop_guard means what std::stop_callback means, on a slot that has turned and on one that has
// not.
#include "coroutine.hpp"

#include <cancel/stop_slot.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using cancel::stop_guard;
using cancel::stop_slot;
using cancel_test::detached;
using cancel_test::event;

enum class start { shared, turned };

/// Guards cost differently before and after a slot turns; they must not mean anything different.
class a_stop_guard : public testing::TestWithParam<start> {
protected:
  a_stop_guard() {
    std::stop_source stopped;
    stop_slot ends_the_period(stopped.get_token());
    stopped.request_stop(); // from here on new slots start in shared mode
  }

  void prepare(stop_slot &slot) const {
    if (GetParam() == start::turned)
      for (int i = 0; i < 10'000; ++i)
        stop_guard guard(slot, [] {});
  }

  std::stop_source source;
};

INSTANTIATE_TEST_SUITE_P(slot, a_stop_guard, testing::Values(start::shared, start::turned),
                         [](const auto &info) {
                           return info.param == start::shared ? "before_turning" : "after_turning";
                         });

// [stopcallback.cons]/2-4: construction.

TEST_P(a_stop_guard, runs_its_callback_when_the_stop_is_requested) {
  stop_slot slot(source.get_token());
  prepare(slot);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(source.request_stop());
  EXPECT_EQ(runs, 1);
}

TEST_P(a_stop_guard, runs_its_callback_in_the_constructor_if_the_stop_came_first) {
  stop_slot slot(source.get_token());
  prepare(slot);
  source.request_stop();
  std::thread::id ran_on;
  stop_guard guard(slot, [&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_P(a_stop_guard, runs_in_the_constructor_on_a_slot_of_a_token_that_was_stopped_already) {
  source.request_stop();
  stop_slot slot(source.get_token());
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

TEST_P(a_stop_guard, runs_in_the_constructor_while_the_stop_still_waits_in_an_earlier_callback) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::binary_semaphore entered(0), proceed(0);
  std::stop_callback runs_first(source.get_token(), [&] {
    entered.release();
    proceed.acquire();
  });
  std::jthread canceller([&] { source.request_stop(); });
  entered.acquire();
  int runs = 0;
  {
    stop_guard guard(slot, [&] { ++runs; });
    EXPECT_EQ(runs, 1);
  }
  proceed.release();
  canceller.join();
  EXPECT_EQ(runs, 1);
}

TEST_P(a_stop_guard, never_runs_without_a_stop_state) {
  stop_slot slot{std::stop_token()};
  prepare(slot);
  stop_guard guard(slot, [] { FAIL(); });
}

TEST_P(a_stop_guard, never_runs_once_every_source_is_gone) {
  std::optional<std::stop_source> only(std::in_place);
  stop_slot slot(only->get_token());
  only.reset();
  prepare(slot);
  stop_guard guard(slot, [] { FAIL(); });
}

TEST_P(a_stop_guard, calls_its_callback_as_an_rvalue) {
  struct rvalue_only {
    bool &ran;
    void operator()() && { ran = true; }
  };
  stop_slot slot(source.get_token());
  prepare(slot);
  bool ran = false;
  stop_guard<rvalue_only> guard(slot, rvalue_only{ran});
  source.request_stop();
  EXPECT_TRUE(ran);
}

TEST_P(a_stop_guard, may_refer_to_a_callback_that_lives_elsewhere) {
  stop_slot slot(source.get_token());
  prepare(slot);
  int runs = 0;
  auto callback = [&] { ++runs; };
  stop_guard<decltype(callback) &> guard(slot, callback);
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TEST_P(a_stop_guard, converts_its_argument_to_the_callback) {
  stop_slot slot(source.get_token());
  prepare(slot);
  int runs = 0;
  stop_guard<std::function<void()>> guard(slot, [&] { ++runs; });
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

#if __cpp_exceptions
TEST_P(a_stop_guard, arms_nothing_if_constructing_the_callback_throws) {
  struct throws {
    explicit throws(int) { throw std::string("no"); }
    void operator()() const {}
  };
  stop_slot slot(source.get_token());
  prepare(slot);
  EXPECT_THROW(stop_guard<throws> guard(slot, 1), std::string);
  EXPECT_TRUE(source.request_stop());
}

TEST_P(a_stop_guard, terminates_if_its_callback_throws) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        stop_slot slot(source.get_token());
        prepare(slot);
        stop_guard guard(slot, [] { throw 1; });
        source.request_stop();
      },
      "");
}
#endif

// [stopcallback.cons]/5-8: destruction.

TEST_P(a_stop_guard, does_not_run_after_its_scope) {
  stop_slot slot(source.get_token());
  prepare(slot);
  int runs = 0;
  {
    stop_guard guard(slot, [&] { ++runs; });
  }
  source.request_stop();
  EXPECT_EQ(runs, 0);
}

TEST_P(a_stop_guard, waits_in_its_destructor_for_a_callback_on_another_thread) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::binary_semaphore running(0);
  int effect = 0; // plain: disarming is what makes it safe to read
  std::optional<stop_guard<std::function<void()>>> guard;
  guard.emplace(slot, [&] {
    running.release();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    effect = 1;
  });
  std::jthread canceller([&] { source.request_stop(); });
  running.acquire();
  guard.reset();
  EXPECT_EQ(effect, 1);
}

TEST_P(a_stop_guard, does_not_wait_for_a_callback_of_another_guard) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::binary_semaphore running(0), proceed(0);
  std::optional<stop_guard<std::function<void()>>> lower, upper;
  lower.emplace(slot, [] { ADD_FAILURE(); });
  upper.emplace(slot, [&] {
    running.release();
    proceed.acquire();
  });
  std::jthread canceller([&] { source.request_stop(); });
  running.acquire();
  lower.reset();
  proceed.release();
}

TEST_P(a_stop_guard, may_be_destroyed_by_its_own_callback) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::optional<stop_guard<std::function<void()>>> guard;
  int runs = 0;
  guard.emplace(slot, [&] {
    ++runs;
    int &survives = runs; // what the callback captured dies with the guard
    guard.reset();
    ++survives;
  });
  source.request_stop();
  EXPECT_FALSE(guard);
  EXPECT_EQ(runs, 2);
}

TEST_P(a_stop_guard, may_be_destroyed_by_the_callback_of_another_guard) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::optional<stop_guard<std::function<void()>>> lower, upper;
  lower.emplace(slot, [] { ADD_FAILURE(); });
  upper.emplace(slot, [&] { lower.reset(); });
  source.request_stop();
  EXPECT_FALSE(lower);
}

TEST_P(a_stop_guard, may_be_destroyed_in_any_order) {
  stop_slot slot(source.get_token());
  prepare(slot);
  std::vector<int> ran;
  std::vector<std::unique_ptr<stop_guard<std::function<void()>>>> guards;
  guards.reserve(6);
  for (int i = 0; i < 6; ++i)
    guards.push_back(
        std::make_unique<stop_guard<std::function<void()>>>(slot, [&ran, i] { ran.push_back(i); }));
  for (int gone : {2, 0, 5})
    guards[gone].reset();
  source.request_stop();
  EXPECT_EQ(ran, (std::vector{4, 3, 1}));
}

TEST_P(a_stop_guard, can_be_armed_and_disarmed_many_times_on_one_slot) {
  stop_slot slot(source.get_token());
  prepare(slot);
  int runs = 0;
  std::optional<stop_guard<std::function<void()>>> guard;
  for (int i = 0; i < 20'000; ++i)
    guard.emplace(slot, [&runs, i] { runs = i; });
  source.request_stop();
  EXPECT_EQ(runs, 19'999);
}

// The coroutine frame.

detached awaits_with_a_guard(stop_slot *&inner, event &wake, std::stop_token token, bool &resumed,
                             std::function<void(std::coroutine_handle<>)> on_stop) {
  stop_slot slot(token);
  inner = &slot;
  for (int i = 0; i < 10'000; ++i)
    stop_guard guard(slot, [] {});
  stop_guard outer(slot, [] {});
  stop_guard guard(slot, [&] { on_stop(wake.waiter); });
  co_await wake;
  resumed = true;
}

TEST_P(a_stop_guard, may_die_with_its_slot_when_its_callback_destroys_the_frame) {
  event wake;
  bool resumed = false;
  stop_slot *slot = nullptr;
  awaits_with_a_guard(slot, wake, source.get_token(), resumed,
                      [](std::coroutine_handle<> handle) { handle.destroy(); });
  ASSERT_NE(slot, nullptr);
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(resumed);
}

TEST_P(a_stop_guard, may_die_with_its_slot_when_its_callback_resumes_the_coroutine_to_its_end) {
  event wake;
  bool resumed = false;
  stop_slot *slot = nullptr;
  awaits_with_a_guard(slot, wake, source.get_token(), resumed,
                      [](std::coroutine_handle<> handle) { handle.resume(); });
  EXPECT_TRUE(source.request_stop());
  EXPECT_TRUE(resumed);
}

TEST_P(a_stop_guard, may_die_on_a_third_thread_while_its_callback_runs) {
  event wake;
  bool resumed = false;
  stop_slot *slot = nullptr;
  std::jthread third;
  awaits_with_a_guard(slot, wake, source.get_token(), resumed, [&](std::coroutine_handle<> handle) {
    third = std::jthread([handle] { handle.resume(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  EXPECT_TRUE(source.request_stop());
  third.join();
  EXPECT_TRUE(resumed);
}

TEST_P(a_stop_guard, of_one_token_ignores_the_stop_of_another) {
  std::stop_source other;
  stop_slot slot(source.get_token()), other_slot(other.get_token());
  prepare(slot);
  int runs = 0, other_runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  stop_guard other_guard(other_slot, [&] { ++other_runs; });
  other.request_stop();
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(other_runs, 1);
}

// What the compiler must see.

struct nothrow_callback {
  void operator()() const {}
};
struct throwing_callback {
  throwing_callback(const throwing_callback &) noexcept(false) {}
  void operator()() const {}
};

static_assert(std::is_same_v<stop_guard<nothrow_callback>::callback_type, nothrow_callback>);
static_assert(std::is_same_v<decltype(stop_guard(std::declval<stop_slot &>(), nothrow_callback())),
                             stop_guard<nothrow_callback>>);
static_assert(
    std::is_nothrow_constructible_v<stop_guard<nothrow_callback>, stop_slot &, nothrow_callback>);
static_assert(!std::is_nothrow_constructible_v<stop_guard<throwing_callback>, stop_slot &,
                                               const throwing_callback &>);
static_assert(!std::is_constructible_v<stop_guard<nothrow_callback>, stop_slot &, int>);
static_assert(!std::is_constructible_v<stop_guard<nothrow_callback>, stop_slot, nothrow_callback>);
static_assert(!std::is_copy_constructible_v<stop_guard<nothrow_callback>>);
static_assert(!std::is_move_constructible_v<stop_guard<nothrow_callback>>);
static_assert(std::is_nothrow_constructible_v<stop_slot, const std::stop_token &>);
static_assert(!std::is_copy_constructible_v<stop_slot> && !std::is_move_constructible_v<stop_slot>);

} // namespace
