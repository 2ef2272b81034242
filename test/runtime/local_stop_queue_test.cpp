// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stop from elsewhere waits in the queue until the owner's thread carries it out.
#include "coroutine.hpp"
#include "sources.hpp"

#include <cancel/local_stop_queue.hpp>
#include <cancel/stop_slot.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using cancel::local_stop_queue;
using cancel::stop_guard;
using cancel::stop_slot;
using cancel_test::detached;
using cancel_test::event;

template <class Source>
class a_local_slot : public testing::Test {
protected:
  using slot_type = stop_slot<cancel_test::token_of<Source>, local_stop_queue>;

  static void stop_elsewhere(Source &source) {
    std::jthread([&] { EXPECT_TRUE(source.request_stop()); });
  }

  struct count_wakes {
    std::atomic<int> wakes{0};
    void operator()() noexcept { ++wakes; }
  } wake;
  local_stop_queue queue{wake};
  Source source;
};
TYPED_TEST_SUITE(a_local_slot, cancel_test::every_source, cancel_test::source_names);

void throwing_wake() {}
static_assert(!std::is_constructible_v<local_stop_queue, decltype(throwing_wake) &>);
static_assert(!std::is_move_constructible_v<local_stop_queue>);

TYPED_TEST(a_local_slot, runs_a_stop_from_elsewhere_on_its_own_thread) {
  stop_slot slot(this->source.get_token(), this->queue);
  std::thread::id ran_on;
  stop_guard guard(slot, [&] { ran_on = std::this_thread::get_id(); });
  this->stop_elsewhere(this->source); // returns before the callback has run
  EXPECT_EQ(ran_on, std::thread::id());
  EXPECT_TRUE(slot.stop_requested());
  EXPECT_EQ(this->queue.run(), 1);
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  EXPECT_EQ(this->queue.run(), 0);
}

TYPED_TEST(a_local_slot, runs_its_own_threads_stop_at_once) {
  stop_slot slot(this->source.get_token(), this->queue);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  this->source.request_stop();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(this->wake.wakes, 0);
  EXPECT_EQ(this->queue.run(), 0);
}

TYPED_TEST(a_local_slot, wakes_its_thread_once_for_all_that_is_posted_to_an_empty_queue) {
  TypeParam second, third;
  stop_slot a(this->source.get_token(), this->queue), b(second.get_token(), this->queue),
      c(third.get_token(), this->queue);
  this->stop_elsewhere(this->source);
  this->stop_elsewhere(second);
  EXPECT_EQ(this->wake.wakes, 1);
  EXPECT_EQ(this->queue.run(), 2);
  this->stop_elsewhere(third);
  EXPECT_EQ(this->wake.wakes, 2);
  EXPECT_EQ(this->queue.run(), 1);
}

TYPED_TEST(a_local_slot, may_die_before_the_queue_runs) {
  using slot_type = typename TestFixture::slot_type;
  TypeParam second, third;
  std::optional<slot_type> a(std::in_place, this->source.get_token(), this->queue);
  std::optional<slot_type> b(std::in_place, second.get_token(), this->queue);
  std::optional<slot_type> c(std::in_place, third.get_token(), this->queue);
  std::vector<int> ran;
  std::optional<stop_guard<std::function<void()>>> on_a, on_b, on_c;
  on_a.emplace(*a, [&] { ran.push_back(1); });
  on_b.emplace(*b, [] { FAIL(); });
  on_c.emplace(*c, [&] { ran.push_back(3); });
  for (TypeParam *source : {&this->source, &second, &third})
    this->stop_elsewhere(*source);
  on_b.reset();
  b.reset();
  EXPECT_EQ(this->queue.run(), 2);
  EXPECT_EQ(ran, (std::vector{1, 3})); // in the order of the stops
}

TYPED_TEST(a_local_slot, does_not_run_what_was_disarmed_before_the_queue_runs) {
  stop_slot slot(this->source.get_token(), this->queue);
  {
    stop_guard guard(slot, [] { FAIL(); });
    this->stop_elsewhere(this->source);
  }
  EXPECT_EQ(this->queue.run(), 1);
}

