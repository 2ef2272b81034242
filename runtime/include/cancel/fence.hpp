// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences whose cost falls on the rare side, so that the frequent side executes nothing.
#ifndef CANCEL_FENCE_HPP
#define CANCEL_FENCE_HPP

#include <cancel/detail/slow_call.hpp>

#include <atomic>
#include <coroutine>
#include <exception>

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#define CANCEL_HAS_MEMBARRIER 1
#else
#define CANCEL_HAS_MEMBARRIER 0
#endif

// ThreadSanitizer models neither membarrier nor fences.
#if defined(__SANITIZE_THREAD__)
#define CANCEL_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CANCEL_UNDER_TSAN 1
#endif
#endif
#ifndef CANCEL_UNDER_TSAN
#define CANCEL_UNDER_TSAN 0
#endif

namespace cancel {

/// Keeps the compiler from moving memory accesses across the call. Emits no instruction and does
/// not order the processor.
inline void compiler_barrier() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

namespace detail {

enum class membarrier_state : unsigned char { unknown, missing, registered };

/// What `query_membarrier` found, for readers that cannot afford the guard of a local static.
/// Only ever leaves `unknown`; relaxed, because a reader that still sees `unknown` merely asks
/// again.
inline std::atomic<membarrier_state> known_membarrier{membarrier_state::unknown};

/// Registers this process for MEMBARRIER_CMD_PRIVATE_EXPEDITED, once; thread-safe.
template <class Convention>
CANCEL_SLOW_CALL bool query_membarrier() noexcept {
#if CANCEL_HAS_MEMBARRIER
  static const bool registered = [] {
    const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0 &&
           ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0;
  }();
#else
  constexpr bool registered = false;
#endif
  known_membarrier.store(registered ? membarrier_state::registered : membarrier_state::missing,
                         std::memory_order_relaxed);
  return registered;
}

#if CANCEL_UNDER_TSAN
/// ThreadSanitizer ignores fences but understands read-modify-writes of one word, which order as
/// much.
inline std::atomic<unsigned> fence_word{0};
inline void full_fence(std::memory_order) noexcept {
  fence_word.fetch_add(1, std::memory_order_seq_cst);
}
#else
inline void full_fence(std::memory_order order) noexcept { std::atomic_thread_fence(order); }
#endif

/// Whether the system has the barrier and lets this process use it. Never changes its answer.
[[nodiscard]] inline bool membarrier_works() noexcept {
  const auto known = known_membarrier.load(std::memory_order_relaxed);
  if (known == membarrier_state::unknown) [[unlikely]]
    return query_membarrier<slow_call>();
  return known == membarrier_state::registered;
}

/// Precondition: `membarrier_works()`. A barrier that is refused after all cannot be ignored: other
/// threads have already relied on it.
inline void membarrier_or_terminate(std::memory_order order) noexcept {
  full_fence(order);
#if CANCEL_HAS_MEMBARRIER
  // The kernel orders the caller too (membarrier(2)); the compiler must not move accesses past it.
  compiler_barrier();
  if (::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) != 0) [[unlikely]]
    std::terminate();
  compiler_barrier();
#endif
}

} // namespace detail

/// Whether the heavy fence can order threads that execute nothing. Decided at the first call by any
/// thread and never changes afterwards: false on systems without membarrier, where a sandbox
/// forbids it, and under ThreadSanitizer, which does not model it and would report what it orders.
/// Cost: one load and one branch; the first call makes two system calls.
[[nodiscard]] inline bool asymmetric_thread_fence_available() noexcept {
  return !CANCEL_UNDER_TSAN && detail::membarrier_works();
}

/// The cheap half of a pair of fences (after P1202): together with a heavy fence in another thread
/// it orders memory as two std::atomic_thread_fence(order) would; two light fences do not order
/// each other. Cost: one load and one predicted branch where `asymmetric_thread_fence_available()`,
/// else a fence.
inline void asymmetric_thread_fence_light(std::memory_order order) noexcept {
  if (asymmetric_thread_fence_available()) [[likely]]
    compiler_barrier();
  else
    detail::full_fence(order);
}

/// The dear half: makes every running thread of the process pass a full fence before it returns.
/// Cost: a system call that interrupts each processor on which the process runs.
/// Calls std::terminate when the system refuses a barrier that it had promised: the light side has
/// already relied on it. Async-signal-safe after the first call.
inline void asymmetric_thread_fence_heavy(std::memory_order order) noexcept {
  if (asymmetric_thread_fence_available())
    detail::membarrier_or_terminate(order);
  else
    detail::full_fence(order);
}

/// Asks the processor to fetch the start of a suspended coroutine's frame, where the resume
/// function is stored. A hint: a null or dangling handle is harmless.
template <class Promise>
void prefetch_frame(std::coroutine_handle<Promise> coroutine) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(coroutine.address(), 0, 3);
#else
  static_cast<void>(coroutine);
#endif
}

} // namespace cancel

#endif
