// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least that arming and disarming can cost. None of them is a protocol: no stop ever comes, so
// nothing is walked and nothing is waited for.

#pragma once

#include "runtime_rows.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

namespace bench {

/// A callback as a type-erased link, as every list of callbacks has it.
struct bound_link {
  void (*run)(bound_link &) noexcept;
  bound_link *prev = nullptr;
};

/// The canceller and the owner exchange the one word that both use.
struct two_exchanges {
  std::atomic<bound_link *> word{nullptr};

  void arm(bound_link &guard) noexcept { swap(nullptr, &guard); }
  void disarm(bound_link &guard) noexcept { swap(&guard, nullptr); }

private:
  void swap(bound_link *from, bound_link *to) noexcept {
    if (word.exchange(to, std::memory_order_seq_cst) != from) [[unlikely]] // pairs with nothing
      std::terminate();
  }
};

/// Disarming is what completes the operation, so that arming need not be ordered.
struct one_exchange {
  std::atomic<bound_link *> word{nullptr};

  void arm(bound_link &guard) noexcept { word.store(&guard, std::memory_order_release); }
  void disarm(bound_link &guard) noexcept {
    if (word.exchange(nullptr, std::memory_order_seq_cst) != &guard) [[unlikely]] // with nothing
      std::terminate();
  }
};

/// Publish, test, withdraw, test; the canceller pays for the order.
struct asymmetric_stores {
  std::atomic<bound_link *> head{nullptr};
  std::atomic<bool> stopped{false};

  void arm(bound_link &guard) noexcept {
    guard.prev = head.load(std::memory_order_relaxed);
    put(&guard);
  }
  void disarm(bound_link &guard) noexcept { put(guard.prev); }

private:
  void put(bound_link *top) noexcept {
    head.store(top, std::memory_order_release); // pairs with nothing, as above
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (stopped.load(std::memory_order_relaxed)) [[unlikely]]
      std::terminate();
  }
};

/// One thread only: publish, withdraw.
struct plain_stores {
  bound_link *head = nullptr;

  void arm(bound_link &guard) noexcept { put(&guard); }
  void disarm(bound_link &) noexcept { put(nullptr); }

private:
  void put(bound_link *top) noexcept {
    head = top;
    asm volatile("" : : "r"(this) : "memory");
  }
};

/// Arms `F` on a bound for a scope.
template <class Bound, class F>
class bound_guard : bound_link {
public:
  bound_guard(Bound &bound, F callback) noexcept
      : bound_link{&bound_guard::call}, bound_(bound), callback_(std::move(callback)) {
    bound_.arm(*this);
  }
  bound_guard(const bound_guard &) = delete;
  bound_guard &operator=(const bound_guard &) = delete;
  ~bound_guard() { bound_.disarm(*this); }

  /// What a stop would do.
  void run_now() noexcept { run(*this); }

private:
  static void call(bound_link &link) noexcept { static_cast<bound_guard &>(link).callback_(); }

  Bound &bound_;
  F callback_;
};

/// The row of a bound: armed and disarmed each turn.
template <class Bound>
void measure_bound(turns &row) {
  Bound place;
  std::int64_t calls = 0;
  row.measure([&] {
    const bound_guard armed(place, count_call{calls});
    touch_memory();
  });
}

} // namespace bench
