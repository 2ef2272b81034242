// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between the one flow of control that arms guards and the one thread that stops it.
// It knows nothing of tokens and takes its atomics from a policy, so that a model checker can run
// it.
#ifndef CANCEL_DETAIL_SLOT_PROTOCOL_HPP
#define CANCEL_DETAIL_SLOT_PROTOCOL_HPP

#include <cancel/detail/slow_call.hpp>

#include <cstdint>

namespace cancel::detail {

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
/// `arm`, `disarm` and `close` belong to the owner, `stop` to any thread; a registry that stops
/// many slots calls `mark` and `fire` instead, with a fence between them. In shared mode arming and
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

  /// A shared slot turns after `turns_after` calls of `arm`; never, if that is 0.
  slot_protocol(slot_mode mode, std::uint16_t turns_after) noexcept
      : head_(mode == slot_mode::shared ? shared_bit : 0), turns_after_(turns_after) {}

  slot_protocol(const slot_protocol &) = delete;
  slot_protocol &operator=(const slot_protocol &) = delete;

  /// The constructor's choice, made again before the slot is known to anybody else.
  void start(slot_mode mode, std::uint16_t turns_after) noexcept {
    head_.store(mode == slot_mode::shared ? shared_bit : 0, order::own);
    turns_after_ = turns_after;
  }

  /// Puts `guard` on top. If a stop was requested, it has run before this returns; the canceller
  /// runs it if it comes first.
  ///
  /// `signal`, a value that refers, is what the owner learns of the stop from:
  /// `is_raised_after_light_fence(*this)` and `is_raised_in_order(*this)` tell whether it has come,
  /// in turned and in shared mode, and `await(*this)` returns when everything that preceded the
  /// request is visible.
  template <class Signal>
  [[gnu::always_inline]] void arm(link &guard, Signal signal) noexcept {
    const std::uintptr_t top = head_.load(order::own);
    if (!(top & shared_bit)) [[likely]] {
      guard.prev_ = reinterpret_cast<link *>(top);
      head_.store(to_word(&guard), order::turned_arm);
      Policy::light(order::light_after_arm);
      if (!signal.is_raised_after_light_fence(*this)) [[likely]]
        return;
    } else {
      guard.prev_ = to_link(top);
      head_.store(to_word(&guard) | shared_bit, order::shared_head);
      if (!signal.is_raised_in_order(*this)) [[likely]] {
        if (++awaits_ == turns_after_) [[unlikely]]
          turn<slow_call>();
        return;
      }
    }
    arm_stopped<slow_call>(guard, signal);
  }

  /// Takes `guard` out. If it is running on another thread, returns when it has run; what it did is
  /// visible then. If it is running on this thread, returns at once.
  [[gnu::always_inline]] void disarm(link &guard) noexcept {
    bool popped = false;
    // A callback leaves `head` to the owner, who may be running; hence the first look at `stopped`.
    if (!stopped_.load(order::callback_stopped)) [[likely]] {
      const std::uintptr_t top = head_.load(order::own);
      if (top == to_word(&guard)) [[likely]] { // on top, and turned
        head_.store(to_word(guard.prev_), order::turned_disarm);
        Policy::light(order::light_after_disarm);
        if (!stopped_.load(order::turned_stopped)) [[likely]]
          return;
        popped = true;
      } else if (top == (to_word(&guard) | shared_bit)) {
        head_.store(to_word(guard.prev_) | shared_bit, order::shared_head);
        if (!stopped_.load(order::shared_stopped)) [[likely]]
          return;
        popped = true;
      }
    }
    disarm_slow<slow_call>(guard, popped);
  }

  /// Runs what is armed, newest first, without holding the lock, and returns true; the first call
  /// only, every other one returns false at once. A callback may disarm any guard and may destroy
  /// the slot.
  bool stop() noexcept {
    bool not_yet = false;
    if (!stopped_.compare_exchange_strong(not_yet, true, order::stop, order::callback_stopped))
      return false;
    if (has_turned())
      Policy::heavy(order::heavy);
    fire();
    return true;
  }

  /// The first half of a stop. A full fence must come before the second half, and before anybody
  /// acts on `has_turned` or `is_idle`.
  void mark() noexcept { stopped_.store(true, order::mark); }

  /// Whether the second half of a stop needs a heavy fence before it.
  bool has_turned() const noexcept { return !(head_.load(order::canceller_mode) & shared_bit); }

  /// Whether there is nothing to fire: if `has_turned`, true only after a heavy fence.
  bool is_idle() const noexcept { return to_link(head_.load(order::canceller_head)) == nullptr; }

