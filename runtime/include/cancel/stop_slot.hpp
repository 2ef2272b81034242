// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers a coroutine with its stop source once, so that arming a callback around each await is
// cheap.
#ifndef CANCEL_STOP_SLOT_HPP
#define CANCEL_STOP_SLOT_HPP

#include <cancel/config.hpp>
#include <cancel/local_stop_queue.hpp>

#if CANCEL_USE_LEGACY_STOP_TOKEN
#include <cancel/detail/legacy_stop_slot.hpp>
#else
#include <cancel/detail/local_registration.hpp>
#include <cancel/detail/slot_place.hpp>
#include <cancel/detail/slot_registration.hpp>

#include <concepts>
#include <new>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {
namespace detail {

/// What a guard may see of the slot that it is armed on.
struct slot_access {
  template <class Slot>
  static native_slot_protocol &protocol(Slot &slot) noexcept {
    return slot.registration_.protocol();
  }
  template <class Slot>
  static auto signal(const Slot &slot) noexcept {
    return slot.registration_.signal();
  }
  template <class Slot>
  static slot_place place(Slot &slot) noexcept {
    if constexpr (requires { slot.registration_.anchor(); })
      return slot_place(slot.registration_.anchor());
    else
      return slot_place(protocol(slot));
  }
};

} // namespace detail

/// Something to arm a guard on: a `stop_slot`, a `slot_reference` or a `stop_frame`.
template <class Slot>
concept armable = requires(Slot &slot) {
  detail::slot_access::protocol(slot);
  detail::slot_access::signal(slot);
};

