// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest coroutine types that the tests need: no scheduler, every resumption is explicit.
#ifndef CANCEL_TEST_RUNTIME_COROUTINE_HPP
#define CANCEL_TEST_RUNTIME_COROUTINE_HPP

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

/// Awaiting it stores the coroutine in `waiter`.
struct event {
  std::coroutine_handle<> waiter;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiter = handle; }
  void await_resume() const noexcept {}
};

} // namespace cancel_test

#endif