TYPED_TEST(a_local_slot, runs_at_once_what_is_armed_after_the_request) {
  stop_slot slot(this->source.get_token(), this->queue);
  this->stop_elsewhere(this->source);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(this->queue.run(), 1);
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_local_slot, keeps_what_was_armed_before_for_the_queue_when_more_is_armed) {
  if constexpr (!cancel::use_legacy_stop_token) { // there the late guard stops its own source
    stop_slot slot(this->source.get_token(), this->queue);
    std::vector<int> ran;
    stop_guard before(slot, [&] { ran.push_back(1); });
    this->stop_elsewhere(this->source);
    {
      stop_guard late(slot, [&] { ran.push_back(2); });
    }
    EXPECT_EQ(ran, (std::vector{2}));
    EXPECT_EQ(this->queue.run(), 1);
    EXPECT_EQ(ran, (std::vector{2, 1}));
  }
}

TYPED_TEST(a_local_slot, of_a_stopped_token_runs_what_is_armed_at_once) {
  this->stop_elsewhere(this->source);
  stop_slot slot(this->source.get_token(), this->queue);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(this->queue.run(), 0);
}

TYPED_TEST(a_local_slot, of_no_state_is_never_stopped) {
  stop_slot slot(cancel_test::token_of<TypeParam>(), this->queue);
  stop_guard guard(slot, [] { FAIL(); });
  EXPECT_FALSE(slot.stop_requested());
  EXPECT_EQ(this->queue.run(), 0);
}

template <class Source>
detached waits(Source &source, local_stop_queue &queue, event &wake,
               std::function<void(std::coroutine_handle<>)> on_stop) {
  stop_slot slot(source.get_token(), queue);
  stop_guard outer(slot, [] {});
  stop_guard guard(slot, [&] { on_stop(wake.waiter); });
  co_await wake;
}

TYPED_TEST(a_local_slot, may_die_with_its_frame_in_its_own_callback) {
  event destroyed, resumed;
  TypeParam second;
  waits(this->source, this->queue, destroyed, [](auto handle) { handle.destroy(); });
  waits(second, this->queue, resumed, [](auto handle) { handle.resume(); });
  this->stop_elsewhere(this->source);
  this->stop_elsewhere(second);
  EXPECT_EQ(this->queue.run(), 2);
}

TYPED_TEST(a_local_slot, may_be_destroyed_by_the_callback_of_another_one_that_was_posted) {
  TypeParam second;
  std::optional<typename TestFixture::slot_type> gone(std::in_place, second.get_token(),
                                                      this->queue);
  stop_slot slot(this->source.get_token(), this->queue);
  stop_guard guard(slot, [&] { gone.reset(); });
  this->stop_elsewhere(this->source);
  this->stop_elsewhere(second);
  EXPECT_EQ(this->queue.run(), 1);
  EXPECT_FALSE(gone);
}

TYPED_TEST(a_local_slot, loses_no_stop_while_many_threads_request_them) {
  constexpr int rounds = 60, requesters = 3;
  std::atomic<int> round{-1};
  std::vector<std::unique_ptr<TypeParam>> sources;
  for (int i = 0; i < rounds * requesters; ++i)
    sources.push_back(std::make_unique<TypeParam>());
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < requesters; ++thread)
    threads.emplace_back([&, thread] {
      for (int mine = 0; mine < rounds; ++mine) {
        while (round < mine)
          std::this_thread::yield();
        sources[mine * requesters + thread]->request_stop();
      }
    });
  for (int now = 0; now < rounds; ++now) {
    stop_slot a(sources[now * requesters]->get_token(), this->queue);
    stop_slot b(sources[now * requesters + 1]->get_token(), this->queue);
    stop_slot c(sources[now * requesters + 2]->get_token(), this->queue);
    int runs = 0; // plain: all callbacks run on this thread
    stop_guard on_a(a, [&] { ++runs; });
    stop_guard on_b(b, [&] { ++runs; });
    round = now;
    while (runs < 2) {
      stop_guard passing(c, [] {});
      this->queue.run();
    }
    ASSERT_EQ(runs, 2);
  }
}

TEST(a_local_queue, knows_its_thread) {
  auto wake = []() noexcept {};
  local_stop_queue queue(wake);
  EXPECT_TRUE(queue.owned_by_this_thread());
  std::jthread([&] { EXPECT_FALSE(queue.owned_by_this_thread()); });
}

} // namespace
