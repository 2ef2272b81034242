// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between the one flow of control that arms guards and the one thread that stops it.
// It knows nothing of tokens and takes its atomics from a policy, so that a model checker can run
// it.
#ifndef CANCEL_DETAIL_SLOT_PROTOCOL_HPP
#define CANCEL_DETAIL_SLOT_PROTOCOL_HPP

#include <cancel/detail/spin_lock.hpp>
#include <cancel/fence.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

// A slow path that preserves its caller's registers costs nothing where it is not taken: the
// coroutine around it need not save any on entry. The convention is part of the function's name,
// because objects of compilers that disagree on it may end up in one program.
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define CANCEL_SLOW_CALL [[gnu::noinline, clang::preserve_most]]
namespace cancel::detail {
using slow_call = struct preserves_most_registers;
}
#else
#define CANCEL_SLOW_CALL [[gnu::noinline]]
namespace cancel::detail {
using slow_call = struct preserves_callee_saved_registers;
}
#endif

namespace cancel::detail {

/// The memory order of every access of the protocol, each with the access it pairs with.
///
/// *Owner* is the flow of control that arms and disarms, on whatever thread it currently runs; the
/// scheduler that moves it orders its own accesses. *Canceller* is the thread inside `stop()`.
struct slot_orders {
  // Dekker's pattern, whose two sides must not miss each other: the owner writes `head` and then
  // reads a stop flag, the canceller writes `stopped` and then reads `head`.
  // Shared mode: all four are seq_cst.
  static constexpr auto shared_head = std::memory_order_seq_cst;    // with canceller_mode
  static constexpr auto shared_stopped = std::memory_order_seq_cst; // with stop
  static constexpr auto stop = std::memory_order_seq_cst;           // with *_stopped, probe
  static constexpr auto canceller_mode = std::memory_order_seq_cst; // with shared_head, turn

  // Asymmetric mode: the fences order the same accesses. The stores are release, so that a
  // canceller that reads a guard from `head` sees it constructed. This includes the store that
  // pops: since C++20 it would otherwise end the release sequence that the guard below heads.
  static constexpr auto turned_arm = std::memory_order_release;         // with canceller_head
  static constexpr auto turned_disarm = std::memory_order_release;      // with canceller_head
  static constexpr auto light_after_arm = std::memory_order_seq_cst;    // with heavy
  static constexpr auto light_after_disarm = std::memory_order_seq_cst; // with heavy
  static constexpr auto turned_stopped = std::memory_order_relaxed;     // with stop, by the fences
  static constexpr auto heavy = std::memory_order_seq_cst;              // with light_after_*

  // The canceller's second look at `head`, which finds what the first one or the fence made
  // visible.
  static constexpr auto canceller_head = std::memory_order_acquire; // with shared_head, turned_*

  // Turning is Dekker's pattern once more, over the mode in `head` and `stopped`: the owner learns
  // of the stop, or the canceller learns that it has to fence.
  static constexpr auto turn = std::memory_order_seq_cst;  // with canceller_mode
  static constexpr auto probe = std::memory_order_seq_cst; // with stop

  // The owner reads back what it wrote itself.
  static constexpr auto own = std::memory_order_relaxed;

  // A callback runs above `stop()` on the same stack: what it disarms or ends, it does after the
  // stop. Nobody else relies on this load.
  static constexpr auto callback_stopped = std::memory_order_relaxed; // with stop

  // The owner takes a guard from the top under the lock.
  static constexpr auto locked_head = std::memory_order_relaxed; // with canceller_head, by the lock

  // The lock; releasing it after a callback makes the callback's effects visible to `disarm`.
  static constexpr auto lock = std::memory_order_acquire;   // with unlock
  static constexpr auto unlock = std::memory_order_release; // with lock
};

/// What the shipped library runs on. Anything else that a `slot_protocol` is instantiated with
/// offers the same names.
struct slot_policy {
  template <class T>
  using atomic = std::atomic<T>;
  template <class T>
  using plain = T;
  template <class Link>
  using callback = void (*)(Link &) noexcept;
  using mutex = spin_lock<slot_policy>;
  using order = slot_orders;
  using thread_id = std::thread::id;

  /// The awaits after which a slot has paid, in ordered stores, what a heavy fence costs beside a
  /// running thread.
  static constexpr std::uint16_t awaits_per_heavy_fence = 5'000;

  static thread_id this_thread() noexcept { return std::this_thread::get_id(); }
  static void yield() noexcept { std::this_thread::yield(); }
  static bool can_turn() noexcept { return asymmetric_thread_fence_available(); }

  /// A slot turns only where the heavy fence interrupts other threads: no instruction is needed
  /// here.
  static void light(std::memory_order) noexcept { compiler_barrier(); }
  static void heavy(std::memory_order order) noexcept { asymmetric_thread_fence_heavy(order); }
};

/// How the owner orders its accesses: by itself, or by leaving it to the canceller's heavy fence.
enum class slot_mode : std::uint8_t { shared, asymmetric };

/// A callback in a slot's stack. `stop_guard` is one.
template <class Policy>
struct armed_link {
  using run_function = typename Policy::template callback<armed_link>;

