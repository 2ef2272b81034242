// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coroutine whose own frame receives the stop: no source, no registration.
#ifndef CANCEL_STOP_FRAME_HPP
#define CANCEL_STOP_FRAME_HPP

#include <cancel/config.hpp>
#include <cancel/stop_slot.hpp>

#if !CANCEL_USE_LEGACY_STOP_TOKEN
#include <cancel/detail/announced_slot.hpp>
#endif

#include <concepts>
#include <coroutine>
#include <type_traits>

namespace cancel {

namespace detail {
#if !CANCEL_USE_LEGACY_STOP_TOKEN

/// The frame's own flag; there is no token.
struct frame_signal {
  bool is_raised_after_light_fence(const native_slot_protocol &slot) const noexcept {
    return slot.is_stopped_after_light_fence();
  }
  bool is_raised_in_order(const native_slot_protocol &slot) const noexcept {
    return slot.is_stopped_in_order();
  }
  void await(const native_slot_protocol &slot) const noexcept {
    static_cast<void>(slot.stop_requested());
  }
};

class frame_registration {
public:
  explicit frame_registration(stop_policy policy) noexcept
      : protocol_(policy == stop_policy::asymmetric && native_policy::can_start_turned()
                      ? slot_mode::asymmetric
                      : slot_mode::shared,
                  policy == stop_policy::adaptive ? native_policy::awaits_per_heavy_fence : 0) {}

  ~frame_registration() { protocol_.close_and_wait(); }

  native_slot_protocol &protocol() noexcept { return protocol_; }
  frame_signal signal() const noexcept { return {}; }
  bool request_stop() noexcept { return protocol_.stop(); }
  bool stop_requested() const noexcept { return protocol_.stop_requested(); }

private:
  native_slot_protocol protocol_;
};

#else

/// A std::stop_source in the promise, with its state on the heap.
class frame_registration {
public:
  explicit frame_registration(stop_policy) {}

  std::stop_token std_token() const noexcept { return source_.get_token(); }
  bool request_stop() noexcept {
    // A callback may destroy the frame.
    std::stop_source kept = source_;
    return kept.request_stop();
  }
  bool stop_requested() const noexcept { return source_.stop_requested(); }

private:
  std::stop_source source_;
};
#endif

struct declares_yield_value {
  int yield_value;
};
template <class Promise>
struct looks_up_yield_value : Promise, declares_yield_value {};

/// Whether the promise is a generator's: whether it has a member of that name, whatever it is.
template <class Promise>
inline constexpr bool is_generator_promise =
    !requires { &looks_up_yield_value<Promise>::yield_value; };
template <class Promise>
  requires std::is_final_v<Promise>
inline constexpr bool is_generator_promise<Promise> = requires { &Promise::yield_value; };

/// Lets slot_for use what a promise knows of its async stack.
struct frame_access;

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

/// A base for promise types, which makes each of their coroutines its own stop source:
///
///     struct promise_type : cancel::stop_frame { ... };
///
///     session serve(socket &sock) {
///       cancel::stop_frame &frame = co_await cancel::this_stop_frame();
///       while (!frame.stop_requested()) {
///         cancel::stop_guard on_stop(frame, [&] { sock.cancel(); });
///         co_await sock.read();
///       }
///     }
///
///     cancel::request_stop(handle_of_the_session);
///
/// A stop writes the signal into that frame and runs what is armed there.
///
/// It also lets a coroutine find the slots of the coroutines that await it, so that one
/// registration serves all of them; see `slot_for`. The task's awaiter hands them down:
///
///     template <class Promise>
///     std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) {
///       child.promise().adopt(parent);
///       ...
///
/// Thread-safety: guards and `adopt` belong to the coroutine, as with `stop_slot`; `request_stop`
/// may come from any thread, of which one wins. Lifetime: the frame must be alive when
/// `request_stop` is called; a callback may destroy it, and destroying it on another thread waits
/// for the call in progress. Cost: 48 bytes in the promise; nothing is registered and nothing
/// allocated.
class stop_frame {
public:
  explicit stop_frame(stop_policy policy = stop_policy::adaptive) noexcept(!use_legacy_stop_token)
      : registration_(policy) {}
  stop_frame(const stop_frame &) = delete;
  stop_frame &operator=(const stop_frame &) = delete;
  ~stop_frame() = default;

  /// Runs what is armed and returns true; every call but the first returns false.
  bool request_stop() noexcept { return registration_.request_stop(); }

  /// What preceded the request is visible to whoever reads true. Cost: one load.
  [[nodiscard]] bool stop_requested() const noexcept { return registration_.stop_requested(); }

  /// Lets this coroutine use the slots that `parent` has or was handed; of a promise that is no
  /// stop_frame, and of a handle that does not tell its promise, there are none. Preconditions:
  /// this coroutine has not run yet, and completes or is destroyed before `parent` goes on or is
  /// destroyed: a lazy task that one coroutine awaits. Not for what was spawned, is shared by
  /// several, or runs while its parent does. A promise with yield_value makes no use of it.
  template <class Promise>
  void adopt(std::coroutine_handle<Promise> parent) noexcept {
    if constexpr (std::derived_from<Promise, stop_frame>)
      adopt(parent.promise());
  }
  template <class Promise>
  void adopt([[maybe_unused]] Promise &parent) noexcept {
#if !CANCEL_USE_LEGACY_STOP_TOKEN
    if constexpr (std::derived_from<Promise, stop_frame>) {
      stop_frame &frame = parent;
      // A generator's coroutine below changes from one value to the next.
      if constexpr (detail::is_generator_promise<Promise>)
        frame.announcements_.forget_adopted();
      announcements_.adopt(frame.announcements_);
    }
#endif
  }

private:
  friend struct detail::slot_access;
#if CANCEL_USE_LEGACY_STOP_TOKEN
  std::stop_token std_token() const noexcept { return registration_.std_token(); }
#else
  friend struct detail::frame_access;
#endif

  detail::frame_registration registration_;
#if !CANCEL_USE_LEGACY_STOP_TOKEN
  detail::slot_announcements announcements_;
#endif
};

/// Stops the coroutine that `coroutine` refers to; see `stop_frame`. Returns whether this call was
/// the first. Precondition: the coroutine's frame exists.
template <std::derived_from<stop_frame> Promise>
bool request_stop(std::coroutine_handle<Promise> coroutine) noexcept {
  return coroutine.promise().request_stop();
}

/// What `co_await cancel::this_stop_frame()` awaits; it does not suspend.
class [[nodiscard]] this_stop_frame_awaiter {
public:
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<stop_frame> Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) noexcept {
    frame_ = &coroutine.promise();
    return false;
  }
  stop_frame &await_resume() const noexcept { return *frame_; }

private:
  stop_frame *frame_ = nullptr;
};

/// In a coroutine whose promise is a `stop_frame`: `co_await` it to get that frame.
inline this_stop_frame_awaiter this_stop_frame() noexcept { return {}; }

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
