// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory order of every access of the protocols, each with the access it pairs with.
#ifndef CANCEL_DETAIL_PROTOCOL_ORDERS_HPP
#define CANCEL_DETAIL_PROTOCOL_ORDERS_HPP

#include <atomic>

namespace cancel::detail {

/// *Owner* is the flow of control that arms and disarms guards of one slot, on whatever thread it
/// currently runs; the scheduler that moves it orders its own accesses. *Canceller* is the thread
/// that won the right to stop. One table for all protocols: they meet in one registry.
struct protocol_orders {
  // slot_protocol: Dekker's pattern, whose two sides must not miss each other: the owner writes
  // `head` and then reads a stop flag, the canceller writes `stopped` and then reads `head`.
  // Shared mode: the owner's two are seq_cst, and the canceller's are seq_cst too, or separated by
  // a seq_cst fence.
  static constexpr auto shared_head = std::memory_order_seq_cst;    // with canceller_mode, marks
  static constexpr auto shared_stopped = std::memory_order_seq_cst; // with stop, marks
  static constexpr auto stop = std::memory_order_seq_cst;           // with *_stopped, probe
  static constexpr auto canceller_mode = std::memory_order_seq_cst; // with shared_head, turn

  // Asymmetric mode: the fences order the same accesses. The stores are release, so that a
  // canceller that reads a guard from `head` sees it constructed. This includes the store that
  // pops: since C++20 it would otherwise end the release sequence that the guard below heads.
  static constexpr auto turned_arm = std::memory_order_release;         // with canceller_head
  static constexpr auto turned_disarm = std::memory_order_release;      // with canceller_head
  static constexpr auto light_after_arm = std::memory_order_seq_cst;    // with heavy
  static constexpr auto light_after_disarm = std::memory_order_seq_cst; // with heavy
  static constexpr auto turned_stopped = std::memory_order_relaxed; // with stop, mark, by fences
  static constexpr auto heavy = std::memory_order_seq_cst;          // with light_after_*

  // The canceller's second look at `head`, which finds what the first one or the fence made
  // visible.
  static constexpr auto canceller_head = std::memory_order_acquire; // with shared_head, turned_*

  // Turning is Dekker's pattern once more, over the mode in `head` and `stopped`: the owner learns
  // of the stop, or the canceller learns that it has to fence.
  static constexpr auto turn = std::memory_order_seq_cst;  // with canceller_mode, marks
  static constexpr auto probe = std::memory_order_seq_cst; // with stop, marks

  // The owner reads back what it wrote itself.
  static constexpr auto own = std::memory_order_relaxed;

  // A callback runs above `fire()` on the same stack: what it disarms or ends, it does after the
  // stop. Nobody else relies on this load.
  static constexpr auto callback_stopped = std::memory_order_relaxed; // with stop, mark

  // A slot that its frame's handle stops has no token: what preceded the request is visible to
  // whoever finds out through `stopped`.
  static constexpr auto seen_stopped = std::memory_order_acquire; // with stop

  // The owner takes a guard from the top under the lock.
  static constexpr auto locked_head = std::memory_order_relaxed; // with canceller_head, by the lock

  // stop_registry: every slot is marked before the token turns true and before anything runs; one
  // fence then stands between all marks and all looks at `head`.
  static constexpr auto mark = std::memory_order_relaxed;      // with *_stopped, probe, by marks
  static constexpr auto marks = std::memory_order_seq_cst;     // with shared_*, turn, probe
  static constexpr auto request = std::memory_order_release;   // with requested
  static constexpr auto requested = std::memory_order_acquire; // with request

  // The locks; releasing one after a callback makes the callback's effects visible to whoever
  // waits for it.
  static constexpr auto lock = std::memory_order_acquire;      // with unlock
  static constexpr auto lock_peek = std::memory_order_relaxed; // confirmed by lock
  static constexpr auto unlock = std::memory_order_release;    // with lock, retired
  static constexpr auto retired = std::memory_order_acquire;   // with unlock

  // stop_claim: whoever decides publishes its result to the coroutine, and the coroutine that
  // suspends publishes its frame to whoever decides.
  static constexpr auto claim_suspend = std::memory_order_release; // with claim_decide
  static constexpr auto claim_decide = std::memory_order_acq_rel;  // with claim_suspend, claim_read
  static constexpr auto claim_read = std::memory_order_acquire;    // with claim_decide
  static constexpr auto claim_peek = std::memory_order_relaxed;    // confirmed by claim_decide
};

} // namespace cancel::detail

#endif
