// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines that are suspended until something happens or a stop is requested, and no others.
#ifndef CANCEL_WAIT_LIST_HPP
#define CANCEL_WAIT_LIST_HPP

#include <cancel/detail/native_policy.hpp>
#include <cancel/fence.hpp>
#include <cancel/resume.hpp>
#include <cancel/stop_claim.hpp>

#include <array>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace cancel {

/// A list that coroutines enter when they suspend and leave when they are woken; one that runs is
/// in no list. Completing and stopping a wait are decided under one lock, so that each is woken
/// once.
///
///     switch (co_await waiters.wait()) {
///     case cancel::wake_reason::completed: ...   // notify_all, notify_one
///     case cancel::wake_reason::stopped: ...     // request_stop, now or before
///     }
///
/// Coroutines are resumed on the calling thread, outside of the lock. Those of a batch are resumed
/// newest first, and their frames are fetched `prefetch_distance` ahead.
///
/// Thread-safety: every member from any thread at any time; of several `request_stop`, one wins.
/// Lifetime: the list outlives its waiters and the calls in progress, except that the coroutine
/// that is resumed last may end it. A coroutine may be destroyed while it waits, if nobody is about
/// to wake it. Cost: one lock to enter and one to be woken; no heap: the place in the list is part
/// of the coroutine's frame.
class wait_list {
  struct links {
    links *next = this;
    links *prev = this;
  };

public:
  /// One wait of one coroutine. Keep it by name to complete just this wait.
  class [[nodiscard]] awaiter : links {
  public:
    explicit awaiter(wait_list &list) noexcept : list_(list) {}
    awaiter(const awaiter &) = delete;
    awaiter &operator=(const awaiter &) = delete;
    ~awaiter() {
      if (waits_) // destroyed with its suspended coroutine
        list_.leave(*this);
    }

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> coroutine) noexcept {
      coroutine_ = coroutine;
      waits_ = true;
      return list_.enter(*this);
    }
    wake_reason await_resume() noexcept {
      waits_ = false;
      return reason_;
    }

    /// Ends this wait and resumes its coroutine, unless it has ended. One that precedes the wait is
    /// not lost. Returns whether this call decided. From any thread, while the awaiter exists.
    bool complete() noexcept { return list_.complete(*this); }

  private:
    friend class wait_list;

    wait_list &list_;
    std::coroutine_handle<> coroutine_;
    /// Addresses eight entries further down the list, fetched and never dereferenced: what stood
    /// there may have left.
    std::uintptr_t awaiter_ahead_ = 0;
    std::uintptr_t frame_ahead_ = 0;
    wake_reason reason_ = wake_reason::none; ///< under the list's lock
    bool waits_ = false;                     ///< the coroutine's own
  };

  wait_list() noexcept = default;
  wait_list(const wait_list &) = delete;
  wait_list &operator=(const wait_list &) = delete;
  ~wait_list() = default;

  /// To be awaited; gives the `wake_reason`. After a stop it does not suspend.
  awaiter wait() noexcept { return awaiter(*this); }

  /// Wakes every waiter as stopped, and every later one at once; returns whether this call was the
  /// first. O(waiters).
  bool request_stop() noexcept {
    std::unique_lock lock(lock_);
    if (stopped_.load(std::memory_order_relaxed)) // written under the lock that is held
      return false;
    stopped_.store(true, std::memory_order_release); // with the load in stop_requested
    wake(lock, wake_reason::stopped);
    return true;
  }

  /// What preceded the request is visible to whoever reads true.
  [[nodiscard]] bool stop_requested() const noexcept {
    return stopped_.load(std::memory_order_acquire); // with the store in request_stop
  }

  /// Wakes whoever waits now as completed; returns how many. One that waits again while the others
  /// are woken waits for the next call. O(waiters).
  std::size_t notify_all() noexcept {
    std::unique_lock lock(lock_);
    return wake(lock, wake_reason::completed);
  }

  /// Wakes the coroutine that has waited longest, if any; returns whether there was one.
  bool notify_one() noexcept {
    std::unique_lock lock(lock_);
    if (waiters_.prev == &waiters_)
      return false;
    awaiter &oldest = static_cast<awaiter &>(*waiters_.prev);
    unlink(oldest);
    oldest.reason_ = wake_reason::completed;
    lock.unlock();
    oldest.coroutine_.resume();
    return true;
  }

private:
  bool enter(awaiter &last) noexcept {
    const std::scoped_lock lock(lock_);
    if (last.reason_ != wake_reason::none)
      return false;
    if (stopped_.load(std::memory_order_relaxed)) { // written under the lock that is held
      last.reason_ = wake_reason::stopped;
      return false;
    }
    const recent newest{reinterpret_cast<std::uintptr_t>(&last),
                        reinterpret_cast<std::uintptr_t>(last.coroutine_.address())};
    recent &eighth = recent_[entered_++ % recent_.size()];
    last.awaiter_ahead_ = eighth.awaiter;
    last.frame_ahead_ = eighth.frame;
    eighth = newest;
    insert_after(waiters_, last);
    return true;
  }

  void leave(awaiter &gone) noexcept {
    const std::scoped_lock lock(lock_);
    unlink(gone);
  }

  bool complete(awaiter &chosen) noexcept {
    std::unique_lock lock(lock_);
    if (chosen.reason_ != wake_reason::none)
      return false;
    chosen.reason_ = wake_reason::completed;
    if (chosen.next == &chosen)
      return true; // not suspended yet: it will not suspend
    unlink(chosen);
    lock.unlock();
    chosen.coroutine_.resume();
    return true;
  }

  /// Resumes what waits now. The batch hangs on this thread's stack, where its members can still
  /// leave it under the lock.
  std::size_t wake(std::unique_lock<detail::spin_lock<detail::native_policy>> &lock,
                   wake_reason reason) noexcept {
    links batch;
    if (waiters_.next != &waiters_) {
      batch = {waiters_.next, waiters_.prev};
      batch.next->prev = batch.prev->next = &batch;
      waiters_ = {&waiters_, &waiters_};
    }
    std::size_t woken = 0;
    while (batch.next != &batch) {
      awaiter &newest = static_cast<awaiter &>(*batch.next);
      unlink(newest);
      newest.reason_ = reason;
      const std::coroutine_handle<> coroutine = newest.coroutine_;
      prefetch(newest.awaiter_ahead_);
      prefetch(newest.frame_ahead_);
      const bool last = batch.next == &batch;
      lock.unlock();
      coroutine.resume();
      ++woken;
      if (last)
        return woken; // this list may be gone
      lock.lock();
    }
    return woken;
  }

  static void prefetch(std::uintptr_t address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(reinterpret_cast<const void *>(address), 0, 3);
#else
    static_cast<void>(address);
#endif
  }

  static void insert_after(links &place, links &added) noexcept {
    added.next = place.next;
    added.prev = &place;
    place.next->prev = &added;
    place.next = &added;
  }
  static void unlink(links &gone) noexcept {
    gone.prev->next = gone.next;
    gone.next->prev = gone.prev;
    gone.next = gone.prev = &gone;
  }

  struct recent {
    std::uintptr_t awaiter, frame;
  };

  std::atomic<bool> stopped_{false};
  detail::spin_lock<detail::native_policy> lock_;
  links waiters_; ///< newest first
  std::size_t entered_ = 0;
  std::array<recent, prefetch_distance> recent_{}; ///< the eight that entered last
};

} // namespace cancel

#endif
