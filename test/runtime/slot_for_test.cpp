// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// slot_for gives the slot that a coroutine further down has for the same stop state, or one of its
// own.
#include "coroutine.hpp"
#include "slot_identity.hpp"
#include "sources.hpp"

#include <cancel/slot_for.hpp>
#include <cancel/stoppable_token.hpp>
#include <cancel/task.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using cancel::stop_guard;
using cancel::task;
using cancel_test::detached;
using cancel_test::event;
using cancel_test::expect_different;
using cancel_test::expect_same;
using cancel_test::identity;

using reference = cancel::slot_reference<std::stop_token>;
static_assert(cancel::armable<reference>);
static_assert(!std::copy_constructible<reference> && !std::move_constructible<reference>);
// The form in one line would end a slot of its own before the body runs.
static_assert(std::constructible_from<stop_guard<void (*)()>, reference &, void (*)()>);
static_assert(!std::constructible_from<stop_guard<void (*)()>, reference, void (*)()>);
static_assert(!std::constructible_from<stop_guard<void (*)()>, const reference, void (*)()>);

/// Notes its slot, and arms on it until `wake`.
template <class Token>
task<> helps(const Token &token, event &wake, const void *&slot, std::vector<int> &ran) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  slot = identity(cancel_slot);
  stop_guard on_stop(cancel_slot, [&] { ran.push_back(1); });
  co_await wake;
}

/// Knows nothing of tokens.
template <class Token>
task<> passes_on(const Token &token, event &wake, const void *&slot, std::vector<int> &ran) {
  co_await helps(token, wake, slot, ran);
}

struct seen {
  const void *outer = nullptr, *inner = nullptr;
  std::vector<int> ran;
};

template <class Outer, class Inner>
task<> calls(Outer outer, Inner inner, event &wake, seen &noted) {
  auto &&cancel_slot = co_await cancel::slot_for(outer);
  noted.outer = identity(cancel_slot);
  stop_guard on_stop(cancel_slot, [&] { noted.ran.push_back(0); });
  for (int turn = 0; turn < 2; ++turn)
    co_await passes_on(inner, wake, noted.inner, noted.ran);
}

template <class Source>
class slot_for : public testing::Test {};
TYPED_TEST_SUITE(slot_for, cancel_test::every_source, cancel_test::source_names);

TYPED_TEST(slot_for, gives_the_slot_of_the_coroutine_below_for_an_equal_token) {
  TypeParam source;
  event wake;
  seen noted;
  const task<> whole = calls(source.get_token(), source.get_token(), wake, noted);
  whole.start();
  expect_same(noted.outer, noted.inner);
  wake.waiter.resume();
  expect_same(noted.outer, noted.inner);
  EXPECT_TRUE(source.request_stop());
  EXPECT_EQ(noted.ran.size(), 2u);
  wake.waiter.resume();
  EXPECT_TRUE(whole.done());
}

TYPED_TEST(slot_for, runs_the_newest_first_across_frames) {
  TypeParam source;
  event wake;
  seen noted;
  const task<> whole = calls(source.get_token(), source.get_token(), wake, noted);
  whole.start();
  source.request_stop();
  if constexpr (!cancel::use_legacy_stop_token) { // the order of std's callbacks is its own affair
    EXPECT_EQ(noted.ran, (std::vector{1, 0}));
  }
}

TYPED_TEST(slot_for, gives_a_slot_of_its_own_for_another_source) {
  TypeParam source, other;
  event wake;
  seen noted;
  const task<> whole = calls(source.get_token(), other.get_token(), wake, noted);
  whole.start();
  expect_different(noted.outer, noted.inner);
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{0}));
  other.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{0, 1}));
}

TYPED_TEST(slot_for, tells_tokens_of_different_types_apart) {
  TypeParam source;
  cancel::never_stop_token never;
  event wake;
  seen noted;
  const task<> whole = calls(never, source.get_token(), wake, noted);
  whole.start();
  expect_different(noted.outer, noted.inner);
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{1}));
}

template <class Token>
task<> in_the_middle(Token middle, Token outermost, event &wake, seen &noted) {
  auto &&cancel_slot = co_await cancel::slot_for(middle);
  stop_guard on_stop(cancel_slot, [&] { noted.ran.push_back(2); });
  co_await helps(outermost, wake, noted.inner, noted.ran);
}
template <class Token>
task<> outermost(Token own, Token other, event &wake, seen &noted) {
  auto &&cancel_slot = co_await cancel::slot_for(own);
  noted.outer = identity(cancel_slot);
  co_await in_the_middle(other, own, wake, noted);
}

