// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which the owner of a slot and whoever stops it can agree on an order.
#ifndef CANCEL_STOP_POLICY_HPP
#define CANCEL_STOP_POLICY_HPP

#include <cstdint>

namespace cancel {

/// Who pays for the order between arming a guard and a stop. The meaning is the same under each.
/// There is a fourth way: a slot that is given a `local_stop_queue` is stopped by its own thread.
enum class stop_policy : std::uint8_t {
  /// Starts `shared` and turns `asymmetric` once its awaits have paid for a heavy fence.
  adaptive,
  /// The owner: two ordered stores a guard, and a stop without a heavy fence. For many stops.
  shared,
  /// Whoever stops: plain stores for the owner, one heavy fence a stop. For many awaits. Where the
  /// system has no such fence it is `shared`.
  asymmetric,
};

} // namespace cancel

#endif
