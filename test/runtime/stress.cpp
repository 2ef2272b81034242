// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many short races on real threads, each of the shape in which a missing order shows: one side
// writes and then looks, the other side writes and then looks. For the sanitizers too.
//
// Usage: stress [ROUNDS [SCENARIO...]]. A lost stop hangs, until the test times out.
#include "stress.hpp"
#include "coroutine.hpp"

#include <cancel/cancel.hpp>

#include <atomic>
#include <coroutine>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>

namespace {

using cancel::stop_guard;
using cancel::stop_policy;
using cancel_test::fail;
using cancel_test::run;
using cancel_test::wait_a_little;

constexpr stop_policy policies[] = {stop_policy::adaptive, stop_policy::shared,
                                    stop_policy::asymmetric};

/// Plain data on purpose: the guard's constructor and destructor are what orders the accesses.
struct record {
  int runs = 0;
  void operator()() { ++runs; }
};

/// Awaits a random number of times, sometimes below an outer guard, sometimes out of order, and
/// then until the stop.
template <class Slot>
void awaits(Slot &slot, std::minstd_rand &random, long round) {
  using guard = stop_guard<record &>;
  record outer_record;
  std::optional<guard> outer;
  if (random() % 2)
    outer.emplace(slot, outer_record);
  for (unsigned awaits = random() % 40; awaits; --awaits) {
    record seen;
    {
      guard inner(slot, seen);
      if (outer && random() % 16 == 0) {
        outer.reset();
        if (outer_record.runs > 1)
          fail("an outer callback ran twice", round);
      }
    }
    if (seen.runs > 1)
      fail("a callback ran twice", round);
  }
  std::atomic<int> woken{0};
  {
    stop_guard parked(slot, [&] { woken.fetch_add(1, std::memory_order_release); });
    while (woken.load(std::memory_order_acquire) == 0)
      std::this_thread::yield();
  }
  if (woken.load(std::memory_order_relaxed) != 1)
    fail("the parked callback ran twice", round);
}

template <class Slot>
void turn(Slot &slot) {
  for (int i = 0; i < 6'000; ++i)
    stop_guard guard(slot, [] {});
}

/// A slot against the stop of its source.
template <class Source>
class slot_race {
public:
  explicit slot_race(long round) : round_(round) {
    slot_.emplace(source_.get_token(), policies[round % 3]);
    if (round % 12 == 0)
      turn(*slot_);
  }
  void owner(std::minstd_rand &random) {
    awaits(*slot_, random, round_);
    slot_.reset();
  }
  void other(std::minstd_rand &) {
    if (!source_.request_stop())
      fail("somebody else stopped", round_);
  }
  void check() {}

private:
  long round_;
  Source source_;
  std::optional<cancel::stop_slot<decltype(source_.get_token())>> slot_;
};

/// Slots and callbacks that come and go against the stop: each one that is there at the end, and
/// each one that comes afterwards, runs once.
template <class Source>
class registration_race {
public:
  explicit registration_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    const auto token = source_.get_token();
    for (bool stopped = false; !stopped;) {
      stopped = token.stop_requested();
      record first, second, third;
      {
        cancel::stop_callback_for_t<decltype(source_.get_token()), record &> a(token, first);
        cancel::stop_slot slot(token, policies[random() % 3]);
        stop_guard<record &> b(slot, second);
        cancel::stop_callback_for_t<decltype(source_.get_token()), record &> c(token, third);
      }
      for (const record &seen : {first, second, third})
        if (seen.runs > 1 || (stopped && seen.runs != 1))
          fail("a callback ran twice, or not after the stop", round_);
    }
  }
  void other(std::minstd_rand &) { source_.request_stop(); }
  void check() {}

private:
  long round_;
  Source source_;
};

/// A coroutine that its handle stops, on one thread, while it awaits and ends on another one.
class frame_race {
public:
  explicit frame_race(long round)
      : round_(round), frame_(body(policies[round % 3], *this).handle) {}
  void owner(std::minstd_rand &random) {
    random_ = &random;
    start_.waiter.resume(); // to its end
  }
  void other(std::minstd_rand &) { cancel::request_stop(frame_); }
  void check() {
    if (!ended_)
      fail("the coroutine did not end", round_);
  }

private:
  static cancel_test::session body(stop_policy, frame_race &race) {
    cancel::stop_frame &frame = co_await cancel::this_stop_frame();
    co_await race.start_;
    awaits(frame, *race.random_, race.round_);
    race.ended_ = true;
  }

