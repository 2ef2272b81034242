// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the protocols of the shipped library run on: std::atomic, a spin lock, real fences.
#ifndef CANCEL_DETAIL_NATIVE_POLICY_HPP
#define CANCEL_DETAIL_NATIVE_POLICY_HPP

#include <cancel/detail/protocol_orders.hpp>
#include <cancel/detail/slow_call.hpp>
#include <cancel/detail/spin_lock.hpp>
#include <cancel/fence.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <thread>

namespace cancel::detail {

/// Tells the processor that this thread waits for another one, which may share its core.
inline void relax_processor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield" ::: "memory");
#endif
}

/// A number below 64 that the calling thread gives back when it ends. The lowest free one: as long
/// as no more threads register than a source has lists, no two of them share a list, however many
/// came before.
class thread_number {
public:
  thread_number() noexcept {
    // Relaxed throughout: a number only has to be distinct.
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    while (!taken_.compare_exchange_weak(taken, taken | lowest_free(taken),
                                         std::memory_order_relaxed)) {
    }
    mine_ = lowest_free(taken);
  }
  thread_number(const thread_number &) = delete;
  thread_number &operator=(const thread_number &) = delete;
  ~thread_number() { taken_.fetch_and(~mine_, std::memory_order_relaxed); }

  /// 64 if all are taken.
  unsigned value() const noexcept { return static_cast<unsigned>(std::countr_zero(mine_)); }

private:
  static std::uint64_t lowest_free(std::uint64_t taken) noexcept { return ~taken & (taken + 1); }

  static inline constinit std::atomic<std::uint64_t> taken_{0};
  std::uint64_t mine_;
};

template <class Convention>
CANCEL_SLOW_CALL unsigned take_thread_number() noexcept {
  thread_local const thread_number number;
  return number.value() + 1;
}

/// From 1 on.
inline unsigned this_thread_number() noexcept {
  constinit thread_local unsigned number = 0; // without a destructor: reading it is one load
  if (number == 0) [[unlikely]]
    number = take_thread_number<slow_call>();
  return number;
}

/// Anything else that a protocol is instantiated with offers the same names.
struct native_policy {
  template <class T>
  using atomic = std::atomic<T>;
  template <class T>
  using plain = T;
  template <class Node>
  using callback = void (*)(Node &) noexcept;
  using mutex = spin_lock<native_policy>;
  using order = protocol_orders;
  using thread_id = std::thread::id;

  /// The awaits after which a slot has paid, in ordered stores, what a heavy fence costs beside a
  /// running thread.
  static constexpr std::uint16_t awaits_per_heavy_fence = 5'000;

  static thread_id this_thread() noexcept { return std::this_thread::get_id(); }

  static unsigned this_thread_number() noexcept { return detail::this_thread_number(); }

  /// Waits a little, longer in later rounds: critical sections are short, but their owner may have
  /// lost its processor.
  static void wait(unsigned round) noexcept { pause(round, 1, 6); }

  /// Waits for a contended lock: long from the start, so that the thread that has the lock's line
  /// gets a good many critical sections done before the line moves.
  static void back_off(unsigned round) noexcept { pause(round, 32, 3); }

  /// Whether a slot may leave its ordering to the canceller of its own accord, and whether it may
  /// when it is told to. ThreadSanitizer's schedules have nothing to gain from the former.
  static bool can_turn() noexcept { return asymmetric_thread_fence_available(); }
  static bool can_start_turned() noexcept { return membarrier_works(); }

  /// A slot turns only where the heavy fence interrupts other threads: no instruction is needed
  /// here.
  static void light(std::memory_order) noexcept { compiler_barrier(); }
  static void heavy(std::memory_order order) noexcept { membarrier_or_terminate(order); }
  static void fence(std::memory_order order) noexcept { full_fence(order); }

private:
  static void pause(unsigned round, unsigned first, unsigned rounds) noexcept {
    if (round >= rounds)
      return std::this_thread::yield();
#if defined(__clang__)
#pragma clang loop unroll(disable)
#endif
    for (unsigned pauses = first << round; pauses; --pauses)
      relax_processor();
  }
};

} // namespace cancel::detail

#endif
