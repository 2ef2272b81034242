// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines wait in a list and are woken once each, by what they wait for or by a stop.
#include "coroutine.hpp"

#include <cancel/wait_list.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using cancel::wait_list;
using cancel::wake_reason;
using cancel_test::detached;

static_assert(!std::is_copy_constructible_v<wait_list> && !std::is_move_constructible_v<wait_list>);

struct woken {
  int name;
  wake_reason reason;
  bool operator==(const woken &) const = default;
};
using log = std::vector<woken>;

constexpr auto completed = wake_reason::completed;
constexpr auto stopped = wake_reason::stopped;

detached waits(wait_list &waiters, log &ended, int name) {
  const wake_reason reason = co_await waiters.wait();
  ended.push_back({name, reason});
}

TEST(a_wait_list, wakes_nobody_when_nobody_waits) {
  wait_list waiters;
  EXPECT_EQ(waiters.notify_all(), 0);
  EXPECT_FALSE(waiters.notify_one());
  EXPECT_FALSE(waiters.stop_requested());
}

TEST(a_wait_list, wakes_all_as_completed_newest_first) {
  wait_list waiters;
  log ended;
  for (int name : {1, 2, 3})
    waits(waiters, ended, name);
  EXPECT_EQ(waiters.notify_all(), 3);
  EXPECT_EQ(ended, (log{{3, completed}, {2, completed}, {1, completed}}));
  EXPECT_EQ(waiters.notify_all(), 0);
}

TEST(a_wait_list, wakes_one_the_one_that_has_waited_longest) {
  wait_list waiters;
  log ended;
  for (int name : {1, 2})
    waits(waiters, ended, name);
  EXPECT_TRUE(waiters.notify_one());
  EXPECT_TRUE(waiters.notify_one());
  EXPECT_FALSE(waiters.notify_one());
  EXPECT_EQ(ended, (log{{1, completed}, {2, completed}}));
}

TEST(a_wait_list, wakes_all_as_stopped_once) {
  wait_list waiters;
  log ended;
  for (int name : {1, 2})
    waits(waiters, ended, name);
  EXPECT_TRUE(waiters.request_stop());
  EXPECT_TRUE(waiters.stop_requested());
  EXPECT_FALSE(waiters.request_stop());
  EXPECT_EQ(ended, (log{{2, stopped}, {1, stopped}}));
}

TEST(a_wait_list, lets_nobody_wait_after_a_stop) {
  wait_list waiters;
  waiters.request_stop();
  log ended;
  waits(waiters, ended, 1);
  EXPECT_EQ(ended, (log{{1, stopped}}));
}

TEST(a_wait_list, wakes_more_than_it_prefetches) {
  wait_list waiters;
  log ended;
  constexpr int many = 100;
  for (int name = 0; name < many; ++name)
    waits(waiters, ended, name);
  EXPECT_EQ(waiters.notify_all(), many);
  ASSERT_EQ(ended.size(), many);
  EXPECT_EQ(ended.front(), (woken{many - 1, completed}));
  EXPECT_EQ(ended.back(), (woken{0, completed}));
}

detached waits_again(wait_list &waiters, int &wakes, int times) {
  for (int i = 0; i < times; ++i) {
    co_await waiters.wait();
    ++wakes;
  }
}

TEST(a_wait_list, leaves_whoever_waits_again_for_the_next_call) {
  wait_list waiters;
  int wakes = 0;
  waits_again(waiters, wakes, 3);
  waits_again(waiters, wakes, 3);
  EXPECT_EQ(waiters.notify_all(), 2);
  EXPECT_EQ(wakes, 2);
  EXPECT_EQ(waiters.notify_all(), 2);
  EXPECT_EQ(waiters.notify_all(), 2);
  EXPECT_EQ(waiters.notify_all(), 0);
}

TEST(a_wait_list, does_not_suspend_whoever_waits_again_while_it_is_stopped) {
  wait_list waiters;
  int wakes = 0;
  waits_again(waiters, wakes, 3);
  waits_again(waiters, wakes, 3);
  waiters.request_stop();
  EXPECT_EQ(wakes, 6);
}

/// Keeps its awaiter by name, so that others can complete just this wait.
detached waits_by_name(wait_list &waiters, wait_list::awaiter *&wait, log &ended, int name,
                       std::coroutine_handle<> *self = nullptr) {
  wait_list::awaiter mine = waiters.wait();
  wait = &mine;
  if (self) {
    cancel_test::event given;
    struct take {
      std::coroutine_handle<> &to;
      bool await_ready() const noexcept { return false; }
      bool await_suspend(std::coroutine_handle<> handle) const noexcept {
        to = handle;
        return false;
      }
      void await_resume() const noexcept {}
    };
    co_await take{*self};
  }
  const wake_reason reason = co_await mine;
  ended.push_back({name, reason});
}

TEST(a_wait, is_completed_by_its_name_and_leaves_the_others) {
  wait_list waiters;
  log ended;
  wait_list::awaiter *first = nullptr, *second = nullptr, *third = nullptr;
  waits_by_name(waiters, first, ended, 1);
  waits_by_name(waiters, second, ended, 2);
  waits_by_name(waiters, third, ended, 3);
  EXPECT_TRUE(second->complete());
  EXPECT_EQ(ended, (log{{2, completed}}));
  waiters.request_stop();
  EXPECT_EQ(ended, (log{{2, completed}, {3, stopped}, {1, stopped}}));
}

