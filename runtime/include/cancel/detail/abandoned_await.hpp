// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An await in a coroutine of its own, which whoever started it may leave behind.
#ifndef CANCEL_DETAIL_ABANDONED_AWAIT_HPP
#define CANCEL_DETAIL_ABANDONED_AWAIT_HPP

#include <cancel/detail/awaitable.hpp>
#include <cancel/detail/stop_side.hpp>
#include <cancel/detail/task_result.hpp>
#include <cancel/stop_claim.hpp>

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace cancel::detail {

/// Owned by the coroutine itself, from its start to its completion, and by whoever waits for it.
template <class T>
class abandonable_await {
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> completed) const noexcept {
      const std::coroutine_handle<> waiting = completed.promise().claim.complete().coroutine();
      completed.promise().remove_owner();
      return waiting ? waiting : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

public:
  struct promise_type : task_result<T> {
    stop_claim claim;
    std::atomic<std::uint8_t> owners{1};

    abandonable_await get_return_object() noexcept { return abandonable_await(*this); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    final_awaiter final_suspend() const noexcept { return {}; }

    std::coroutine_handle<> handle() noexcept {
      return std::coroutine_handle<promise_type>::from_promise(*this);
    }
    void remove_owner() noexcept {
      // Acquire and release, paired with the other owner's of this line: the last one ends what the
      // other used before.
      if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
        handle().destroy();
    }
  };

  abandonable_await(abandonable_await &&other) noexcept
      : promise_(std::exchange(other.promise_, nullptr)) {}
  abandonable_await &operator=(abandonable_await &&) = delete;
  ~abandonable_await() {
    if (promise_)
      promise_->remove_owner();
  }

  stop_claim &claim() const noexcept { return promise_->claim; }

  void start() const {
    // Relaxed, paired with nothing: the new owner learns of the promise by the call below.
    promise_->owners.fetch_add(1, std::memory_order_relaxed);
    promise_->handle().resume();
  }
  T take() const { return promise_->take(); }

private:
  explicit abandonable_await(promise_type &promise) noexcept : promise_(&promise) {}

  promise_type *promise_;
};

/// The wait that `stop_or` returns.
template <class T, class Token>
class [[nodiscard]] stop_or_awaiter {
public:
  stop_or_awaiter(abandonable_await<T> awaited, Token token) noexcept
      : awaited_(std::move(awaited)), stop_(std::move(token)) {}
  stop_or_awaiter(const stop_or_awaiter &) = delete;
  stop_or_awaiter &operator=(const stop_or_awaiter &) = delete;
  /// If the coroutine is destroyed while it waits, what is left behind must not resume it.
  ~stop_or_awaiter() { static_cast<void>(awaited_.claim().stop()); }

  bool await_ready() const noexcept {
    return stop_.token().stop_requested() && awaited_.claim().stop();
  }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) {
    stop_.arm(coroutine, awaited_.claim());
    if (awaited_.claim().reason() == wake_reason::none)
      awaited_.start();
    return awaited_.claim().suspend(coroutine);
  }
  auto await_resume() {
    stop_.disarm();
    const wake_reason reason = awaited_.claim().reason();
    if constexpr (std::is_void_v<T>) {
      if (reason == wake_reason::completed)
        awaited_.take();
      return reason;
    } else {
      if (reason == wake_reason::completed)
        return std::optional<as_member_t<T>>(awaited_.take());
      return std::optional<as_member_t<T>>();
    }
  }

private:
  abandonable_await<T> awaited_;
  stop_side<Token> stop_; // ends first: then no stop decides any more
};

} // namespace cancel::detail

#endif