inline namespace CANCEL_MODE_NAMESPACE {

/// The registration of one flow of control with one stop token, made once and used by any number of
/// `stop_guard`s:
///
///     cancel::stop_slot slot(token);
///     while (!token.stop_requested()) {
///       cancel::stop_guard on_stop(slot, [&] { socket.cancel(); });
///       co_await socket.read(buffer);
///     }
///
/// `token` may be a std::stop_token, a `cancel::stop_token`, a `cancel::inplace_stop_token` or any
/// other `stoppable_token`. Construct it from a token that is no longer needed to save a copy.
///
/// Thread-safety: construction, destruction and guards belong to the owner: one coroutine and the
/// coroutines it awaits, on whatever thread, as long as its scheduler orders one step after the
/// other. `request_stop()` may come from any thread at any time. Lifetime: outlives its guards;
/// immovable. A callback may destroy the slot (with the coroutine frame that holds it). Destruction
/// from another thread than the one that is in `request_stop()` waits until every callback of this
/// slot has returned, so a callback that resumes the owner must not go on to block until something
/// elsewhere completes. Cost: one registration and one token, once: 64 bytes or fewer on this
/// library's sources, 96 on std's. How guards and stops share the cost: see `stop_policy`. A stop
/// of a source of this library makes at most one heavy fence for all its slots, a std::stop_source
/// at most one for each slot that has turned. See docs/runtime.md.
template <stoppable_token Token = std::stop_token, class Queue = void>
class stop_slot {
  using registration = typename detail::registration_of<Token>::type;

public:
  using token_type = Token;

  /// Registers with the stop state of `token`, as a stop callback does. A token that cannot be
  /// stopped gives a slot whose callbacks never run.
  explicit stop_slot(const Token &token, stop_policy policy = stop_policy::adaptive) noexcept
      : stop_slot(Token(token), policy) {}
  explicit stop_slot(Token &&token, stop_policy policy = stop_policy::adaptive) noexcept {
    enlist<detail::slow_call>(token, policy);
  }

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;

  ~stop_slot() { withdraw<detail::slow_call>(); }

  /// The token that this slot is registered with.
  [[nodiscard]] const Token &token() const noexcept { return registration_.token(); }

  /// The same as `token().stop_requested()`: true from the moment of the request, before any
  /// callback has run.
  [[nodiscard]] bool stop_requested() const noexcept { return token().stop_requested(); }

private:
  friend struct detail::slot_access;

  template <class Convention>
  CANCEL_SLOW_CALL void enlist(Token &token, stop_policy policy) noexcept {
    // Not std::construct_at: it would be a call of its own, before which everything is saved.
    ::new (static_cast<void *>(&registration_)) registration(std::move(token), policy);
  }
  template <class Convention>
  CANCEL_SLOW_CALL void withdraw() noexcept {
    registration_.~registration();
  }

  /// In a union, so that its constructor and destructor run in slow calls rather than inlined into
  /// the coroutine.
  union {
    registration registration_;
  };
};

/// A slot whose callbacks run on the thread of `queue`, which alone arms guards on it. Arming and
/// disarming are plain stores and a stop makes no fence; a stop from elsewhere posts the slot and
/// returns before its callbacks have run.
template <stoppable_token Token>
class stop_slot<Token, local_stop_queue> {
public:
  using token_type = Token;

  /// Registers with the stop state of `token`. `queue` outlives the slot.
  stop_slot(Token token, local_stop_queue &queue) noexcept
      : registration_(std::move(token), queue) {}

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;
  ~stop_slot() = default;

  [[nodiscard]] const Token &token() const noexcept { return registration_.token(); }
  [[nodiscard]] bool stop_requested() const noexcept { return token().stop_requested(); }

private:
  friend struct detail::slot_access;

  detail::local_registration<Token> registration_;
};

template <class Token>
stop_slot(Token) -> stop_slot<Token>;
/// A type that is no token but has one to give.
template <class T>
  requires(!stoppable_token<T> && std::convertible_to<T, std::stop_token>)
stop_slot(T) -> stop_slot<std::stop_token>;
template <class Token>
stop_slot(Token, stop_policy) -> stop_slot<Token>;
template <class Token>
stop_slot(Token, local_stop_queue &) -> stop_slot<Token, local_stop_queue>;

static_assert(sizeof(void *) != 8 || sizeof(stop_slot<std::stop_token>) <= 96,
              "a slot lives in every frame that awaits with a token");
static_assert(sizeof(void *) != 8 || sizeof(stop_slot<stop_token>) <= 64);
static_assert(sizeof(void *) != 8 || sizeof(stop_slot<inplace_stop_token>) <= 64);

/// A callback armed on a slot for the length of a scope, with the meaning of
/// `std::stop_callback<F>` ([stopcallback.cons]) except that it is bound to a slot, not to a token.
///
/// If a stop was already requested, the constructor runs the callback. The destructor disarms it;
/// if it is running on another thread, the destructor returns when it has run, and what it wrote is
/// visible from then on; if it is running on this thread, the destructor does not wait. A callback
/// runs at most once, on the thread that requests the stop or in the constructor; one that throws
/// calls std::terminate. A callback may destroy its own guard, any other guard of the slot, and the
/// frame that holds them.
///
/// Thread-safety: construction and destruction belong to the slot's owner. Guards of one slot may
/// be destroyed in any order; the reverse of their construction is the cheap one. Lifetime: ends
/// before the slot's; immovable, like std::stop_callback. Cost: constructing and destroying takes a
/// few plain loads and stores once the slot has turned, two ordered stores before; no allocation,
/// no lock, no shared cache line written.
template <class F>
class [[nodiscard]] stop_guard : detail::armed_link<detail::native_policy> {
  static_assert(std::invocable<F>,
                "stop_guard requires a callback that can be called without arguments");
  static_assert(std::destructible<F>, "stop_guard requires a callback that can be destroyed");

public:
  using callback_type = F;

  /// Constructs the callback from `callback`, then arms it on `slot`.
  /// Throws what constructing the callback throws; nothing is armed then.
  template <armable Slot, class C>
    requires std::is_constructible_v<F, C>
  [[gnu::always_inline]] explicit stop_guard(Slot &slot, C &&callback) noexcept(
      std::is_nothrow_constructible_v<F, C>)
      : armed_link(&stop_guard::run), place_(detail::slot_access::place(slot)),
        callback_(std::forward<C>(callback)) {
    detail::slot_access::protocol(slot).arm(*this, detail::slot_access::signal(slot));
  }

  /// A guard needs a slot that outlives it.
  template <armable Slot, class C>
  stop_guard(const Slot &&, C &&) = delete;

  stop_guard(const stop_guard &) = delete;
  stop_guard &operator=(const stop_guard &) = delete;

  ~stop_guard() {
    if (detail::native_slot_protocol *const slot = place_.protocol()) [[likely]]
      slot->disarm(*this);
  }

private:
  static void run(armed_link &guard) noexcept {
    std::forward<F>(static_cast<stop_guard &>(guard).callback_)();
  }

  detail::slot_place place_;
  [[no_unique_address]] F callback_;
};

template <class Slot, class F>
stop_guard(Slot &, F) -> stop_guard<F>;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif // CANCEL_USE_LEGACY_STOP_TOKEN

#endif
