// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random trees of tasks that find their slots with slot_for, against a thread that stops their
// sources: with exceptions, with branches, resumed by the stop to their end, or destroyed while
// they are suspended. For the sanitizers too.
//
// Usage: stress_tree [ROUNDS [SCENARIO...]]. A lost stop hangs, until the test times out.
#include "branch_race.hpp"
#include "coroutine.hpp"
#include "stress.hpp"

#include <cancel/cancel.hpp>

#include <atomic>
#include <coroutine>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>
#include <utility>

namespace {

using cancel::stop_guard;
using cancel::task;
using cancel_test::event;
using cancel_test::fail;

struct failure {};

/// From when `done` is true, anybody may destroy the coroutine.
struct suspends {
  std::atomic<bool> &done;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {
    done.store(true, std::memory_order_release);
  }
  void await_resume() const noexcept {}
};

/// What the tasks of one tree share. Only the flow of control of the tree uses it.
template <class Source>
struct tree {
  using token = decltype(std::declval<const Source &>().get_token());

  /// Plain data on purpose: the guard is what orders it.
  struct record {
    int runs = 0;
  };

  token tokens[2];
  std::minstd_rand random;
  long round;
  event parked;  ///< only this thread resumes or destroys what waits for it
  int left = 40; ///< tasks that may still be started

  bool chance(unsigned of) { return random() % of == 0; }
};

template <class Source>
task<int> grows(tree<Source> &in, int depth) {
  const auto &token = in.tokens[in.chance(4)]; // mostly one source, sometimes the other
  std::optional<task<int>> older;              // a slot of this frame ends before it
  if (in.chance(4) && in.left > 0)
    older.emplace(grows(in, depth + 1));
  typename tree<Source>::record seen;
  int sum = 1;
  {
    auto &&cancel_slot = co_await cancel::slot_for(token);
    auto early = std::make_unique<std::optional<stop_guard<void (*)()>>>();
    if (in.chance(4))
      early->emplace(cancel_slot, [] {});
    stop_guard on_stop(cancel_slot, [&seen] { ++seen.runs; });
    early.reset(); // out of order
    for (unsigned turns = in.random() % 3; turns && depth < 6 && in.left > 0; --turns) {
      --in.left;
#ifdef __cpp_exceptions
      try {
        sum += co_await grows(in, depth + 1);
      } catch (const failure &) {
        ++sum;
      }
#else
      sum += co_await grows(in, depth + 1);
#endif
    }
    if (older)
      sum += co_await *older;
    if (in.chance(3))
      co_await in.parked;
  }
  if (seen.runs > 1)
    fail("a callback ran twice", in.round);
#ifdef __cpp_exceptions
  if (depth > 0 && in.chance(8))
    throw failure();
#endif
  co_return sum;
}

template <class Source>
task<int> roots(tree<Source> &in) {
  auto &&cancel_slot = co_await cancel::slot_for(in.tokens[0]);
  stop_guard on_stop(cancel_slot, [] {});
  int sum = 0;
#ifdef __cpp_exceptions
  try {
    for (int i = 0; i < 3; ++i)
      sum += co_await grows(in, 1);
  } catch (const failure &) {
  }
#else
  sum += co_await grows(in, 1);
#endif
  co_return sum;
}

/// Grows a tree, and destroys it after a random number of resumptions.
template <class Source>
class tree_race {
public:
  explicit tree_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    tree<Source> in{{first_.get_token(), second_.get_token()},
                    std::minstd_rand(static_cast<unsigned>(random())),
                    round_,
                    {}};
    task<int> whole = roots(in);
    whole.start();
    for (unsigned resumptions = in.random() % 20; resumptions && !whole.done(); --resumptions)
      in.parked.waiter.resume();
  }
  void other(std::minstd_rand &random) {
    first_.request_stop();
    cancel_test::wait_a_little(random);
    second_.request_stop();
  }
  void check() {}

private:
  long round_;
  Source first_, second_;
};

/// A stack of tasks of which the top one waits for the stop, which resumes it.
template <class Source>
class resumed_race {
public:
  using token = decltype(std::declval<const Source &>().get_token());

  explicit resumed_race(long round) : round_(round) {}
  void owner(std::minstd_rand &random) {
    const task<> whole = ends(random() % 5, random());
    whole.start();
    while (!ended_.load(std::memory_order_acquire))
      std::this_thread::yield();
  }
  void other(std::minstd_rand &) { source_.request_stop(); }
  void check() {
    if (reached_ != 1)
      fail("the stack went on more than once", round_);
  }

private:
  task<> ends(unsigned depth, unsigned how) {
    const token st = source_.get_token();
    co_await waits(st, depth, how);
    ++reached_;
    co_await suspends{ended_};
  }
  task<> waits(const token &st, unsigned depth, unsigned how) {
    auto &&cancel_slot = co_await cancel::slot_for(st);
    int runs = 0;
    {
      stop_guard on_stop(cancel_slot, [&runs] { ++runs; });
      if (depth > 0) {
        co_await waits(st, depth - 1, how);
      } else if (how % 3 == 0) {
        co_await cancel::until_stopped(st);
      } else if (how % 3 == 1) {
        cancel::poll_event never;
        const cancel::wake_reason reason = co_await never.wait(st);
        if (reason != cancel::wake_reason::stopped)
          fail("an event that never happened", round_);
      } else {
        co_await cancel::when_any(
            st, [](cancel::inplace_stop_token own) { return until(own); },
            [](cancel::inplace_stop_token own) { return until(own); });
      }
    }
    if (runs > 1)
      fail("a callback ran twice", round_);
  }
  static task<> until(cancel::inplace_stop_token st) { co_await cancel::until_stopped(st); }

  long round_;
  Source source_;
  int reached_ = 0;
  std::atomic<bool> ended_{false};
};

/// An event against the stop, in all waits that tell them apart.
class event_race {
public:
  explicit event_race(long round) : round_(round) {}
  void owner(std::minstd_rand &) {
    const task<> whole = waits(source_.get_token());
    whole.start();
    wanted_.set();
    while (!ended_.load(std::memory_order_acquire))
      std::this_thread::yield();
  }
  void other(std::minstd_rand &) { source_.request_stop(); }
  void check() {
    if (wanted_.poll() != (reason_ == cancel::wake_reason::stopped))
      fail("an event was lost or seen twice", round_);
  }

private:
  task<> waits(cancel::inplace_stop_token st) {
    reason_ = co_await wanted_.wait(st);
    co_await suspends{ended_};
  }

  long round_;
  cancel::inplace_stop_source source_;
  cancel::poll_event wanted_;
  cancel::wake_reason reason_ = cancel::wake_reason::none;
  std::atomic<bool> ended_{false};
};

using cancel_test::run;

constexpr cancel_test::race_scenario scenarios[] = {
    {"tree.std", run<tree_race<std::stop_source>>},
    {"tree.shared", run<tree_race<cancel::stop_source>>},
    {"tree.inplace", run<tree_race<cancel::inplace_stop_source>>},
    {"resumed.std", run<resumed_race<std::stop_source>>},
    {"resumed.shared", run<resumed_race<cancel::stop_source>>},
    {"resumed.inplace", run<resumed_race<cancel::inplace_stop_source>>},
    {"branches.std", run<cancel_test::branch_race<std::stop_source>>},
    {"branches.shared", run<cancel_test::branch_race<cancel::stop_source>>},
    {"branches.inplace", run<cancel_test::branch_race<cancel::inplace_stop_source>>},
    {"event", run<event_race>},
};

} // namespace

int main(int argc, char **argv) { cancel_test::run_scenarios(argc, argv, scenarios); }