  /// The second half: one call only, by whoever marked the slot.
  void fire() noexcept {
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
        return;
      lock_.lock();
      here.running = nullptr;
    }
    walk_ = nullptr;
    fired_ = true;
    lock_.retire();
  }

  /// The owner's look at the slot's own flag, after its store to `head`.
  bool is_stopped_after_light_fence() const noexcept {
    return stopped_.load(order::turned_stopped);
  }
  bool is_stopped_in_order() const noexcept { return stopped_.load(order::shared_stopped); }

  /// Whether a stop has been requested; what preceded it is visible then.
  bool stop_requested() const noexcept { return stopped_.load(order::seen_stopped); }

  /// Must precede the end of the slot's lifetime. What keeps `stop()` or `fire()` from being
  /// called, or waits for it to return on another thread, comes after it. Returns whether a stop
  /// has been seen.
  bool close() noexcept {
    // A canceller below us on this thread's stack wrote `stopped` itself; any other one may be
    // missed.
    if (!stopped_.load(order::callback_stopped)) [[likely]]
      return false;
    close_stopped<slow_call>();
    return true;
  }

  /// The same for a slot that nothing else keeps alive: waits until a stop on another thread is
  /// over. No call of `stop()` may begin any more.
  void close_and_wait() noexcept {
    // Pairs with the exchange of `stopped` in stop (order::stop): whoever ends the slot knows of
    // the calls that have begun.
    if (!stop_requested()) [[likely]]
      return;
    for (unsigned round = 0; !lock_.is_retired(); ++round) {
      lock_.lock();
      walk *const canceller = walk_;
      const bool here = canceller && canceller->thread == Policy::this_thread();
      if (here)
        canceller->slot_is_gone = true;
      const bool over = here || fired_;
      leave();
      if (over)
        return;
      Policy::wait(round);
    }
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

  /// Unlocks; once everything has been fired, the lock is not needed any more.
  void leave() noexcept {
    if (fired_)
      lock_.retire();
    else
      lock_.unlock();
  }

  /// The canceller, if it is below us, must not come back to this slot.
  template <class Convention>
  CANCEL_SLOW_CALL void close_stopped() noexcept {
    if (lock_.is_retired())
      return;
    lock_.lock();
    if (walk *const canceller = walk_; canceller && canceller->thread == Policy::this_thread())
      canceller->slot_is_gone = true;
    leave();
  }

  /// The owner leaves its half of the ordering to the canceller. If a stop slips in between, so
  /// that the canceller does not know yet, the probe sees it, and so does whatever the owner reads
  /// next.
  template <class Convention>
  CANCEL_SLOW_CALL void turn() noexcept {
    if (turns_after_ == 0 || !Policy::can_turn())
      return;
    head_.store(head_.load(order::own) & ~shared_bit, order::turn);
    static_cast<void>(stopped_.load(order::probe));
  }

  /// A stop was requested before or while `guard` went on top: whoever takes it runs it, and it has
  /// run when this returns.
  template <class Convention, class Signal>
  CANCEL_SLOW_CALL void arm_stopped(link &guard, Signal signal) noexcept {
    signal.await(*this);
    lock_.lock();
    const typename link::run_function run = guard.run_;
    const bool taken = guard.is_taken();
    if (!taken) {
      guard.run_ = nullptr;
      head_.store(to_word(guard.prev_) | (head_.load(order::own) & shared_bit), order::locked_head);
    } else {
      // The request may have preceded this call, which then has to return after the callback.
      wait_until_run(guard);
    }
    leave();
    if (!taken)
      run(guard);
  }

  /// Whatever cannot be decided without the lock: `guard` was not on top, or a stop is under way.
  template <class Convention>
  CANCEL_SLOW_CALL void disarm_slow(link &guard, bool popped) noexcept {
    // When everything has been fired, what is left was popped, or was run while it was armed.
    // A call in tail position, so that no register need be saved for this answer.
    if (!lock_.is_retired())
      disarm_locked<Convention>(guard, popped);
  }

  template <class Convention>
  CANCEL_SLOW_CALL void disarm_locked(link &guard, bool popped) noexcept {
    lock_.lock();
    if (guard.is_taken())
      wait_until_run(guard);
    else if (!popped)
      unlink(guard);
    leave();
  }

  /// Under the lock.
  void wait_until_run(link &guard) noexcept {
    const auto runs_elsewhere = [&] {
      walk *const canceller = walk_;
      return canceller && canceller->running == &guard &&
             !(canceller->thread == Policy::this_thread());
    };
    for (unsigned round = 0; runs_elsewhere(); ++round) {
      lock_.unlock();
      Policy::wait(round);
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
  /// Two bytes off a multiple of four: clang loads a word of two bytes as one of four where it may,
  /// and such a load waits until the last store to it has left the store buffer.
  std::uint16_t awaits_ = 0;
  std::uint16_t turns_after_;
  plain<bool> fired_{false}; ///< the canceller has followed the list to its end; under the lock
};

} // namespace cancel::detail

#endif
