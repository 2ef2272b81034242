// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least that any guard can cost that a stop finds through memory: publish, test, withdraw,
// test.

#include "loop.hpp"

#include <atomic>

namespace await_loop {

namespace {

/// Not a protocol: no stop ever comes, so nothing is ordered and nothing is waited for.
struct least_slot {
  struct link {
    void (*run)(link &) noexcept;
    link *prev;
  };
  std::atomic<link *> head{nullptr};
  std::atomic<bool> stopped{false};
};

template <class F>
class least_guard : least_slot::link {
public:
  least_guard(least_slot &slot, F callback)
      : link{&least_guard::call, slot.head.load(std::memory_order_relaxed)}, slot_(slot),
        callback_(callback) {
    put(this);
  }
  ~least_guard() { put(prev); }

private:
  static void call(link &l) noexcept { static_cast<least_guard &>(l).callback_(); }

  void put(link *top) noexcept {
    slot_.head.store(top, std::memory_order_release); // pairs with nothing: see above
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (slot_.stopped.load(std::memory_order_relaxed)) [[unlikely]]
      std::terminate();
  }

  least_slot &slot_;
  F callback_;
};

} // namespace

loop bound(event &e, std::stop_token st) {
  least_slot slot;
  while (!st.stop_requested()) {
    least_guard on_stop(slot, [&e] { e.cancel(); });
    co_await e;
  }
}

} // namespace await_loop
