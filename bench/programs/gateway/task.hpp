// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coroutine types of the gateway: a lazy task and a scope that owns the running ones.

#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace gateway {

template <class T = void>
class task;

namespace detail {

/// Resumes the awaiting coroutine by symmetric transfer, so a long chain of tasks needs no stack.
struct resume_continuation {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    return h.promise().continuation;
  }
  void await_resume() const noexcept {}
};

struct promise_base {
  std::coroutine_handle<> continuation = std::noop_coroutine();

  std::suspend_always initial_suspend() const noexcept { return {}; }
  resume_continuation final_suspend() const noexcept { return {}; }
  // Failures of the gateway travel as values; an exception that leaves a coroutine is a bug.
  void unhandled_exception() const noexcept { std::terminate(); }
};

template <class T>
struct promise : promise_base {
  std::optional<T> result;

  task<T> get_return_object() noexcept;
  void return_value(T value) { result.emplace(std::move(value)); }
  T take() { return std::move(*result); }
};

template <>
struct promise<void> : promise_base {
  task<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void take() const noexcept {}
};

} // namespace detail

/// A coroutine that starts when it is awaited and whose frame dies with this object.
template <class T>
class [[nodiscard]] task {
public:
  using promise_type = detail::promise<T>;

  explicit task(std::coroutine_handle<promise_type> h) noexcept : frame_(h) {}
  task(task &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  task &operator=(task &&) = delete;
  ~task() {
    if (frame_)
      frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    frame_.promise().continuation = awaiting;
    return frame_;
  }
  T await_resume() { return frame_.promise().take(); }

private:
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
task<T> detail::promise<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<promise>::from_promise(*this));
}

inline task<void> detail::promise<void>::get_return_object() noexcept {
  return task<void>(std::coroutine_handle<promise>::from_promise(*this));
}

/// Owns tasks that run beside each other on one reactor. Must be empty when it dies: join() first.
class task_scope {
public:
  task_scope() = default;
  task_scope(const task_scope &) = delete;
  task_scope &operator=(const task_scope &) = delete;

  /// Runs `t` until its first suspension, here; the scope owns the rest.
  void spawn(task<void> t) {
    ++running_;
    drive(std::move(t), *this);
  }

  bool empty() const noexcept { return running_ == 0; }

  /// Completes when the last task has ended. One coroutine at a time.
  auto join() noexcept {
    struct awaiter {
      task_scope &scope;
      bool await_ready() const noexcept { return scope.empty(); }
      void await_suspend(std::coroutine_handle<> h) const noexcept { scope.joining_ = h; }
      void await_resume() const noexcept {}
    };
    return awaiter{*this};
  }

private:
  struct detached {
    struct promise_type {
      detached get_return_object() const noexcept { return {}; }
      std::suspend_never initial_suspend() const noexcept { return {}; }
      std::suspend_never final_suspend() const noexcept { return {}; }
      void return_void() const noexcept {}
      void unhandled_exception() const noexcept { std::terminate(); }
    };
  };

  static detached drive(task<void> t, task_scope &scope) {
    {
      task<void> running = std::move(t);
      co_await running;
    }
    scope.finished(); // may resume the joiner, which may destroy the scope
  }

  void finished() noexcept {
    if (--running_ == 0 && joining_)
      std::exchange(joining_, nullptr).resume();
  }

  std::size_t running_ = 0;
  std::coroutine_handle<> joining_;
};

} // namespace gateway
