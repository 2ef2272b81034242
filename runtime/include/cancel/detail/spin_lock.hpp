// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte that keeps two threads apart for a handful of instructions.
#ifndef CANCEL_DETAIL_SPIN_LOCK_HPP
#define CANCEL_DETAIL_SPIN_LOCK_HPP

#include <cancel/detail/slow_call.hpp>

#include <cstdint>

namespace cancel::detail {

/// A lock for critical sections that never block and never call out. Waiting spins and then yields;
/// nothing is notified, so that nothing is touched after the unlocking store.
template <class Policy>
class spin_lock {
public:
  void lock() noexcept {
    // With the stores in unlock and retire.
    if (word_.exchange(held, Policy::order::lock) == held) [[unlikely]]
      lock_contended<slow_call>();
  }
  /// With the exchange in lock.
  void unlock() noexcept { word_.store(free, Policy::order::unlock); }

  /// Unlocks, and says that what the lock protects will not change any more. With the exchange in
  /// lock and the load in is_retired.
  void retire() noexcept { word_.store(retired, Policy::order::unlock); }

  /// A hint that saves taking the lock: whoever took it after `retire` may have erased the mark.
  bool is_retired() const noexcept { return word_.load(Policy::order::retired) == retired; }

private:
  /// Out of line: what waits need not be in every place that locks.
  template <class Convention>
  CANCEL_SLOW_CALL void lock_contended() noexcept {
    // Reading leaves the line with its owner; the exchange is the one in lock.
    for (unsigned round = 0; word_.load(Policy::order::lock_peek) == held ||
                             word_.exchange(held, Policy::order::lock) == held;
         ++round)
      Policy::back_off(round);
  }

  static constexpr std::uint8_t free = 0;
  static constexpr std::uint8_t held = 1;
  static constexpr std::uint8_t retired = 2;

  typename Policy::template atomic<std::uint8_t> word_{free};
};

} // namespace cancel::detail

#endif