TYPED_TEST(slot_for, finds_a_slot_below_one_of_another_source) {
  TypeParam source, other;
  event wake;
  seen noted;
  const task<> whole = outermost(source.get_token(), other.get_token(), wake, noted);
  whole.start();
  expect_same(noted.outer, noted.inner);
  other.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{2}));
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{2, 1}));
}

TYPED_TEST(slot_for, runs_at_once_what_is_armed_after_the_stop) {
  TypeParam source;
  event wake;
  seen noted;
  source.request_stop();
  const task<> whole = calls(source.get_token(), source.get_token(), wake, noted);
  whole.start();
  EXPECT_EQ(noted.ran, (std::vector{0, 1}));
}

template <class Token>
detached knows_nothing(Token token, event &wake, int &runs) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  EXPECT_FALSE(cancel_slot.stop_requested());
  EXPECT_EQ(cancel_slot.token(), token);
  stop_guard on_stop(cancel_slot, [&] { ++runs; });
  co_await wake;
}

TYPED_TEST(slot_for, makes_a_slot_in_a_promise_that_knows_nothing_of_it) {
  TypeParam source;
  event wake;
  int runs = 0;
  knows_nothing(source.get_token(), wake, runs);
  source.request_stop();
  EXPECT_EQ(runs, 1);
  wake.waiter.resume();
}

TYPED_TEST(slot_for, never_runs_what_is_armed_for_a_token_without_a_source) {
  cancel_test::token_of<TypeParam> nothing;
  event wake;
  seen noted;
  const task<> whole = calls(nothing, nothing, wake, noted);
  whole.start();
  wake.waiter.resume();
  wake.waiter.resume();
  EXPECT_TRUE(whole.done());
  EXPECT_TRUE(noted.ran.empty());
}

TYPED_TEST(slot_for, does_not_arm_on_the_slot_that_the_handle_stops) {
  TypeParam source;
  event wake;
  seen noted;
  const task<> whole = calls(source.get_token(), source.get_token(), wake, noted);
  whole.start();
  cancel::request_stop(whole.handle());
  EXPECT_TRUE(noted.ran.empty());
  source.request_stop();
  EXPECT_EQ(noted.ran.size(), 2u);
}

template <class Token>
task<> ends_its_slot_between(Token token, event &wake, seen &noted, std::vector<bool> &same) {
  for (int turn = 0; turn < 2; ++turn) {
    auto &&cancel_slot = co_await cancel::slot_for(token);
    noted.outer = identity(cancel_slot);
    co_await helps(token, wake, noted.inner, noted.ran);
    same.push_back(noted.outer == noted.inner);
  }
  co_await helps(token, wake, noted.inner, noted.ran);
}

TYPED_TEST(slot_for, does_not_give_a_slot_that_has_ended) {
  TypeParam source;
  event wake;
  seen noted;
  std::vector<bool> same;
  const task<> whole = ends_its_slot_between(source.get_token(), wake, noted, same);
  whole.start();
  wake.waiter.resume();
  wake.waiter.resume();
  EXPECT_EQ(same, (std::vector{true, true}));
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{1}));
  wake.waiter.resume();
  EXPECT_TRUE(whole.done());
}

/// The task began before the slots did.
template <class Token>
task<> has_several(Token a, Token b, event &wake, seen &noted) {
  const task<> older = helps(a, wake, noted.inner, noted.ran);
  auto &&first = co_await cancel::slot_for(a);
  noted.outer = identity(first);
  {
    auto &&second = co_await cancel::slot_for(b);
    expect_different(identity(first), identity(second));
    auto &&third = co_await cancel::slot_for(a);
    expect_same(identity(first), identity(third));
  }
  co_await older;
}

TYPED_TEST(slot_for, serves_several_tokens_in_one_frame) {
  TypeParam a, b;
  event wake;
  seen noted;
  const task<> whole = has_several(a.get_token(), b.get_token(), wake, noted);
  whole.start();
  expect_same(noted.outer, noted.inner);
  a.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{1}));
}

/// The task is older than the slot that its guard is armed on: the slot ends first.
template <class Token>
task<> awaits_an_older_task(Token token, event &wake, seen &noted) {
  const task<> older = helps(token, wake, noted.inner, noted.ran);
  auto &&cancel_slot = co_await cancel::slot_for(token);
  noted.outer = identity(cancel_slot);
  co_await older;
}

TYPED_TEST(slot_for, may_end_before_the_guards_of_a_task_that_is_older) {
  TypeParam source;
  event wake;
  seen noted;
  {
    const task<> whole = awaits_an_older_task(source.get_token(), wake, noted);
    whole.start();
    expect_same(noted.outer, noted.inner);
  }
  source.request_stop();
  EXPECT_TRUE(noted.ran.empty());
}

TYPED_TEST(slot_for, may_end_before_guards_that_have_run) {
  TypeParam source;
  event wake;
  seen noted;
  const task<> whole = awaits_an_older_task(source.get_token(), wake, noted);
  whole.start();
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{1}));
}

