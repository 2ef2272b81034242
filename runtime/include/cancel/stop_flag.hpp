// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stop request to poll, and nothing else: one cache line, one relaxed load.
#ifndef CANCEL_STOP_FLAG_HPP
#define CANCEL_STOP_FLAG_HPP

#include <atomic>

namespace cancel {

/// A one-way flag for loops that poll. It alone occupies its cache line, so that what stands beside
/// it does not slow down the poll.
///
/// Thread-safety: every member may be called from any thread at any time. Lifetime: outlives its
/// users. Cost: a poll is one load and one branch on every architecture.
class alignas(64) stop_flag {
public:
  constexpr stop_flag() noexcept = default;
  stop_flag(const stop_flag &) = delete;
  stop_flag &operator=(const stop_flag &) = delete;

  /// Raises the flag; returns whether this call was the first. What precedes it is visible to
  /// whoever sees the flag through `should_stop`.
  bool request_stop() noexcept {
    // Release pairs with the acquire load in should_stop; acquire lets a second requester see what
    // the first one did.
    return !requested_.load(std::memory_order_acquire) &&
           !requested_.exchange(true, std::memory_order_acq_rel);
  }

  /// Whether the flag is up. Orders nothing: for loops that only leave.
  [[nodiscard]] bool stop_requested() const noexcept {
    return requested_.load(std::memory_order_relaxed); // pairs with nothing, by contract
  }

  /// The same; if it returns true, everything that preceded the request is visible. Costs no more
  /// while it returns false.
  [[nodiscard]] bool should_stop() const noexcept {
    if (!requested_.load(std::memory_order_relaxed)) [[likely]] // confirmed by the load below
      return false;
    // Pairs with the exchange in request_stop. A second load rather than a fence, which
    // ThreadSanitizer does not understand; it cannot read anything older than the first one did.
    return requested_.load(std::memory_order_acquire);
  }

private:
  std::atomic<bool> requested_{false};
};

static_assert(sizeof(stop_flag) == 64 && alignof(stop_flag) == 64);

} // namespace cancel

#endif
