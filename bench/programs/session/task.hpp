// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task type as a code base of its own has one: lazy, exclusive, with symmetric transfer. It knows
// nothing of cancellation.

#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace session::SESSION_VARIANT {

class [[nodiscard]] task {
public:
  struct promise_type {
    struct final_awaiter {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<promise_type> completed) const noexcept {
        return completed.promise().awaiting;
      }
      void await_resume() const noexcept {}
    };

    task get_return_object() noexcept {
      return task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    final_awaiter final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }

    std::coroutine_handle<> awaiting;
  };

  task(task &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  task &operator=(task &&) = delete;
  ~task() {
    if (frame_)
      frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const noexcept {
    frame_.promise().awaiting = awaiting;
    return frame_;
  }
  void await_resume() const noexcept {}

private:
  explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

  std::coroutine_handle<promise_type> frame_;
};

} // namespace session::SESSION_VARIANT
