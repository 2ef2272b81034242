// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets debug builds find a coroutine that goes on when the slot that it was handed has ended.
#ifndef CANCEL_DETAIL_ADOPTION_RECORD_HPP
#define CANCEL_DETAIL_ADOPTION_RECORD_HPP

#ifdef NDEBUG
#define CANCEL_CHECKS_ADOPTION 0
#else
#define CANCEL_CHECKS_ADOPTION 1
#include <atomic>
#include <cassert>
#include <cstdint>
#endif

namespace cancel::detail {

#if CANCEL_CHECKS_ADOPTION

/// What a slot and the coroutines that it was handed to know of each other. On the heap, because
/// either side may end first, and a coroutine that has completed may end anywhere.
class adoption_record {
public:
  /// With one owner. A debug build may end for want of memory.
  static adoption_record *make() { return new adoption_record; }

  /// Relaxed, paired with nothing: who adds an owner is one, and tells the new one itself.
  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void remove_owner() noexcept {
    // Acquire and release, paired with the other owners' of this line: the last one ends what they
    // used before.
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// The slot ends. Both are relaxed and pair with nothing: whoever asks is ordered by its own flow
  /// of control, or in error.
  void slot_ends() noexcept { slot_has_ended_.store(true, std::memory_order_relaxed); }
  bool slot_has_ended() const noexcept { return slot_has_ended_.load(std::memory_order_relaxed); }

private:
  ~adoption_record() = default;

  std::atomic<std::uint32_t> owners_{1};
  std::atomic<bool> slot_has_ended_{false};
};
#else
class adoption_record;
#endif

/// A part of a record, or of none. As large in release builds, where it does nothing: both may meet
/// in one program.
class adoption_share {
public:
  adoption_share() noexcept = default;
  adoption_share(const adoption_share &) = delete;
  adoption_share &operator=(const adoption_share &) = delete;

#if CANCEL_CHECKS_ADOPTION
  ~adoption_share() { drop(); }

  /// On the coroutine's side: what the slot's side has, made now if need be.
  void take(adoption_share &slot) noexcept {
    if (!slot.record_)
      slot.record_ = adoption_record::make();
    slot.record_->add_owner();
    drop();
    record_ = slot.record_;
  }
  void drop() noexcept {
    if (record_)
      record_->remove_owner();
    record_ = nullptr;
  }
  /// On the slot's side.
  void slot_ends() noexcept {
    if (record_)
      record_->slot_ends();
  }
  /// On the coroutine's side, when it is about to use the slot.
  void expect_slot() const noexcept {
    assert(!(record_ && record_->slot_has_ended()) &&
           "a coroutine runs although the coroutine that handed down its slot has ended");
  }
#else
  ~adoption_share() = default;
  void take(adoption_share &) noexcept {}
  void drop() noexcept {}
  void slot_ends() noexcept {}
  void expect_slot() const noexcept {}
#endif

private:
  [[maybe_unused]] adoption_record *record_ = nullptr;
};

} // namespace cancel::detail

#endif
