// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slot of an async stack for a token: one registration serves a coroutine and those it awaits.
#ifndef CANCEL_SLOT_FOR_HPP
#define CANCEL_SLOT_FOR_HPP

#include <cancel/config.hpp>
#include <cancel/stop_frame.hpp>
#include <cancel/stop_slot.hpp>
#include <cancel/stoppable_token.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <new>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {

namespace detail {
#if !CANCEL_USE_LEGACY_STOP_TOKEN

struct frame_access {
  static slot_announcements &announcements(stop_frame &frame) noexcept {
    return frame.announcements_;
  }
};

/// A slot of a coroutine further down, or one in this very object, which is then announced.
template <class Token>
class shared_registration : slot_borrower {
public:
  /// `stack` is null in a promise that knows nothing of other coroutines' slots.
  template <class T>
  [[gnu::always_inline]] shared_registration(T &&token, slot_announcements *stack) noexcept {
    if (stack)
      if (announced_slot_of<Token> *const found = stack->template find<Token>(token)) [[likely]] {
        slot_ = found;
        found->lend(*this, slot_access::protocol(found->slot_));
        return;
      }
    make_own<slow_call>(std::forward<T>(token), stack);
  }
  shared_registration(const shared_registration &) = delete;
  shared_registration &operator=(const shared_registration &) = delete;
  [[gnu::always_inline]] ~shared_registration() {
    if (slot_ == &own_) [[unlikely]]
      end_own<slow_call>();
    else if (slot) [[likely]] // it has not ended before this
      slot_->take_back(*this);
  }

  native_slot_protocol &protocol() const noexcept { return *slot; }
  const slot_anchor &anchor() const noexcept { return *this; }
  auto signal() const noexcept { return slot_access::signal(slot_->slot_); }
  const Token &token() const noexcept { return slot_->slot_.token(); }

private:
  template <class Convention, class T>
  CANCEL_SLOW_CALL void make_own(T &&token, slot_announcements *stack) noexcept {
    slot_ = ::new (static_cast<void *>(&own_)) announced_slot_of<Token>(std::forward<T>(token));
    slot = &slot_access::protocol(slot_->slot_);
    announced_in_ = stack;
    if (stack)
      stack->announce(*slot_);
  }
  template <class Convention>
  CANCEL_SLOW_CALL void end_own() noexcept {
    if (announced_in_)
      announced_in_->withdraw(*slot_);
    own_.~announced_slot_of<Token>();
  }

  announced_slot_of<Token> *slot_;
  slot_announcements *announced_in_; ///< of `own_`
  union {
    announced_slot_of<Token> own_; ///< only if `slot_` points to it
  };
};
#else

/// There is nothing to share: each guard registers by itself.
template <class Token>
class shared_registration {
public:
  explicit shared_registration(Token token) : slot_(std::move(token)) {}

  decltype(auto) std_token() const noexcept { return slot_access::std_token(slot_); }
  const Token &token() const noexcept { return slot_.token(); }

private:
  stop_slot<Token> slot_;
};
#endif

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

/// What `co_await slot_for(token)` gives: something to arm guards on, as a `stop_slot` is. It has
/// room for a slot of its own, which it only makes if no coroutine below has one for that stop
/// state.
///
/// Thread-safety and lifetime: those of `stop_slot`. Cost: a handful of loads and stores if there
/// is a slot already, a registration otherwise; 64 bytes more than a `stop_slot`.
template <stoppable_token Token>
class [[nodiscard]] slot_reference {
public:
  using token_type = Token;

  slot_reference(const slot_reference &) = delete;
  slot_reference &operator=(const slot_reference &) = delete;
  ~slot_reference() = default;

  /// A token of the stop state that the slot is registered with.
  [[nodiscard]] const Token &token() const noexcept { return registration_.token(); }
  [[nodiscard]] bool stop_requested() const noexcept { return token().stop_requested(); }

private:
  friend struct detail::slot_access;
  template <class, class>
  friend class slot_for_awaiter;

#if CANCEL_USE_LEGACY_STOP_TOKEN
  explicit slot_reference(const Token &token) : registration_(token) {}
  decltype(auto) std_token() const noexcept { return registration_.std_token(); }
#else
  template <class T>
  [[gnu::always_inline]] slot_reference(T &&token, detail::slot_announcements *stack) noexcept
      : registration_(std::forward<T>(token), stack) {}
#endif

  detail::shared_registration<Token> registration_;
};

/// What `slot_for` returns; awaiting it does not suspend.
template <class Token, class Given>
class [[nodiscard]] slot_for_awaiter {
public:
  explicit slot_for_awaiter(Given &&token) noexcept : token_(std::forward<Given>(token)) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  [[gnu::always_inline]] bool
  await_suspend([[maybe_unused]] std::coroutine_handle<Promise> coroutine) noexcept {
#if !CANCEL_USE_LEGACY_STOP_TOKEN
    if constexpr (std::derived_from<Promise, stop_frame>) {
      stack_ = &detail::frame_access::announcements(coroutine.promise());
      if constexpr (detail::is_generator_promise<Promise>)
        stack_->forget_adopted(); // the coroutine below changes from one value to the next
    }
#endif
    return false;
  }
  [[gnu::always_inline]] slot_reference<Token> await_resume() noexcept(!use_legacy_stop_token) {
#if CANCEL_USE_LEGACY_STOP_TOKEN
    return slot_reference<Token>(token_);
#else
    return slot_reference<Token>(std::forward<Given>(token_), stack_);
#endif
  }

private:
  Given token_;
#if !CANCEL_USE_LEGACY_STOP_TOKEN
  detail::slot_announcements *stack_ = nullptr;
#endif
};

/// The slot on which the awaiting coroutine arms its guards for `token`:
///
///     auto &&cancel_slot = co_await cancel::slot_for(token);
///     cancel::stop_guard on_stop(cancel_slot, [&] { socket.cancel(); });
///
/// If a coroutine that awaits this one, directly or through others, has a slot that watches the
/// same stop state (the tokens are of one type and compare equal), it is that slot; otherwise a
/// slot in this frame, which the coroutines that this one awaits will find. Either way the guards
/// mean what they would mean on a slot of their own: nothing but that stop state stops them.
///
/// Slots are found through promises that are `stop_frame`s and whose tasks hand them down
/// (`adopt`). In any other coroutine it makes a slot in the frame, as `stop_slot` does. In a
/// generator it never finds a slot further down. `token` may be any `stoppable_token`; from one
/// that is no longer needed the copy is saved.
template <class Token>
  requires stoppable_token<std::remove_cvref_t<Token>>
auto slot_for(Token &&token) noexcept {
  return slot_for_awaiter<std::remove_cvref_t<Token>, Token &&>(std::forward<Token>(token));
}
/// A type that is no token but has one to give.
template <class T>
  requires(!stoppable_token<std::remove_cvref_t<T>> && std::convertible_to<T, std::stop_token>)
auto slot_for(T &&source) {
  return slot_for_awaiter<std::stop_token, std::stop_token>(
      static_cast<std::stop_token>(std::forward<T>(source)));
}

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