  long round_;
  bool ended_ = false;
  cancel_test::event start_;
  std::minstd_rand *random_ = nullptr;
  std::coroutine_handle<cancel_test::session::promise_type> frame_;
};

/// A claim that one thread completes and suspends on while another one stops it.
class claim_race {
public:
  explicit claim_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    body(*this);
    wait_a_little(random);
    claim_.complete().resume();
  }
  void other(std::minstd_rand &) { claim_.stop().resume(); }
  void check() {
    if (resumptions_ != 1 || (result_ != 1 && result_ != 2))
      fail("the coroutine was not resumed once", round_);
  }

private:
  struct awaiter {
    cancel::stop_claim &claim;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> coroutine) const noexcept {
      return claim.suspend(coroutine);
    }
    cancel::wake_reason await_resume() const noexcept { return claim.reason(); }
  };
  static cancel_test::detached body(claim_race &race) {
    const auto reason = co_await awaiter{race.claim_};
    race.result_ = static_cast<int>(reason);
    ++race.resumptions_;
  }

  long round_;
  cancel::stop_claim claim_;
  int result_ = 0; // plain, like the next one: only the winner resumes
  int resumptions_ = 0;
};

/// Coroutines that wait, again and again, against notifications and two stops.
class wait_list_race {
public:
  explicit wait_list_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    for (unsigned i = random() % 12; i; --i) {
      ++begun_;
      body(*this);
      if (random() % 2)
        waiters_.notify_one();
    }
    waiters_.request_stop();
  }
  void other(std::minstd_rand &random) {
    for (unsigned i = random() % 4; i; --i)
      waiters_.notify_all();
    waiters_.request_stop();
  }
  void check() {
    if (begun_ != ended_)
      fail("not every coroutine ended", round_);
  }

private:
  static cancel_test::detached body(wait_list_race &race) {
    for (bool stopped = false; !stopped;) {
      const auto reason = co_await race.waiters_.wait();
      stopped = reason == cancel::wake_reason::stopped;
    }
    ++race.ended_;
  }

  long round_;
  cancel::wait_list waiters_;
  int begun_ = 0;
  std::atomic<int> ended_{0};
};

/// A slot of this thread against a stop that the other one posts.
class queue_race {
public:
  explicit queue_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    auto wake = [this]() noexcept { wakes_.fetch_add(1, std::memory_order_release); };
    cancel::local_stop_queue queue(wake);
    cancel::stop_slot slot(source_.get_token(), queue);
    for (unsigned i = random() % 40; i; --i)
      stop_guard guard(slot, [] {});
    record parked;
    stop_guard<record &> guard(slot, parked);
    while (parked.runs == 0)
      queue.run();
    if (parked.runs != 1)
      fail("the parked callback ran twice", round_);
  }
  void other(std::minstd_rand &) { source_.request_stop(); }
  void check() {}

private:
  long round_;
  cancel::inplace_stop_source source_;
  std::atomic<int> wakes_{0};
};

constexpr cancel_test::race_scenario scenarios[] = {
    {"slot.std", run<slot_race<std::stop_source>>},
    {"slot.shared", run<slot_race<cancel::stop_source>>},
    {"slot.inplace", run<slot_race<cancel::inplace_stop_source>>},
    {"slot.sharded", run<slot_race<cancel::sharded_stop_source<4>>>},
    {"registration.shared", run<registration_race<cancel::stop_source>>},
    {"registration.inplace", run<registration_race<cancel::inplace_stop_source>>},
    {"registration.sharded", run<registration_race<cancel::sharded_stop_source<4>>>},
    {"frame", run<frame_race>},
    {"claim", run<claim_race>},
    {"wait_list", run<wait_list_race>},
    {"queue", run<queue_race>},
};

} // namespace

int main(int argc, char **argv) { cancel_test::run_scenarios(argc, argv, scenarios); }
