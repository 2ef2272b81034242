// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a slot's protocol learns of a stop: enlisted with this library's sources, or relayed by a
// stop callback of another one.
#ifndef CANCEL_DETAIL_SLOT_REGISTRATION_HPP
#define CANCEL_DETAIL_SLOT_REGISTRATION_HPP

#include <cancel/detail/await_account.hpp>
#include <cancel/detail/native_policy.hpp>
#include <cancel/detail/slot_place.hpp>
#include <cancel/stop_policy.hpp>
#include <cancel/stop_source.hpp>
#include <cancel/stoppable_token.hpp>

#include <cstdint>
#include <utility>

namespace cancel::detail {

inline native_stop_state *state_of(const inplace_stop_token &token) noexcept {
  return token_access::state(token);
}
inline native_stop_state *state_of(const stop_token &token) noexcept {
  return shared_token_access::state(token);
}

/// A token whose source marks slots itself, before any callback runs.
template <class Token>
concept marking_token = requires(const Token &token) { state_of(token); };

/// The slot's own flag, which its stop sets before it looks for guards.
template <class Token>
struct marked_signal {
  const Token &token;

  bool is_raised_after_light_fence(const native_slot_protocol &slot) const noexcept {
    return slot.is_stopped_after_light_fence();
  }
  bool is_raised_in_order(const native_slot_protocol &slot) const noexcept {
    return slot.is_stopped_in_order();
  }
  /// Slots are marked a moment before the token turns true; no callback may run in between.
  void await(const native_slot_protocol &) const noexcept {
    for (unsigned round = 0; !token.stop_requested(); ++round)
      native_policy::wait(round);
  }
};

/// A slot in the registry of one of this library's sources.
template <class Token>
class enlisted_registration {
public:
  using signal_type = marked_signal<Token>;

  [[gnu::always_inline]] enlisted_registration(Token &&token, stop_policy policy) noexcept
      // Nobody ever stops an impossible token, so that nobody would ever have to fence.
      : slot_(slot_mode::asymmetric, 0), token_(std::move(token)) {
    if (native_stop_state *const state = state_of(token_)) {
      auto &registry = state->registry_of_this_thread();
      if (registry.enlist(slot_, policy))
        registry_ = &registry;
    }
  }

  [[gnu::always_inline]] ~enlisted_registration() {
    slot_.protocol_.close();
    if (registry_)
      registry_->withdraw(slot_);
  }

  native_slot_protocol &protocol() noexcept { return slot_.protocol_; }
  const Token &token() const noexcept { return token_; }
  signal_type signal() const noexcept { return {token_}; }

private:
  slot_node<native_policy> slot_;
  native_stop_state::registry *registry_ = nullptr;
  Token token_;
};

/// A foreign token, which turns true before its source calls the slot.
template <class Token>
struct relayed_signal {
  const Token &token;

  /// `stopped` need not be read here: the token was set before it by the same thread, and that
  /// thread's heavy fence, if any, comes after both.
  bool is_raised_after_light_fence(const native_slot_protocol &) const noexcept {
    return token.stop_requested();
  }
  /// Ordered stores have only the slot's own flag to be ordered with; the token is asked as well,
  /// because the source may be held up by another callback before it calls the slot.
  bool is_raised_in_order(const native_slot_protocol &slot) const noexcept {
    return slot.is_stopped_in_order() || token.stop_requested();
  }
  void await(const native_slot_protocol &) const noexcept {}
};

/// Foreign sources have no room for an account: all their slots in the process share one.
inline constinit await_account relayed_account{native_policy::awaits_per_heavy_fence};

/// A slot behind one stop callback of a foreign source.
template <class Token>
class relayed_registration {
public:
  using signal_type = relayed_signal<Token>;

  relayed_registration(Token &&token, stop_policy policy) noexcept
      : relayed_registration(std::move(token), policy, relayed_account.outstanding()) {}

  ~relayed_registration() {
    if (!protocol_.close())
      relayed_account.pay(protocol_.shared_awaits());
  }

  native_slot_protocol &protocol() noexcept { return protocol_; }
  const Token &token() const noexcept { return token_; }
  signal_type signal() const noexcept { return {token_}; }

private:
  /// What the stop source calls. The slot may be gone when `stop()` returns.
  struct relay {
    native_slot_protocol &protocol;
    void operator()() const noexcept {
      relayed_account.start_period();
      protocol.stop();
    }
  };

  relayed_registration(Token &&token, stop_policy policy, std::uint16_t outstanding) noexcept
      : protocol_(initial_mode(token, policy, outstanding),
                  policy == stop_policy::adaptive ? outstanding : 0),
        token_(std::move(token)), relay_(token_, relay{protocol_}) {}

  static slot_mode initial_mode(const Token &token, stop_policy policy,
                                std::uint16_t outstanding) noexcept {
    const bool turned =
        !token.stop_possible() // nobody would ever have to fence
        || (policy == stop_policy::asymmetric && native_policy::can_start_turned()) ||
        (policy == stop_policy::adaptive && outstanding == 0 && native_policy::can_turn());
    return turned ? slot_mode::asymmetric : slot_mode::shared;
  }

  native_slot_protocol protocol_;
  Token token_;
  /// Last, because a stop may arrive as soon as it is there; its destructor waits for the relay.
  [[no_unique_address]] stop_callback_for_t<Token, relay> relay_;
};

template <class Token>
struct registration_of {
  using type = relayed_registration<Token>;
};
template <marking_token Token>
struct registration_of<Token> {
  using type = enlisted_registration<Token>;
};

} // namespace cancel::detail

#endif
