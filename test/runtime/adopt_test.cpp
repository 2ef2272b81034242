// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task type of one's own hands slots down with one line; what must not be handed down is not.
#include "coroutine.hpp"
#include "slot_identity.hpp"

#include <cancel/slot_for.hpp>
#include <cancel/task.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>

namespace {

using cancel::stop_guard;
using cancel::task;
using cancel_test::event;
using cancel_test::expect_different;
using cancel_test::expect_same;
using cancel_test::identity;

/// The usual task of a code base, made to hand slots down.
struct own_task {
  struct promise_type : cancel::stop_frame { // the base
    std::coroutine_handle<> continuation = std::noop_coroutine();

    own_task get_return_object() {
      return own_task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct awaiter {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
          return h.promise().continuation;
        }
        void await_resume() noexcept {}
      };
      return awaiter{};
    }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };

  explicit own_task(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  own_task(own_task &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~own_task() {
    if (handle)
      handle.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) noexcept {
    handle.promise().adopt(parent); // the line
    handle.promise().continuation = parent;
    return handle;
  }
  void await_resume() const noexcept {}

  std::coroutine_handle<promise_type> handle;
};

/// Gives values to whoever calls next(), and may await in between.
struct generator {
  struct promise_type : cancel::stop_frame {
    std::coroutine_handle<> consumer = std::noop_coroutine();

    struct hand_over {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
        return h.promise().consumer;
      }
      void await_resume() noexcept {}
    };

    generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    hand_over final_suspend() noexcept { return {}; }
    hand_over yield_value(int) noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };

  struct next_awaiter {
    std::coroutine_handle<promise_type> values;
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> consumer) noexcept {
      values.promise().adopt(consumer); // in error: slot_for must not believe it
      values.promise().consumer = consumer;
      return values;
    }
    void await_resume() noexcept {}
  };

  ~generator() { handle.destroy(); }
  next_awaiter next() const noexcept { return {handle}; }

  std::coroutine_handle<promise_type> handle;
};

static_assert(cancel::detail::is_generator_promise<generator::promise_type>);
static_assert(!cancel::detail::is_generator_promise<own_task::promise_type>);
static_assert(!cancel::detail::is_generator_promise<task<int>::promise_type>);

struct overloaded_generator {
  void yield_value(int);
  template <class T>
  void yield_value(T *);
};
struct final_generator final {
  void yield_value(int);
};
static_assert(cancel::detail::is_generator_promise<overloaded_generator>);
static_assert(cancel::detail::is_generator_promise<final_generator>);

template <class Task>
Task helps(const std::stop_token &token, const void *&slot) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  slot = identity(cancel_slot);
  stop_guard on_stop(cancel_slot, [] { ADD_FAILURE(); });
}

template <class Outer, class Inner>
Outer calls(std::stop_token token, const void *&outer, const void *&inner) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  outer = identity(cancel_slot);
  co_await helps<Inner>(token, inner);
}

TEST(an_own_task_type, hands_its_slot_to_tasks_of_any_type) {
  std::stop_source source;
  const void *outer = nullptr, *inner = nullptr;
  const own_task same = calls<own_task, own_task>(source.get_token(), outer, inner);
  same.handle.resume();
  EXPECT_EQ(outer, inner);
  const own_task other = calls<own_task, task<>>(source.get_token(), outer, inner);
  other.handle.resume();
  EXPECT_EQ(outer, inner);
  const task<> reverse = calls<task<>, own_task>(source.get_token(), outer, inner);
  reverse.start();
  EXPECT_EQ(outer, inner);
}

cancel_test::detached awaits(own_task child) { co_await child; }

TEST(an_own_task_type, may_be_awaited_by_a_promise_that_has_no_slots) {
  std::stop_source source;
  const void *outer = nullptr, *inner = nullptr;
  awaits(calls<own_task, own_task>(source.get_token(), outer, inner));
  EXPECT_EQ(outer, inner);
}

TEST(an_own_task_type, adopts_from_a_promise_as_from_a_handle) {
  cancel::stop_frame parent, child;
  child.adopt(parent);
  child.adopt(std::noop_coroutine());
  child.adopt(std::coroutine_handle<>());
  EXPECT_FALSE(child.stop_requested());
}

generator yields(const std::stop_token &token, const void *&slot, const void *&of_helper) {
  for (;;) {
    co_await helps<task<>>(token, of_helper);
    {
      auto &&cancel_slot = co_await cancel::slot_for(token);
      slot = identity(cancel_slot);
      const void *same = nullptr;
      co_await helps<task<>>(token, same);
      EXPECT_EQ(slot, same);
      co_yield 1;
      co_await helps<task<>>(token, same);
      EXPECT_EQ(slot, same);
    }
    co_yield 2;
  }
}

task<> takes_one(std::stop_token token, const generator &values, const void *&slot) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  slot = identity(cancel_slot);
  co_await values.next();
}

TEST(a_generator, uses_no_slot_of_those_that_take_its_values) {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  const void *consumer = nullptr, *own = nullptr, *helper = nullptr;
  const generator values = yields(token, own, helper);
  for (int taken = 0; taken < 4; ++taken) { // each from a frame that is gone by the next
    const task<> once = takes_one(token, values, consumer);
    once.start();
    EXPECT_TRUE(once.done());
    expect_different(consumer, own);
    expect_different(consumer, helper);
  }
}

/// Like a mutex or a channel: whoever is awaited here runs beside its parent.
task<> spawns(std::stop_token token, own_task &spawned, const void *&slot) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  slot = identity(cancel_slot);
  spawned.handle.resume();
}

TEST(a_spawned_task, has_a_slot_of_its_own) {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  const void *outer = nullptr, *inner = nullptr;
  own_task spawned = helps<own_task>(token, inner);
  const task<> whole = spawns(token, spawned, outer);
  whole.start();
  expect_different(outer, inner);
}

#if !defined(NDEBUG) && !CANCEL_USE_LEGACY_STOP_TOKEN
task<> outlives(const std::stop_token &token, event &wake) {
  co_await wake;
  auto &&cancel_slot = co_await cancel::slot_for(token);
  static_cast<void>(cancel_slot);
}
task<> abandons(std::stop_token token, const task<> &child) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  static_cast<void>(cancel_slot);
  co_await child;
}

TEST(a_debug_build_death_test, finds_a_coroutine_that_goes_on_when_its_slot_has_ended) {
  std::stop_source source;
  event wake;
  const std::stop_token token = source.get_token();
  const task<> child = outlives(token, wake);
  {
    const task<> parent = abandons(token, child);
    parent.start();
  }
  EXPECT_DEATH(wake.waiter.resume(), "has ended");
}
#endif

} // namespace