  explicit armed_link(run_function run) noexcept : run_(run) {}

  /// Under the lock.
  bool is_taken() const noexcept {
    const run_function run = run_;
    return !run;
  }

  /// The guard below. Written by the owner before it publishes this guard, later under the lock.
  typename Policy::template plain<armed_link *> prev_;
  /// Null once somebody has taken the guard to run it: the canceller, or the owner while arming it.
  /// Written under the lock once published.
  typename Policy::template plain<run_function> run_;
};

/// A stack of armed callbacks that one thread may fire once while one flow of control changes it.
///
/// `arm`, `disarm` and `close` belong to the owner, `stop` to any thread. In shared mode arming and
/// disarming cost an ordered store each; after a number of them without a stop the slot turns: from
/// then on they are plain stores and the stop pays a heavy fence.
///
/// The canceller takes the list from `head` once, under the lock, and never writes it; from there
/// it follows `cursor`. The owner therefore pops the top without the lock and touches anything
/// lower under it.
template <class Policy>
class slot_protocol {
  template <class T>
  using atomic = typename Policy::template atomic<T>;
  template <class T>
  using plain = typename Policy::template plain<T>;
  using order = typename Policy::order;

public:
  using link = armed_link<Policy>;

  /// A shared slot turns after `turns_after` calls of `arm`.
  slot_protocol(slot_mode mode, std::uint16_t turns_after) noexcept
      : head_(mode == slot_mode::shared ? shared_bit : 0), turns_after_(turns_after) {}

  slot_protocol(const slot_protocol &) = delete;
  slot_protocol &operator=(const slot_protocol &) = delete;

  /// Puts `guard` on top. If a stop was requested, runs it before returning, unless the canceller
  /// does.
  /// `token.stop_requested()` is what the slot is a relay of: it turns true, as an acquire
  /// operation, before `stop()` is called.
  template <class Token>
  [[gnu::always_inline]] void arm(link &guard, const Token &token) noexcept {
    const std::uintptr_t top = head_.load(order::own);
    if (!(top & shared_bit)) [[likely]] {
      guard.prev_ = reinterpret_cast<link *>(top);
      head_.store(to_word(&guard), order::turned_arm);
      Policy::light(order::light_after_arm);
      // `stopped` need not be read: the token was set before it by the same thread, and that
      // thread's heavy fence comes after both.
      if (!token.stop_requested()) [[likely]]
        return;
    }
    arm_slow<slow_call>(guard, token);
  }

  /// Takes `guard` out. If it is running on another thread, returns when it has run; what it did is
  /// visible then. If it is running on this thread, returns at once.
  [[gnu::always_inline]] void disarm(link &guard) noexcept {
    bool popped = false;
    // A callback leaves `head` to the owner, who may be running; hence the first look at `stopped`.
    if (!stopped_.load(order::callback_stopped) && head_.load(order::own) == to_word(&guard))
        [[likely]] { // on top, and turned
      head_.store(to_word(guard.prev_), order::turned_disarm);
      Policy::light(order::light_after_disarm);
      if (!stopped_.load(order::turned_stopped)) [[likely]]
        return;
      popped = true;
    }
    disarm_slow<slow_call>(guard, popped);
  }

  /// Runs what is armed, newest first, without holding the lock, and returns true; the first call
  /// only, every other one returns false at once. A callback may disarm any guard and may destroy
  /// the slot.
  bool stop() noexcept {
    if (stopped_.exchange(true, order::stop))
      return false;
    if (!(head_.load(order::canceller_mode) & shared_bit))
      Policy::heavy(order::heavy);

    walk here{Policy::this_thread()};
    lock_.lock();
    walk_ = &here;
    here.cursor = to_link(head_.load(order::canceller_head));
    while (link *const guard = here.cursor) {
      const typename link::run_function run = guard->run_;
      here.cursor = guard->prev_;
      here.running = guard;
      guard->run_ = nullptr;
      lock_.unlock();
      run(*guard); // which may end the lifetime of the guard, and of this slot
      if (here.slot_is_gone)
        return true;
      lock_.lock();
      here.running = nullptr;
    }
    walk_ = nullptr;
    lock_.unlock();
    return true;
  }

  /// Must precede the end of the slot's lifetime. What keeps `stop()` from being called, or waits
  /// for it to return on another thread, comes after it. Returns whether a stop has been seen.
  bool close() noexcept {
    // A canceller below us on this thread's stack wrote `stopped` itself; any other one may be
    // missed.
    if (!stopped_.load(order::callback_stopped)) [[likely]]
      return false;
    lock_.lock();
    if (walk *const canceller = walk_; canceller && canceller->thread == Policy::this_thread())
      canceller->slot_is_gone = true;
    lock_.unlock();
    return true;
  }

