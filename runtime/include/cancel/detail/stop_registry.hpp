// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is registered with a stop source, and the walk of the one thread that stops it.
#ifndef CANCEL_DETAIL_STOP_REGISTRY_HPP
#define CANCEL_DETAIL_STOP_REGISTRY_HPP

#include <cancel/detail/slot_protocol.hpp>
#include <cancel/stop_policy.hpp>

#include <cstdint>

namespace cancel::detail {

/// A place in one of a registry's lists. `prev_` points to whatever points here; null while the
/// node is in no list. Both under the registry's lock.
template <class Policy>
struct registry_node {
  using pointer = typename Policy::template plain<registry_node *>;

  pointer next_{nullptr};
  typename Policy::template plain<pointer *> prev_{nullptr};
};

/// A callback that the registry runs itself.
template <class Policy>
struct callback_node : registry_node<Policy> {
  using run_function = typename Policy::template callback<callback_node>;

  explicit callback_node(run_function run) noexcept : run_(run) {}

  run_function run_; ///< written before the node is registered
};

/// A slot, whose callbacks change without the registry's knowledge.
template <class Policy>
struct slot_node : registry_node<Policy> {
  slot_node(slot_mode mode, std::uint16_t turns_after) noexcept : protocol_(mode, turns_after) {}

  slot_protocol<Policy> protocol_;
};

/// Two lists under a lock, callbacks and slots; whoever stops marks the slots under that lock and
/// then takes one after the other, newest first, to run it outside of the lock.
///
/// `enlist` and `withdraw` may come from any thread, also from callbacks; `lock` to `close` are for
/// the stop state alone. Both are O(1) under the lock; a stop holds it while it marks: O(slots).
template <class Policy>
class stop_registry {
  template <class T>
  using plain = typename Policy::template plain<T>;
  using order = typename Policy::order;

public:
  using node = registry_node<Policy>;
  using callback = callback_node<Policy>;
  using slot = slot_node<Policy>;

  constexpr stop_registry() noexcept = default;
  stop_registry(const stop_registry &) = delete;
  stop_registry &operator=(const stop_registry &) = delete;

  /// Returns false if a stop was requested; `entry` is not registered then and has to run by
  /// itself.
  bool enlist(callback &entry) noexcept {
    lock_.lock();
    const bool open = !stopped_;
    if (open)
      push(callbacks_, entry);
    lock_.unlock();
    return open;
  }

  /// Returns false if a stop was requested; `entry` is marked then, and not registered.
  /// Its first mode is settled here, because an adaptive slot inherits what others have paid.
  [[gnu::always_inline]] bool enlist(slot &entry, stop_policy policy) noexcept {
    lock_.lock();
    const bool open = !stopped_;
    if (open) {
      start(entry, policy);
      push(slots_, entry);
    } else {
      entry.protocol_.mark();
    }
    lock_.unlock();
    return open;
  }

  /// Takes `entry` out. If it is being run on another thread, returns when it has been run.
  void withdraw(node &entry) noexcept {
    if (lock_.is_retired())
      return; // it has been taken out and run
    lock_.lock();
    take_out(entry);
    lock_.unlock();
  }

  /// The same for a slot that has been closed; what it awaited in shared mode counts for later
  /// ones.
  [[gnu::always_inline]] void withdraw(slot &entry) noexcept {
    if (lock_.is_retired())
      return;
    const std::uint32_t awaits = entry.protocol_.shared_awaits();
    lock_.lock();
    take_out(entry);
    const std::uint32_t paid = paid_ + awaits;
    paid_ = paid < Policy::awaits_per_heavy_fence ? static_cast<std::uint16_t>(paid)
                                                  : Policy::awaits_per_heavy_fence;
    lock_.unlock();
  }

  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }

  /// Under the lock: whether a stop was requested.
  bool is_stopped() const noexcept { return stopped_; }

  /// Under the lock: nothing can be registered from here on, and every slot knows. Returns whether
  /// there is any: then `order::marks` must come before `fire`.
  bool mark() noexcept {
    stopped_ = true;
    node *entry = slots_;
    const bool any = entry != nullptr;
    while (entry) {
      node *const next = entry->next_;
      static_cast<slot *>(entry)->protocol_.mark();
      entry = next;
    }
    return any;
  }

