// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task starts when it is awaited, and gives what its coroutine gave.
#include "coroutine.hpp"

#include <cancel/task.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using cancel::task;
using cancel_test::event;

static_assert(!std::copy_constructible<task<>> && std::movable<task<>>);
static_assert(std::derived_from<task<int>::promise_type, cancel::stop_frame>);

/// Runs a task that never suspends for long.
template <class T>
T finish(task<T> whole) {
  whole.start();
  EXPECT_TRUE(whole.done());
  return whole.result();
}

task<> notes_its_start(bool &started) {
  started = true;
  co_return;
}

TEST(a_task, does_nothing_before_it_is_started) {
  bool started = false;
  {
    const task<> never = notes_its_start(started);
  }
  EXPECT_FALSE(started);
  finish(notes_its_start(started));
  EXPECT_TRUE(started);
}

task<std::unique_ptr<int>> makes(int value) { co_return std::make_unique<int>(value); }
task<int> adds(int a, int b) {
  const std::unique_ptr<int> first = co_await makes(a);
  const std::unique_ptr<int> second = co_await makes(b);
  co_return *first + *second;
}

TEST(a_task, gives_its_value_to_the_coroutine_that_awaits_it) { EXPECT_EQ(finish(adds(1, 2)), 3); }

task<std::string &> passes_on(std::string &text) { co_return text; }
task<> appends(std::string &text) { (co_await passes_on(text)) += "!"; }

TEST(a_task, gives_a_reference_as_a_reference) {
  std::string text = "stop";
  finish(appends(text));
  EXPECT_EQ(text, "stop!");
}

task<std::string> converts() { co_return "text"; }

TEST(a_task, converts_what_is_returned) { EXPECT_EQ(finish(converts()), "text"); }

task<> waits(event &wake, std::shared_ptr<int>) { co_await wake; }
task<> calls(event &wake, std::shared_ptr<int> held) { co_await waits(wake, held); }

TEST(a_task, goes_on_with_its_parent_where_it_completes) {
  event wake;
  const task<> whole = calls(wake, nullptr);
  whole.start();
  EXPECT_FALSE(whole.done());
  wake.waiter.resume();
  EXPECT_TRUE(whole.done());
}

TEST(a_task, destroys_everything_that_it_awaits) {
  event wake;
  const auto held = std::make_shared<int>();
  {
    const task<> whole = calls(wake, held);
    whole.start();
    EXPECT_GT(held.use_count(), 1);
  }
  EXPECT_EQ(held.use_count(), 1);
}

task<> may_be_awaited_again(int &runs) {
  ++runs;
  co_return;
}
task<> awaits_twice(int &runs) {
  const task<> once = may_be_awaited_again(runs);
  co_await once;
  co_await once;
}

TEST(a_task, runs_once_however_often_it_is_awaited) {
  int runs = 0;
  finish(awaits_twice(runs));
  EXPECT_EQ(runs, 1);
}

TEST(a_task, ends_what_it_is_assigned_over) {
  event wake;
  const auto held = std::make_shared<int>();
  task<> whole = calls(wake, held);
  whole.start();
  whole = calls(wake, nullptr);
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(whole.done());
}

task<int> counts_down(int left) {
  if (left == 0)
    co_return 0;
  co_return co_await counts_down(left - 1) + 1;
}

#ifdef __OPTIMIZE__ // without it compilers make no tail calls
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
task<> awaits_in_a_loop(long &turns) {
  for (; turns < 1'000'000; ++turns)
    co_await notes_its_start(*std::make_unique<bool>());
}

TEST(a_task, does_not_grow_the_stack_in_a_loop) {
  long turns = 0;
  finish(awaits_in_a_loop(turns));
  EXPECT_EQ(turns, 1'000'000);
}
#endif
#endif

TEST(a_task, may_call_itself) { EXPECT_EQ(finish(counts_down(1'000)), 1'000); }

#ifdef __cpp_exceptions
task<int> throws() {
  throw std::runtime_error("lost");
  co_return 1;
}
task<std::string> catches() {
  try {
    co_await throws();
  } catch (const std::runtime_error &error) {
    co_return error.what();
  }
  co_return "";
}

TEST(a_task, throws_what_its_coroutine_threw) {
  EXPECT_EQ(finish(catches()), "lost");
  EXPECT_THROW(finish(throws()), std::runtime_error);
}
#endif

task<> arms_on_its_frame(event &wake, int &stops) {
  cancel::stop_frame &frame = co_await cancel::this_stop_frame();
  cancel::stop_guard on_stop(frame, [&] { ++stops; });
  co_await wake;
}

TEST(a_task, is_stopped_through_its_handle) {
  event wake;
  int stops = 0;
  const task<> whole = arms_on_its_frame(wake, stops);
  whole.start();
  EXPECT_TRUE(cancel::request_stop(whole.handle()));
  EXPECT_EQ(stops, 1);
}

} // namespace
