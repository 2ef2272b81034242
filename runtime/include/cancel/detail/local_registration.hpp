// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slot that only its own thread stops.
#ifndef CANCEL_DETAIL_LOCAL_REGISTRATION_HPP
#define CANCEL_DETAIL_LOCAL_REGISTRATION_HPP

#include <cancel/detail/slot_registration.hpp>
#include <cancel/local_stop_queue.hpp>

#include <utility>

namespace cancel::detail {

/// One thread arms, disarms and fires: it needs no order but the compiler's.
template <class Token>
class local_registration : local_stop_queue::entry {
public:
  using signal_type = relayed_signal<Token>;

  local_registration(Token &&token, local_stop_queue &queue) noexcept
      : entry(queue, &local_registration::fire), protocol_(slot_mode::asymmetric, 0),
        token_(std::move(token)), relay_(token_, relay{*this}) {}

  /// Before the entry leaves the queue, the relay must have stopped posting it.
  ~local_registration() { protocol_.close(); }

  native_slot_protocol &protocol() noexcept { return protocol_; }
  const Token &token() const noexcept { return token_; }
  signal_type signal() const noexcept { return {token_}; }

private:
  struct relay {
    entry &posted;
    void operator()() const noexcept { posted.stop(); }
  };

  static void fire(entry &posted) noexcept {
    native_slot_protocol &protocol = static_cast<local_registration &>(posted).protocol_;
    protocol.mark();
    protocol.fire();
  }

  native_slot_protocol protocol_;
  Token token_;
  [[no_unique_address]] stop_callback_for_t<Token, relay>
      relay_; // last, as in relayed_registration
};

} // namespace cancel::detail

#endif
