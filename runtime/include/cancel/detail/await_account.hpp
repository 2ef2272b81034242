// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers, for slots that share a fate, how far their awaits have paid for a heavy fence.
#ifndef CANCEL_DETAIL_AWAIT_ACCOUNT_HPP
#define CANCEL_DETAIL_AWAIT_ACCOUNT_HPP

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace cancel::detail {

/// The ski-rental rule: slots rent ordered stores until the rent of a whole period, between two
/// stops, would have bought a heavy fence; from then on new slots start turned. This costs at most
/// twice what the better of the two modes would have cost, whichever that turns out to be.
///
/// Thread-safe. Every access is relaxed and pairs with nothing: a lost or late payment only moves
/// the moment at which slots turn. No line is written once the price is paid.
class await_account {
public:
  constexpr explicit await_account(std::uint16_t price) noexcept : price_(price) {}

  /// What a new slot still has to pay; 0 if it may start turned.
  std::uint16_t outstanding() const noexcept {
    const std::uint32_t paid = paid_.load(std::memory_order_relaxed);
    return static_cast<std::uint16_t>(price_ - std::min<std::uint32_t>(price_, paid));
  }

  /// A slot has died, unstopped, after `awaits` in shared mode.
  void pay(std::uint16_t awaits) noexcept {
    if (awaits != 0 && outstanding() != 0)
      paid_.fetch_add(awaits, std::memory_order_relaxed);
  }

  /// A slot was stopped: a new period begins.
  void start_period() noexcept {
    if (paid_.load(std::memory_order_relaxed) != 0)
      paid_.store(0, std::memory_order_relaxed);
  }

private:
  std::atomic<std::uint32_t> paid_{0};
  const std::uint16_t price_;
};

} // namespace cancel::detail

#endif
