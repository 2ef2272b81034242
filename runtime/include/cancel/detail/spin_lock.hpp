// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte that keeps two threads apart for a handful of instructions.
#ifndef CANCEL_DETAIL_SPIN_LOCK_HPP
#define CANCEL_DETAIL_SPIN_LOCK_HPP

namespace cancel::detail {

/// A lock for critical sections that never block and never call out. Waiting yields; nothing is
/// notified, so that nothing is touched after the unlocking store.
template <class Policy>
class spin_lock {
public:
  void lock() noexcept {
    while (locked_.exchange(true, Policy::order::lock)) // with the store in unlock
      Policy::yield();
  }
  void unlock() noexcept {
    locked_.store(false, Policy::order::unlock);
  } // with the exchange in lock

private:
  typename Policy::template atomic<bool> locked_{false};
};

} // namespace cancel::detail

#endif
