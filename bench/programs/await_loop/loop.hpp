// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an await costs when it can be cancelled: loops that differ in nothing else.

#pragma once

#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>

namespace await_loop {

/// What the loops wait for. Each fire() is one turn of the loop that waits.
class event {
public:
  struct awaiter {
    event &awaited;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { awaited.waiter_ = h; }
    void await_resume() const noexcept {}
  };
  awaiter operator co_await() noexcept { return {*this}; }

  void fire() { std::exchange(waiter_, nullptr).resume(); }

  /// What a stop callback does with a wait. Here it only takes note: the driver fires anyway.
  void cancel() noexcept { cancelled_ = true; }
  bool cancelled() const noexcept { return cancelled_; }

private:
  std::coroutine_handle<> waiter_;
  bool cancelled_ = false;
};

/// A coroutine that runs until its first wait, and whose frame dies with this object.
class loop {
public:
  struct promise_type {
    loop get_return_object() noexcept {
      return loop(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  explicit loop(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  loop(loop &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  loop &operator=(loop &&) = delete;
  ~loop() {
    if (frame_)
      frame_.destroy();
  }

  bool done() const noexcept { return frame_.done(); }

private:
  std::coroutine_handle<promise_type> frame_;
};

/// Awaits and does nothing about cancellation.
loop bare(event &e, std::stop_token st);

/// Awaits and polls the token.
loop polling(event &e, std::stop_token st);

/// Awaits, polls, and writes what any guard must write: the lower bound.
loop bound(event &e, std::stop_token st);

/// Awaits, polls and can be woken, as written with std::stop_callback ...
namespace original {
loop cancellable(event &e, std::stop_token st);
}
/// ... and the same source after cancel-migrate.
namespace rewritten {
loop cancellable(event &e, std::stop_token st);
}

} // namespace await_loop
