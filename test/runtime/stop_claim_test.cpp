// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a completion and a stop one wins, and the coroutine goes on once.
#include "coroutine.hpp"

#include <cancel/stop_claim.hpp>
#include <cancel/stop_slot.hpp>
#include <cancel/stop_source.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <coroutine>
#include <functional>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace {

using cancel::stop_claim;
using cancel::wake_reason;
using cancel_test::detached;

static_assert(!std::is_copy_constructible_v<stop_claim>);
static_assert(std::is_nothrow_default_constructible_v<stop_claim>);
static_assert(noexcept(std::declval<stop_claim &>().complete()));

/// Suspends on the claim after `before_suspending` has run.
struct claimed_wait {
  stop_claim &claim;
  std::function<void()> before_suspending = [] {};

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    before_suspending();
    return claim.suspend(coroutine);
  }
  wake_reason await_resume() const noexcept { return claim.reason(); }
};

detached waits(
    stop_claim &claim, std::atomic<int> &resumptions, wake_reason &reason,
    std::function<void()> before_suspending = [] {}) {
  const wake_reason result = co_await claimed_wait{claim, std::move(before_suspending)};
  reason = result;
  ++resumptions;
}

class a_claim : public testing::Test {
protected:
  stop_claim claim;
  std::atomic<int> resumptions{0};
  wake_reason reason = wake_reason::none;
};

TEST_F(a_claim, is_open_at_first) { EXPECT_EQ(claim.reason(), wake_reason::none); }

TEST_F(a_claim, lets_a_completion_resume) {
  waits(claim, resumptions, reason);
  EXPECT_EQ(resumptions, 0);
  const auto outcome = claim.complete();
  EXPECT_TRUE(outcome);
  EXPECT_EQ(resumptions, 0); // not before it is told to
  outcome.resume();
  EXPECT_EQ(resumptions, 1);
  EXPECT_EQ(reason, wake_reason::completed);
}

TEST_F(a_claim, lets_a_stop_resume) {
  waits(claim, resumptions, reason);
  claim.stop().resume();
  EXPECT_EQ(resumptions, 1);
  EXPECT_EQ(reason, wake_reason::stopped);
}

TEST_F(a_claim, gives_the_loser_nothing_to_resume) {
  waits(claim, resumptions, reason);
  const auto winner = claim.complete();
  const auto loser = claim.stop();
  EXPECT_TRUE(winner);
  EXPECT_FALSE(loser);
  EXPECT_FALSE(loser.coroutine());
  loser.resume();
  EXPECT_EQ(resumptions, 0);
  winner.resume();
  EXPECT_EQ(reason, wake_reason::completed);
  EXPECT_FALSE(claim.complete());
}

TEST_F(a_claim, does_not_lose_a_stop_that_comes_before_the_wait) {
  EXPECT_TRUE(claim.stop());
  waits(claim, resumptions, reason);
  EXPECT_EQ(resumptions, 1);
  EXPECT_EQ(reason, wake_reason::stopped);
}

TEST_F(a_claim, does_not_lose_a_completion_while_the_coroutine_is_about_to_suspend) {
  waits(claim, resumptions, reason, [&] {
    const auto outcome = claim.complete();
    EXPECT_TRUE(outcome);
    EXPECT_FALSE(outcome.coroutine()); // it has yet to suspend, and so it will not
    outcome.resume();
  });
  EXPECT_EQ(resumptions, 1);
  EXPECT_EQ(reason, wake_reason::completed);
}

TEST_F(a_claim, hands_the_coroutine_to_whoever_wants_to_resume_it_elsewhere) {
  waits(claim, resumptions, reason);
  const std::coroutine_handle<> coroutine = claim.stop().coroutine();
  ASSERT_TRUE(coroutine);
  std::jthread([=] { coroutine.resume(); });
  EXPECT_EQ(resumptions, 1);
}

TEST_F(a_claim, serves_another_wait_after_a_reset) {
  EXPECT_TRUE(claim.stop());
  claim.reset();
  EXPECT_EQ(claim.reason(), wake_reason::none);
  waits(claim, resumptions, reason);
  EXPECT_EQ(resumptions, 0);
  claim.complete().resume();
  EXPECT_EQ(reason, wake_reason::completed);
}

TEST_F(a_claim, resumes_once_when_completion_stop_and_wait_race) {
  constexpr int rounds = 2'000;
  std::optional<stop_claim> raced;
  std::atomic<int> winners{0};
  std::barrier meet(3);
  const auto races = [&](auto decide) {
    return [&, decide] {
      for (int round = 0; round < rounds; ++round) {
        meet.arrive_and_wait();
        decide();
        meet.arrive_and_wait();
      }
    };
  };
  const auto end = [&](auto outcome) {
    winners += static_cast<bool>(outcome);
    outcome.resume();
  };
  std::jthread completer(races([&] { end(raced->complete()); }));
  std::jthread stopper(races([&] { end(raced->stop()); }));
  for (int round = 0; round < rounds; ++round) {
    raced.emplace();
    resumptions = 0;
    winners = 0;
    meet.arrive_and_wait();
    waits(*raced, resumptions, reason);
    meet.arrive_and_wait();
    ASSERT_EQ(resumptions, 1) << "in round " << round;
    ASSERT_EQ(winners, 1) << "in round " << round;
    ASSERT_NE(reason, wake_reason::none);
  }
}

/// As the header shows: a guard's callback stops, the operation completes.
struct read_awaiter {
  cancel::stop_slot<cancel::stop_token> &slot;
  stop_claim &claim;
  struct stops {
    stop_claim &claim;
    void operator()() const { claim.stop().resume(); }
  };
  std::optional<cancel::stop_guard<stops>> guard = std::nullopt;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    guard.emplace(slot, stops{claim});
    return claim.suspend(coroutine);
  }
  wake_reason await_resume() {
    guard.reset();
    return claim.reason();
  }
};

detached reads(cancel::stop_token token, stop_claim &claim, wake_reason &reason) {
  cancel::stop_slot slot(std::move(token));
  reason = co_await read_awaiter{slot, claim};
}

TEST_F(a_claim, is_decided_by_a_guard) {
  const cancel::stop_source source;
  reads(source.get_token(), claim, reason);
  source.request_stop();
  EXPECT_EQ(reason, wake_reason::stopped);
  EXPECT_FALSE(claim.complete());
}

TEST_F(a_claim, is_decided_by_a_guard_that_runs_while_it_is_armed) {
  const cancel::stop_source source;
  source.request_stop();
  reads(source.get_token(), claim, reason);
  EXPECT_EQ(reason, wake_reason::stopped);
}

TEST_F(a_claim, is_decided_by_a_completion_before_the_guards_stop) {
  const cancel::stop_source source;
  reads(source.get_token(), claim, reason);
  claim.complete().resume();
  source.request_stop();
  EXPECT_EQ(reason, wake_reason::completed);
}

} // namespace
