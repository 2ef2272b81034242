// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the protocols of the shipped library run on: std::atomic, a spin lock, real fences.
#ifndef CANCEL_DETAIL_NATIVE_POLICY_HPP
#define CANCEL_DETAIL_NATIVE_POLICY_HPP

#include <cancel/detail/protocol_orders.hpp>
#include <cancel/detail/spin_lock.hpp>
#include <cancel/fence.hpp>

#include <atomic>
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

/// Numbers the threads that ever registered, from 1 on.
inline unsigned this_thread_number() noexcept {
  static constinit std::atomic<unsigned> last{0};
  constinit thread_local unsigned number = 0;
  if (number == 0) [[unlikely]]
    number = last.fetch_add(1, std::memory_order_relaxed) + 1; // only has to be distinct
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
  static void wait(unsigned round) noexcept {
    if (round >= 6)
      return std::this_thread::yield();
    for (unsigned pauses = 1u << round; pauses; --pauses)
      relax_processor();
  }

  /// Whether a slot may leave its ordering to the canceller of its own accord, and whether it may
  /// when it is told to. ThreadSanitizer's schedules have nothing to gain from the former.
  static bool can_turn() noexcept { return asymmetric_thread_fence_available(); }
  static bool can_start_turned() noexcept { return membarrier_works(); }

  /// A slot turns only where the heavy fence interrupts other threads: no instruction is needed
  /// here.
  static void light(std::memory_order) noexcept { compiler_barrier(); }
  static void heavy(std::memory_order order) noexcept { membarrier_or_terminate(order); }
  static void fence(std::memory_order order) noexcept { full_fence(order); }
};

} // namespace cancel::detail

#endif