detached completes_before_it_waits(wait_list &waiters, log &ended) {
  wait_list::awaiter mine = waiters.wait();
  EXPECT_TRUE(mine.complete());
  EXPECT_FALSE(mine.complete());
  const wake_reason reason = co_await mine;
  ended.push_back({1, reason});
}

TEST(a_wait, is_not_lost_when_it_completes_before_it_begins) {
  wait_list waiters;
  log ended;
  completes_before_it_waits(waiters, ended);
  EXPECT_EQ(ended, (log{{1, completed}}));
  EXPECT_EQ(waiters.notify_all(), 0);
}

TEST(a_wait, that_completed_first_stays_completed_in_a_stopped_list) {
  wait_list waiters;
  waiters.request_stop();
  log ended;
  completes_before_it_waits(waiters, ended);
  EXPECT_EQ(ended, (log{{1, completed}}));
}

TEST(a_wait, may_be_destroyed) {
  wait_list waiters;
  log ended;
  std::coroutine_handle<> handles[3];
  wait_list::awaiter *waits[3];
  for (int i = 0; i < 3; ++i)
    waits_by_name(waiters, waits[i], ended, i, &handles[i]);
  handles[1].destroy();
  EXPECT_EQ(waiters.notify_all(), 2);
  EXPECT_EQ(ended, (log{{2, completed}, {0, completed}}));
}

detached destroys_when_woken(wait_list &waiters, std::coroutine_handle<> &victim) {
  co_await waiters.wait();
  victim.destroy();
}

TEST(a_wait, may_be_destroyed_by_a_coroutine_of_its_own_batch) {
  wait_list waiters;
  log ended;
  std::coroutine_handle<> victim;
  wait_list::awaiter *wait = nullptr;
  waits(waiters, ended, 1);
  waits_by_name(waiters, wait, ended, 2, &victim);
  destroys_when_woken(waiters, victim);
  EXPECT_EQ(waiters.notify_all(), 2);
  EXPECT_EQ(ended, (log{{1, completed}}));
}

detached completes_when_woken(wait_list &waiters, wait_list::awaiter *&other) {
  co_await waiters.wait();
  EXPECT_TRUE(other->complete());
}

TEST(a_wait, may_be_completed_by_a_coroutine_that_is_woken_as_stopped_before_it) {
  wait_list waiters;
  log ended;
  wait_list::awaiter *wait = nullptr;
  waits_by_name(waiters, wait, ended, 1);
  completes_when_woken(waiters, wait);
  waiters.request_stop();
  EXPECT_EQ(ended, (log{{1, completed}}));
}

detached ends_the_list(std::unique_ptr<wait_list> &waiters) {
  co_await waiters->wait();
  waiters.reset();
}

TEST(a_wait_list, may_be_ended_by_the_coroutine_that_is_resumed_last) {
  for (const bool stop : {false, true}) {
    auto waiters = std::make_unique<wait_list>();
    log ended;
    ends_the_list(waiters);
    waits(*waiters, ended, 1);
    if (stop)
      EXPECT_TRUE(waiters->request_stop());
    else
      EXPECT_EQ(waiters->notify_all(), 2);
    EXPECT_FALSE(waiters);
  }
}

TEST(a_wait_list, may_be_ended_by_the_one_that_it_notifies) {
  auto waiters = std::make_unique<wait_list>();
  ends_the_list(waiters);
  EXPECT_TRUE(waiters->notify_one());
  EXPECT_FALSE(waiters);
}

TEST(a_wait_list, lets_one_of_many_threads_stop_it) {
  for (int round = 0; round < 100; ++round) {
    wait_list waiters;
    log ended;
    for (int name = 0; name < 20; ++name)
      waits(waiters, ended, name);
    std::atomic<int> winners{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { winners += waiters.request_stop(); });
    }
    ASSERT_EQ(winners, 1);
    ASSERT_EQ(ended.size(), 20);
  }
}

detached waits_until_stopped(wait_list &waiters, std::atomic<long> &wakes,
                             std::atomic<int> &running) {
  // Not as the loop's condition: g++ 12 then puts its own variable in front of the frame's header.
  while (true) {
    const wake_reason reason = co_await waiters.wait();
    if (reason != completed)
      break;
    ++wakes;
  }
  --running;
}

TEST(a_wait_list, wakes_each_wait_once_while_many_threads_wait_notify_and_stop) {
  for (int round = 0; round < 20; ++round) {
    wait_list waiters;
    std::atomic<long> wakes{0}, notified{0};
    std::atomic<int> running{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back([&, i] {
          for (int turn = 0; turn < 100; ++turn) {
            ++running;
            waits_until_stopped(waiters, wakes, running);
            if (i == 0)
              notified += static_cast<long>(waiters.notify_all());
            else
              notified += waiters.notify_one();
          }
          waiters.request_stop();
        });
    }
    ASSERT_EQ(running, 0);
    ASSERT_EQ(wakes, notified);
  }
}

} // namespace
