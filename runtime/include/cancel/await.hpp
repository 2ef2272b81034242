// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits that a stop ends, and that say which it was: what was waited for, or the stop.
#ifndef CANCEL_AWAIT_HPP
#define CANCEL_AWAIT_HPP

#include <cancel/config.hpp>
#include <cancel/detail/abandoned_await.hpp>
#include <cancel/detail/native_policy.hpp>
#include <cancel/detail/stop_side.hpp>
#include <cancel/stop_claim.hpp>
#include <cancel/stoppable_token.hpp>

#include <coroutine>
#include <mutex>
#include <utility>

namespace cancel {
inline namespace CANCEL_MODE_NAMESPACE {

/// What `until_stopped` returns.
template <stoppable_token Token>
class [[nodiscard]] until_stopped_awaiter {
public:
  explicit until_stopped_awaiter(Token token) noexcept : stop_(std::move(token)) {}

  bool await_ready() const noexcept { return stop_.token().stop_requested(); }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) noexcept(!use_legacy_stop_token) {
    stop_.arm(coroutine, claim_);
    return claim_.suspend(coroutine);
  }
  void await_resume() noexcept { stop_.disarm(); }

private:
  stop_claim claim_;
  detail::stop_side<Token> stop_;
};

/// `co_await until_stopped(token)` goes on when a stop has been requested, on the thread that
/// requests it. With a token that cannot be stopped it never does.
template <stoppable_token Token>
until_stopped_awaiter<Token> until_stopped(Token token) noexcept {
  return until_stopped_awaiter<Token>(std::move(token));
}

/// Something that happens, and that one coroutine at a time waits for or asks about:
///
///     switch (co_await readable.wait(token)) {
///     case cancel::wake_reason::completed: ...   // it has happened, and is taken
///     case cancel::wake_reason::stopped: ...     // it has not; if it does, it is there for the
///     next
///     }
///
/// Each `set` that finds no event left from the one before is seen by one `wait` or `poll`, and no
/// wait takes a stop for an event, whatever comes first. An event that is there goes before a stop.
///
/// Thread-safety: `set` and `poll` from any thread; one coroutine at a time waits. It goes on
/// within `set`, or on the thread that requests the stop. Lifetime: the event outlives its waits
/// and calls of `set`; but the coroutine that `set` resumes may end it. A coroutine may be
/// destroyed while it waits, if nobody is about to wake it. Cost: a lock for each operation, and of
/// a wait one guard; no heap.
class poll_event {
  class wait_base {
  protected:
    explicit wait_base(poll_event &event) noexcept : event_(event) {}
    wait_base(const wait_base &) = delete;
    wait_base &operator=(const wait_base &) = delete;
    ~wait_base() { event_leaves(); }

    void event_leaves() noexcept {
      if (is_known_)
        event_.leave(*this);
      is_known_ = false;
    }

    friend class poll_event;
    poll_event &event_;
    stop_claim claim_;
    bool is_known_ = false; ///< to the event; the coroutine's own
  };

public:
  /// One wait of one coroutine.
  template <stoppable_token Token>
  class [[nodiscard]] awaiter : wait_base {
  public:
    awaiter(poll_event &event, Token token) noexcept : wait_base(event), stop_(std::move(token)) {}

    bool await_ready() noexcept {
      if (event_.poll())
        static_cast<void>(claim_.complete());
      else if (stop_.token().stop_requested())
        static_cast<void>(claim_.stop());
      return claim_.reason() != wake_reason::none;
    }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> coroutine) noexcept(!use_legacy_stop_token) {
      stop_.arm(coroutine, claim_);
      is_known_ = event_.enter(*this);
      return claim_.suspend(coroutine);
    }
    wake_reason await_resume() noexcept {
      stop_.disarm();
      event_leaves(); // also after a `set`: from here on that does not touch the event any more
      return claim_.reason();
    }

  private:
    using wait_base::claim_;
    using wait_base::event_;
    using wait_base::event_leaves;
    using wait_base::is_known_;

    detail::stop_side<Token> stop_; // ends first: then no stop decides any more
  };

  poll_event() noexcept = default;
  poll_event(const poll_event &) = delete;
  poll_event &operator=(const poll_event &) = delete;
  ~poll_event() = default;

  /// To be awaited; gives `wake_reason::completed` or `wake_reason::stopped`.
  template <stoppable_token Token>
  awaiter<Token> wait(Token token) noexcept {
    return awaiter<Token>(*this, std::move(token));
  }

  /// Whether the event is there; takes it. What preceded its `set` is visible then.
  bool poll() noexcept {
    const std::scoped_lock lock(lock_);
    return std::exchange(is_set_, false);
  }

  /// Lets the event happen. If a coroutine waits that no stop has woken, it goes on now.
  void set() noexcept {
    std::unique_lock lock(lock_);
    if (wait_base *const waiting = std::exchange(waiting_, nullptr)) {
      // Decided under the lock, because whoever a stop wakes leaves under it.
      const stop_claim::outcome outcome = waiting->claim_.complete();
      if (outcome) {
        lock.unlock();
        outcome.resume();
        return;
      }
    }
    is_set_ = true;
  }

private:
  /// Returns whether the event now knows the wait.
  bool enter(wait_base &wait) noexcept {
    const std::scoped_lock lock(lock_);
    if (!is_set_)
      waiting_ = &wait;
    else if (wait.claim_.complete())
      is_set_ = false;
    return waiting_ == &wait;
  }
  void leave(wait_base &wait) noexcept {
    const std::scoped_lock lock(lock_);
    if (waiting_ == &wait)
      waiting_ = nullptr;
  }

  detail::spin_lock<detail::native_policy> lock_;
  bool is_set_ = false;
  wait_base *waiting_ = nullptr;
};

/// `co_await stop_or(awaitable, token)` awaits until `awaitable` completes or a stop is requested,
/// whichever is first, and says which: it gives a `std::optional` of what `awaitable` gives, or a
/// `wake_reason` if that is nothing; references become `std::reference_wrapper`s. An exception of
/// `awaitable` is thrown.
///
///     if (const auto n = co_await cancel::stop_or(sock.read(buffer), token))
///       handle(*n);
///     else
///       co_return; // stopped
///
/// After a stop nobody waits for `awaitable` any more: it goes on by itself, and what it gives is
/// dropped. So whatever it refers to has to live on until it completes: better stop an operation
/// that can be stopped, by a guard, and await it. If the stop precedes the await, `awaitable` is
/// not awaited at all.
///
/// Thread-safety: the coroutine goes on where `awaitable` completes or the stop is requested. Cost:
/// a coroutine on the heap, which holds `awaitable`, and a guard. That coroutine may outlive this
/// one, so it is handed no slot.
template <class Awaitable, stoppable_token Token>
auto stop_or(Awaitable &&awaitable, Token token) {
  using result = detail::kept_result_t<detail::await_result_t<Awaitable>>;
  return detail::stop_or_awaiter<result, Token>(
      detail::await_in<detail::abandonable_await<result>, Awaitable>(
          std::forward<Awaitable>(awaitable)),
      std::move(token));
}

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
