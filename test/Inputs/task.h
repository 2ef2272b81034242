// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coroutine types and awaitables that the tests' programs are made of: the everyday shapes, no
// library's.
#ifndef CANCEL_TEST_TASK_H
#define CANCEL_TEST_TASK_H

#include <coroutine>
#include <exception>
#include <stop_token>

struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

template <typename T>
struct generator {
  struct promise_type {
    T current{};
    std::stop_token token;
    generator get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T value) {
      current = static_cast<T &&>(value);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

/// Suspends and gives a value: `auto n = co_await receive();`
template <typename T>
struct awaitable {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  T await_resume() const { return T(); }
};

inline awaitable<int> receive() { return {}; }
inline awaitable<void> tick() { return {}; }
inline awaitable<bool> more() { return {}; }
/// The token that whoever resumes the coroutine installed.
inline awaitable<std::stop_token> current_token() { return {}; }

struct connection {
  void cancel() {}
  awaitable<int> receive() { return {}; }
};

#endif