  /// Under the lock, which it releases: runs everything. `has_fenced` says whether a heavy fence
  /// has come after all marks; one is made when the first slot needs it. Returns false if the
  /// registry is gone.
  bool fire(bool &has_fenced) noexcept {
    walk here{Policy::this_thread()};
    walk_ = &here;
    while (slot *const first = drop_idle_slots(has_fenced)) {
      slot &entry = *first;
      unlink(entry);
      const bool needs_fence = !has_fenced && entry.protocol_.has_turned();
      here.running = &entry;
      lock_.unlock();
      if (needs_fence) {
        Policy::heavy(order::heavy);
        has_fenced = true;
      }
      entry.protocol_.fire();
      if (here.registry_is_gone)
        return false;
      lock_.lock();
      here.running = nullptr;
    }
    while (node *const first = callbacks_) {
      auto &entry = static_cast<callback &>(*first);
      unlink(entry);
      here.running = &entry;
      const typename callback::run_function run = entry.run_;
      lock_.unlock();
      run(entry); // which may end the lifetime of the entry, and of this registry
      if (here.registry_is_gone)
        return false;
      lock_.lock();
      here.running = nullptr;
    }
    walk_ = nullptr;
    lock_.retire();
    return true;
  }

  /// Must precede the end of the registry's lifetime, after a stop was requested: a walk on this
  /// thread learns of it, a walk on another one is waited for.
  void close() noexcept {
    if (lock_.is_retired())
      return;
    lock_.lock();
    for (unsigned round = 0; walk *const canceller = walk_; ++round) {
      if (canceller->thread == Policy::this_thread()) {
        canceller->registry_is_gone = true;
        break;
      }
      lock_.unlock();
      Policy::wait(round);
      lock_.lock();
    }
    lock_.unlock();
  }

private:
  /// Where the canceller is; on its stack, so that the registry may die under it.
  struct walk {
    typename Policy::thread_id thread;
    plain<node *> running = nullptr; ///< it may be in progress; under the lock
    bool registry_is_gone = false;   ///< written and read by this thread alone
  };

  void start(slot &entry, stop_policy policy) noexcept {
    const std::uint16_t outstanding = Policy::awaits_per_heavy_fence - paid_;
    const bool turned =
        policy == stop_policy::asymmetric
            ? Policy::can_start_turned()
            : policy == stop_policy::adaptive && outstanding == 0 && Policy::can_turn();
    entry.protocol_.start(turned ? slot_mode::asymmetric : slot_mode::shared,
                          policy == stop_policy::adaptive ? outstanding : 0);
  }

  // Under the lock.

  /// Takes the slots with nothing to fire from the front of the list, without a write to any other
  /// slot. Returns the first slot that is left.
  slot *drop_idle_slots(bool has_fenced) noexcept {
    node *first = slots_;
    for (; first; first = first->next_) {
      const slot_protocol<Policy> &protocol = static_cast<slot &>(*first).protocol_;
      if ((!has_fenced && protocol.has_turned()) || !protocol.is_idle())
        break;
      first->prev_ = nullptr;
    }
    slots_ = first;
    if (first)
      first->prev_ = &slots_;
    return static_cast<slot *>(first);
  }

  static void push(plain<node *> &list, node &entry) noexcept {
    node *const first = list;
    entry.next_ = first;
    entry.prev_ = &list;
    if (first)
      first->prev_ = &entry.next_;
    list = &entry;
  }

  static void unlink(node &entry) noexcept {
    node *const next = entry.next_;
    plain<node *> *const prev = entry.prev_;
    *prev = next;
    if (next)
      next->prev_ = prev;
    entry.prev_ = nullptr;
  }

  [[gnu::always_inline]] void take_out(node &entry) noexcept {
    plain<node *> *const prev = entry.prev_;
    if (prev)
      unlink(entry);
    else
      wait_until_run<slow_call>(entry);
  }

  template <class Convention>
  CANCEL_SLOW_CALL void wait_until_run(node &entry) noexcept {
    const auto runs_elsewhere = [&] {
      walk *const canceller = walk_;
      return canceller && canceller->running == &entry &&
             !(canceller->thread == Policy::this_thread());
    };
    for (unsigned round = 0; runs_elsewhere(); ++round) {
      lock_.unlock();
      Policy::wait(round);
      lock_.lock();
    }
  }

  plain<node *> callbacks_{nullptr};
  plain<node *> slots_{nullptr};
  plain<walk *> walk_{nullptr};  ///< not null while the canceller follows the lists
  plain<std::uint16_t> paid_{0}; ///< awaits in shared mode of slots that are no more
  plain<bool> stopped_{false};
  typename Policy::mutex lock_;
};

} // namespace cancel::detail

#endif
