// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest coroutine types that the tests need: no scheduler, every resumption is explicit.
#ifndef CANCEL_TEST_RUNTIME_COROUTINE_HPP
#define CANCEL_TEST_RUNTIME_COROUTINE_HPP

#include <cancel/stop_frame.hpp>

#include <coroutine>
#include <exception>

namespace cancel_test {

/// Starts at once and belongs to nobody: it destroys itself at its end, or somebody destroys it
/// before.
struct detached {
  struct promise_type {
    detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// The same, and can be stopped through its handle. The policy is the coroutine's first parameter.
struct session {
  struct promise_type : cancel::stop_frame {
    explicit promise_type(cancel::stop_policy policy, auto &&...) : stop_frame(policy) {}
    session get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };

  std::coroutine_handle<promise_type> handle;
};

/// Awaiting it stores the coroutine in `waiter`.
struct event {
  std::coroutine_handle<> waiter;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiter = handle; }
  void await_resume() const noexcept {}
};

} // namespace cancel_test

#endif
