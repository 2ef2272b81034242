// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers a coroutine with its stop source once, so that arming a callback around each await is
// cheap.
#ifndef CANCEL_STOP_SLOT_HPP
#define CANCEL_STOP_SLOT_HPP

#include <cancel/config.hpp>

#if CANCEL_USE_LEGACY_STOP_TOKEN
#include <cancel/detail/legacy_stop_slot.hpp>
#else
#include <cancel/detail/await_account.hpp>
#include <cancel/detail/slot_protocol.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {
namespace detail {

/// A std::stop_source has no room for an account of its own: the slots of a process share one.
inline constinit await_account std_token_account{slot_policy::awaits_per_heavy_fence};

/// A slot's protocol together with the one std::stop_callback that drives it.
class std_token_registration {
public:
  using protocol_type = slot_protocol<slot_policy>;

  explicit std_token_registration(const std::stop_token &token) noexcept
      : std_token_registration(token, std_token_account.outstanding()) {}

  ~std_token_registration() {
    if (!protocol_.close())
      std_token_account.pay(protocol_.shared_awaits());
  }

  protocol_type &protocol() noexcept { return protocol_; }
  const std::stop_token &token() const noexcept { return token_; }

private:
  /// What the stop source calls. The slot may be gone when `stop()` returns.
  struct relay {
    protocol_type &protocol;
    void operator()() const noexcept {
      std_token_account.start_period();
      protocol.stop();
    }
  };

  std_token_registration(const std::stop_token &token, std::uint16_t outstanding) noexcept
      : protocol_(initial_mode(token, outstanding), outstanding), token_(token),
        relay_(token, relay{protocol_}) {}

  /// Nobody ever stops an impossible token, so that nobody would ever have to fence.
  static slot_mode initial_mode(const std::stop_token &token, std::uint16_t outstanding) noexcept {
    const bool turned = !token.stop_possible() || (outstanding == 0 && slot_policy::can_turn());
    return turned ? slot_mode::asymmetric : slot_mode::shared;
  }

  protocol_type protocol_;
  std::stop_token token_;
  /// Last, because a stop may arrive as soon as it is there; its destructor waits for the relay.
  std::stop_callback<relay> relay_;
};

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

template <class F>
class stop_guard;

/// The registration of one flow of control with one std::stop_token, made once and used by any
/// number of `stop_guard`s:
///
///     cancel::stop_slot slot(token);
///     while (!token.stop_requested()) {
///       cancel::stop_guard on_stop(slot, [&] { socket.cancel(); });
///       co_await socket.read(buffer);
///     }
///
/// Thread-safety: construction, destruction and guards belong to the owner: one coroutine and the
/// coroutines it awaits, on whatever thread, as long as its scheduler orders one step after the
/// other. `request_stop()` may come from any thread at any time. Lifetime: outlives its guards;
/// immovable. A callback may destroy the slot (with the coroutine frame that holds it). Destruction
/// from another thread than the one that is in `request_stop()` waits until every callback of this
/// slot has returned, so a callback that resumes the owner must not go on to block until something
/// elsewhere completes. Cost: a std::stop_callback and a copy of the token, once. Without a stop,
/// guards turn after a few thousand awaits from ordered stores to plain ones; stopping a turned
/// slot then takes one heavy fence. See docs/runtime.md.
class stop_slot {
public:
  /// Registers with the stop state of `token`, as std::stop_callback does. A token that cannot be
  /// stopped gives a slot whose callbacks never run.
  explicit stop_slot(const std::stop_token &token) noexcept { enlist<detail::slow_call>(token); }

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;

  ~stop_slot() { withdraw<detail::slow_call>(); }

  /// The token that this slot is registered with.
  [[nodiscard]] const std::stop_token &token() const noexcept { return registration_.token(); }

  /// The same as `token().stop_requested()`: true from the moment of the request, before any
  /// callback has run.
  [[nodiscard]] bool stop_requested() const noexcept { return token().stop_requested(); }

private:
  template <class F>
  friend class stop_guard;

  template <class Convention>
  CANCEL_SLOW_CALL void enlist(const std::stop_token &token) noexcept {
    std::construct_at(&registration_, token);
  }
  template <class Convention>
  CANCEL_SLOW_CALL void withdraw() noexcept {
    std::destroy_at(&registration_);
  }

  /// In a union, so that its constructor and destructor run in slow calls rather than inlined into
  /// the coroutine.
  union {
    detail::std_token_registration registration_;
  };
};

static_assert(sizeof(void *) != 8 || sizeof(stop_slot) <= 96,
              "a slot lives in every frame that awaits with a token");

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
class [[nodiscard]] stop_guard : detail::armed_link<detail::slot_policy> {
  static_assert(std::invocable<F>,
                "stop_guard requires a callback that can be called without arguments");
  static_assert(std::destructible<F>, "stop_guard requires a callback that can be destroyed");

public:
  using callback_type = F;

  /// Constructs the callback from `callback`, then arms it on `slot`.
  /// Throws what constructing the callback throws; nothing is armed then.
  template <class C>
    requires std::is_constructible_v<F, C>
  explicit stop_guard(stop_slot &slot, C &&callback) noexcept(std::is_nothrow_constructible_v<F, C>)
      : armed_link(&stop_guard::run), slot_(slot.registration_.protocol()),
        callback_(std::forward<C>(callback)) {
    slot_.arm(*this, slot.token());
  }

  /// A guard needs a slot that outlives it.
  template <class C>
  stop_guard(stop_slot &&, C &&) = delete;

  stop_guard(const stop_guard &) = delete;
  stop_guard &operator=(const stop_guard &) = delete;

  ~stop_guard() { slot_.disarm(*this); }

private:
  static void run(armed_link &guard) noexcept {
    std::forward<F>(static_cast<stop_guard &>(guard).callback_)();
  }

  detail::std_token_registration::protocol_type &slot_;
  [[no_unique_address]] F callback_;
};

template <class F>
stop_guard(stop_slot &, F) -> stop_guard<F>;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif // CANCEL_USE_LEGACY_STOP_TOKEN

#endif
