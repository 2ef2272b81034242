// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a guard finds its slot: at a fixed address, or through a pointer that is taken away when
// the slot ends first.
#ifndef CANCEL_DETAIL_SLOT_PLACE_HPP
#define CANCEL_DETAIL_SLOT_PLACE_HPP

#include <cancel/detail/native_policy.hpp>
#include <cancel/detail/slot_protocol.hpp>

#include <cstdint>

namespace cancel::detail {

using native_slot_protocol = slot_protocol<native_policy>;

/// Lives in the guard's frame, below the guard. Null once the slot has ended.
struct slot_anchor {
  native_slot_protocol *slot;
};

/// One word: a guard is no larger for it.
class slot_place {
public:
  explicit slot_place(native_slot_protocol &slot) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&slot)) {}
  explicit slot_place(const slot_anchor &anchor) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&anchor) | anchor_bit) {}

  native_slot_protocol *protocol() const noexcept {
    if (word_ & anchor_bit)
      return reinterpret_cast<const slot_anchor *>(word_ & ~anchor_bit)->slot;
    return reinterpret_cast<native_slot_protocol *>(word_);
  }

private:
  static constexpr std::uintptr_t anchor_bit = 1;
  static_assert(alignof(native_slot_protocol) > anchor_bit && alignof(slot_anchor) > anchor_bit);

  std::uintptr_t word_;
};

} // namespace cancel::detail

#endif