/// What slot_for gives, in memory of its own, so that AddressSanitizer sees who touches it later.
template <class Token>
struct slot_on_the_heap {
  cancel::slot_for_awaiter<Token, const Token &> request;

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    return request.await_suspend(coroutine);
  }
  auto await_resume() {
    using slot = cancel::slot_reference<Token>;
    return std::unique_ptr<slot>(new slot(request.await_resume()));
  }
};
template <class Token>
task<> awaits_an_older_task_above_the_heap(Token token, event &wake, seen &noted) {
  const task<> older = helps(token, wake, noted.inner, noted.ran);
  const auto cancel_slot = co_await slot_on_the_heap<Token>{
      cancel::slot_for_awaiter<Token, const Token &>(std::as_const(token))};
  noted.outer = identity(*cancel_slot);
  co_await older;
}

TYPED_TEST(slot_for, is_not_touched_any_more_by_the_guards_that_it_ends_before) {
  for (const bool stopped : {false, true}) {
    TypeParam source;
    event wake;
    seen noted;
    {
      const task<> whole = awaits_an_older_task_above_the_heap(source.get_token(), wake, noted);
      whole.start();
      expect_same(noted.outer, noted.inner);
      if (stopped)
        source.request_stop();
    }
    EXPECT_EQ(noted.ran.size(), stopped ? 1u : 0u);
  }
}

template <class Token>
task<> destroys_all_when_stopped(Token token, event &wake, std::optional<task<>> &whole) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  stop_guard on_stop(cancel_slot, [&] { whole.reset(); });
  co_await wake;
}
template <class Token>
task<> awaits_its_destroyer(Token token, event &wake, std::optional<task<>> &whole, seen &noted) {
  const task<> older = destroys_all_when_stopped(token, wake, whole);
  auto &&cancel_slot = co_await cancel::slot_for(token);
  stop_guard on_stop(cancel_slot, [&] { noted.ran.push_back(0); });
  co_await older;
}

TYPED_TEST(slot_for, may_end_with_its_stack_in_a_callback_of_a_helper) {
  TypeParam source;
  event wake;
  seen noted;
  std::optional<task<>> whole;
  whole.emplace(awaits_its_destroyer(source.get_token(), wake, whole, noted));
  whole->start();
  source.request_stop();
  EXPECT_FALSE(whole);
  EXPECT_LE(noted.ran.size(), 1u);
}

template <class Token>
task<> resumes_when_stopped(const Token &token, event &wake) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  stop_guard on_stop(cancel_slot, [&] { wake.waiter.resume(); });
  co_await wake;
}
template <class Token>
task<> is_resumed(Token token, event &wake, int &turns) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  stop_guard on_stop(cancel_slot, [&] { turns += 10; });
  while (!token.stop_requested()) {
    co_await resumes_when_stopped(token, wake);
    ++turns;
  }
}

TYPED_TEST(slot_for, lets_a_callback_resume_the_whole_stack_to_its_end) {
  TypeParam source;
  event wake;
  int turns = 0;
  const task<> whole = is_resumed(source.get_token(), wake, turns);
  whole.start();
  wake.waiter.resume();
  source.request_stop();
  EXPECT_TRUE(whole.done());
  EXPECT_EQ(turns % 10, 2);
}

/// A helper whose guard stays armed when the next one arms.
template <class Token>
task<> overlaps(Token token, event &wake, seen &noted) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  auto first = std::make_unique<std::optional<stop_guard<void (*)()>>>();
  first->emplace(cancel_slot, [] { ADD_FAILURE(); });
  stop_guard second(cancel_slot, [&] { noted.ran.push_back(2); });
  first->reset();
  co_await wake;
}

TYPED_TEST(slot_for, lets_guards_end_in_any_order) {
  TypeParam source;
  event wake;
  seen noted;
  const task<> whole = overlaps(source.get_token(), wake, noted);
  whole.start();
  source.request_stop();
  EXPECT_EQ(noted.ran, (std::vector{2}));
}

/// Has a std::stop_token to give, and is none.
struct wrapper {
  std::stop_token token;
  operator std::stop_token() const noexcept { return token; }
};
task<> uses_a_wrapper(wrapper wrapped, int &runs, event &wake) {
  auto &&cancel_slot = co_await cancel::slot_for(wrapped);
  stop_guard on_stop(cancel_slot, [&] { ++runs; });
  co_await wake;
}

TEST(slot_for_a_type, that_converts_to_std_stop_token_takes_that_token) {
  std::stop_source source;
  event wake;
  int runs = 0;
  const task<> whole = uses_a_wrapper({source.get_token()}, runs, wake);
  whole.start();
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

} // namespace
