// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random trees whose tasks branch with when_all, when_any and stop_or, on two threads that both go
// on with them and stop them; then, with both threads at rest, the rest ends or is destroyed.
#ifndef CANCEL_TEST_RUNTIME_BRANCH_RACE_HPP
#define CANCEL_TEST_RUNTIME_BRANCH_RACE_HPP

#include "stress.hpp"

#include <cancel/cancel.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace cancel_test {

template <class Source>
class branch_race {
public:
  explicit branch_race(long round) : round_(round), random_(static_cast<unsigned>(round) + 1) {}

  void owner(std::minstd_rand &random) {
    whole_.emplace(child_of_a_source(random, 0));
    whole_->start();
    goes_on(second_, random);
  }
  void other(std::minstd_rand &random) { goes_on(first_, random); }
  void check() {
    if (random_() % 2)
      whole_.reset(); // what stop_or has left behind goes on
    first_.request_stop();
    second_.request_stop();
    while (happens(random_)) {
    }
    if (whole_ && !whole_->done())
      fail("the tree did not end", round_);
    whole_.reset();
    if (tasks_ != 0)
      fail("a task neither ended nor was destroyed", round_);
  }

private:
  struct failure {};

  /// Plain data on purpose: the guard is what orders it.
  struct record {
    int runs = 0;
  };

  /// Counts the tasks that have started and whose frames exist.
  class presence {
  public:
    explicit presence(std::atomic<int> &count) : count_(count) { ++count_; }
    presence(const presence &) = delete;
    presence &operator=(const presence &) = delete;
    ~presence() { --count_; }

  private:
    std::atomic<int> &count_;
  };

  template <class Token>
  cancel::task<int> grows(Token st, std::minstd_rand random, int depth) {
    const presence here(tasks_);
    record seen;
    bool precedes = false;
    int sum = 1;
    {
      auto &&cancel_slot = co_await cancel::slot_for(st);
      precedes = st.stop_requested();
      cancel::stop_guard on_stop(cancel_slot, [&seen] { ++seen.runs; });
      try {
        for (unsigned turns = 1 + random() % 3; turns; --turns)
          sum += co_await turn(st, random, depth);
      } catch (const failure &) {
        if (random() % 4 == 0)
          throw;
      }
    }
    if (seen.runs > 1 || (precedes && seen.runs == 0))
      fail("a callback ran twice, or not after the stop", round_);
    if (random() % 10 == 0)
      throw failure();
    co_return sum;
  }

  template <class Token>
  cancel::task<int> turn(const Token &st, std::minstd_rand &random, int depth) {
    const bool ends = depth >= 5 || left_.fetch_sub(1) <= 0;
    switch (random() % (ends ? 3 : 10)) {
    case 0:
      if (co_await soon()->wait(cancel::never_stop_token()) != cancel::wake_reason::completed)
        fail("a wait ended by itself", round_);
      co_return 0;
    case 1:
      if (co_await soon()->wait(st) == cancel::wake_reason::stopped)
        expect_stop(st);
      co_return 0;
    case 2:
      co_await cancel::until_stopped(st);
      expect_stop(st);
      co_return 0;
    case 3: {
      const std::optional<int> sum = co_await cancel::stop_or(child_of_a_source(random, depth), st);
      if (!sum)
        expect_stop(st);
      co_return sum.value_or(0);
    }
    case 4:
    case 5:
    case 6: {
      const auto [a, b] =
          co_await cancel::when_all(child(st, random, depth), child(st, random, depth));
      co_return a + b;
    }
    case 7:
    case 8: {
      const auto first = co_await cancel::when_any(
          st, [&](cancel::inplace_stop_token own) { return child(own, random, depth); },
          [&](cancel::inplace_stop_token own) { return child(own, random, depth); });
      co_return std::visit([](int sum) { return sum; }, first);
    }
    default:
      co_return co_await child(st, random, depth);
    }
  }

  template <class Token>
  cancel::task<int> child(const Token &st, std::minstd_rand &random, int depth) {
    if (random() % 4 == 0)
      return child_of_a_source(random, depth);
    return grows(st, another(random), depth + 1);
  }
  /// For those who may be left behind: these tokens live on.
  cancel::task<int> child_of_a_source(std::minstd_rand &random, int depth) {
    const Source &source = random() % 4 == 0 ? second_ : first_;
    return grows(source.get_token(), another(random), depth + 1);
  }

  /// Not seeded with a number of the same sequence, which both would go on with.
  static std::minstd_rand another(std::minstd_rand &random) {
    return std::minstd_rand(static_cast<unsigned>(random()) ^ 0x55555555U);
  }

  template <class Token>
  void expect_stop(const Token &st) const {
    if (!st.stop_requested())
      fail("a stop that nobody requested", round_);
  }

  /// An event that one of the threads will set.
  std::shared_ptr<cancel::poll_event> soon() {
    auto event = std::make_shared<cancel::poll_event>();
    const std::scoped_lock lock(mutex_);
    events_.push_back(event);
    return event;
  }
  /// Lets one of the events happen, whether or not somebody still waits for it.
  bool happens(std::minstd_rand &random) {
    std::shared_ptr<cancel::poll_event> event;
    {
      const std::scoped_lock lock(mutex_);
      if (events_.empty())
        return false;
      std::swap(events_[random() % events_.size()], events_.back());
      event = std::move(events_.back());
      events_.pop_back();
    }
    event->set();
    return true;
  }
  void goes_on(Source &source, std::minstd_rand &random) {
    const unsigned stop_at = random() % 20;
    for (unsigned turns = random() % 20; turns; --turns) {
      if (turns == stop_at)
        source.request_stop();
      else if (!happens(random))
        std::this_thread::yield();
    }
  }

  long round_;
  std::minstd_rand random_;
  Source first_, second_;
  std::atomic<int> tasks_{0};
  std::atomic<int> left_{40}; ///< turns that may still branch
  std::mutex mutex_;
  std::vector<std::shared_ptr<cancel::poll_event>> events_; ///< under the mutex
  std::optional<cancel::task<int>> whole_;                  ///< ends first
};

} // namespace cancel_test

#endif