  /// How often `arm` was called in shared mode. For the owner.
  std::uint16_t shared_awaits() const noexcept { return awaits_; }

private:
  /// Where the canceller is; on its stack, so that the slot may die under it.
  struct walk {
    typename Policy::thread_id thread;
    plain<link *> cursor = nullptr;  ///< the next to run
    plain<link *> running = nullptr; ///< its callback may be in progress
    bool slot_is_gone = false;       ///< written and read by this thread alone
  };

  template <class Convention, class Token>
  CANCEL_SLOW_CALL void arm_slow(link &guard, const Token &token) noexcept {
    const std::uintptr_t top = head_.load(order::own);
    if (!(top & shared_bit))
      return arm_stopped(guard);
    guard.prev_ = to_link(top);
    head_.store(to_word(&guard) | shared_bit, order::shared_head);
    if (stopped_.load(order::shared_stopped) || token.stop_requested()) [[unlikely]]
      arm_stopped(guard);
    else if (++awaits_ == turns_after_) [[unlikely]]
      turn();
  }

  template <class Convention>
  CANCEL_SLOW_CALL void disarm_slow(link &guard, bool popped) noexcept {
    if (!stopped_.load(order::callback_stopped) &&
        head_.load(order::own) == (to_word(&guard) | shared_bit)) {
      head_.store(to_word(guard.prev_) | shared_bit, order::shared_head);
      if (!stopped_.load(order::shared_stopped)) [[likely]]
        return;
      popped = true;
    }
    disarm_locked(guard, popped);
  }

  /// The owner leaves its half of the ordering to the canceller. If a stop slips in between, so
  /// that the canceller does not know yet, the probe sees it, and so does whatever the owner reads
  /// next.
  [[gnu::noinline, gnu::cold]] void turn() noexcept {
    if (!Policy::can_turn())
      return;
    head_.store(head_.load(order::own) & ~shared_bit, order::turn);
    static_cast<void>(stopped_.load(order::probe));
  }

  /// A stop was requested while `guard` went on top: whoever takes it runs it. What preceded the
  /// request is visible here: both tests that lead here acquire.
  [[gnu::noinline, gnu::cold]] void arm_stopped(link &guard) noexcept {
    lock_.lock();
    const typename link::run_function run = guard.run_;
    const bool taken = guard.is_taken();
    if (!taken) {
      guard.run_ = nullptr;
      head_.store(to_word(guard.prev_) | (head_.load(order::own) & shared_bit), order::locked_head);
    }
    lock_.unlock();
    if (!taken)
      run(guard);
  }

  /// Whatever cannot be decided without the lock: `guard` was not on top, or a stop is under way.
  [[gnu::noinline, gnu::cold]] void disarm_locked(link &guard, bool popped) noexcept {
    lock_.lock();
    if (guard.is_taken())
      wait_until_run(guard);
    else if (!popped)
      unlink(guard);
    lock_.unlock();
  }

  /// Under the lock.
  void wait_until_run(link &guard) noexcept {
    const auto runs_elsewhere = [&] {
      walk *const canceller = walk_;
      return canceller && canceller->running == &guard &&
             !(canceller->thread == Policy::this_thread());
    };
    while (runs_elsewhere()) {
      lock_.unlock();
      Policy::yield();
      lock_.lock();
    }
  }

  /// Under the lock. Before the canceller has read `head` the list hangs there; afterwards what is
  /// left of it hangs on the cursor, and `head` may lead to guards that are no more.
  void unlink(link &guard) noexcept {
    if (walk *const canceller = walk_) {
      if (canceller->cursor == &guard)
        canceller->cursor = guard.prev_;
      else
        unlink_below(canceller->cursor, guard);
    } else {
      const std::uintptr_t top = head_.load(order::own);
      if (to_link(top) == &guard)
        head_.store(to_word(guard.prev_) | (top & shared_bit), order::locked_head);
      else
        unlink_below(to_link(top), guard);
    }
  }

  static void unlink_below(link *above, link &guard) noexcept {
    while (above->prev_ != &guard)
      above = above->prev_;
    above->prev_ = guard.prev_;
  }

  /// Marks every value of `head` in shared mode: one load of `head` tells the turned owner all it
  /// needs.
  static constexpr std::uintptr_t shared_bit = 1;
  static std::uintptr_t to_word(link *guard) noexcept {
    return reinterpret_cast<std::uintptr_t>(guard);
  }
  static link *to_link(std::uintptr_t word) noexcept {
    return reinterpret_cast<link *>(word & ~shared_bit);
  }

  atomic<std::uintptr_t> head_; ///< the newest guard, and the mode; written by the owner alone
  plain<walk *> walk_{nullptr}; ///< not null while the canceller follows the list; under the lock
  atomic<bool> stopped_{false};
  typename Policy::mutex lock_;
  std::uint16_t awaits_ = 0;
  const std::uint16_t turns_after_;
};

} // namespace cancel::detail

#endif
