// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own task type, and what it waits for.
#pragma once
#include <coroutine>
#include <exception>
#include <iostream>
#include <stop_token>
#include <string>
#include <utility>

/// One operation at a time: the driver completes it, or a callback cancels it.
struct channel {
  std::coroutine_handle<> waiting;
  bool cancelled = false;

  struct receive_awaiter {
    channel &from;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { from.waiting = h; }
    int await_resume() const noexcept { return std::exchange(from.cancelled, false) ? -1 : 1; }
  };
  receive_awaiter receive() { return {*this}; }

  void cancel(const char *by) noexcept {
    std::cout << "  " << by << " cancels\n";
    cancelled = true;
  }
};

template <class T>
class [[nodiscard]] task {
public:
  struct promise_type {
    struct final_awaiter {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) const noexcept {
        return h.promise().continuation ? h.promise().continuation : std::noop_coroutine();
      }
      void await_resume() const noexcept {}
    };

    task get_return_object() noexcept {
      return task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    final_awaiter final_suspend() noexcept { return {}; }
    void return_value(T given) { value = std::move(given); }
    void unhandled_exception() { thrown = std::current_exception(); }

    T value{};
    std::exception_ptr thrown;
    std::coroutine_handle<> continuation;
  };

  task(task &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~task() {
    if (handle)
      handle.destroy();
  }

  void start() { handle.resume(); }
  bool done() const { return handle.done(); }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle.promise().continuation = awaiting;
    return handle;
  }
  T await_resume() {
    if (handle.promise().thrown)
      std::rethrow_exception(handle.promise().thrown);
    return std::move(handle.promise().value);
  }

private:
  explicit task(std::coroutine_handle<promise_type> handle) noexcept : handle(handle) {}

  std::coroutine_handle<promise_type> handle;
};
