// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where stops from other threads wait for the thread that owns the slots.
#ifndef CANCEL_LOCAL_STOP_QUEUE_HPP
#define CANCEL_LOCAL_STOP_QUEUE_HPP

#include <cancel/detail/native_policy.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <thread>
#include <type_traits>

namespace cancel {

/// The stops that other threads have requested and that one thread, usually an event loop's, has
/// yet to carry out.
///
///     auto wake = [&]() noexcept { loop.wake_up(); };           // e.g. writes an eventfd
///     cancel::local_stop_queue stops(wake);
///     ...
///     cancel::stop_slot slot(token, stops);                     // in a coroutine of this loop
///     ...
///     stops.run();                                              // on each turn of the loop
///
/// Thread-safety: constructed, run and destroyed by its owner, the thread that constructs it.
/// Lifetime: outlives its slots; `wake` outlives the queue. Cost: a stop from elsewhere takes a
/// lock and, if nothing was waiting, one call of `wake`; nothing is allocated.
class local_stop_queue {
public:
  /// `wake` is called by threads that request a stop, after the first slot has been posted to an
  /// empty queue.
  template <std::invocable Wake>
    requires std::is_nothrow_invocable_v<Wake &>
  explicit local_stop_queue(Wake &wake) noexcept
      : wake_([](void *context) noexcept { (*static_cast<Wake *>(context))(); }),
        context_(std::addressof(wake)) {}

  local_stop_queue(const local_stop_queue &) = delete;
  local_stop_queue &operator=(const local_stop_queue &) = delete;
  ~local_stop_queue() = default;

  /// Runs the callbacks of every slot that was stopped elsewhere; returns how many slots.
  std::size_t run() noexcept {
    std::size_t slots = 0;
    lock_.lock();
    while (entry *const first = first_) {
      unlink(*first);
      lock_.unlock();
      first->run(*first); // which may end its lifetime
      ++slots;
      lock_.lock();
    }
    lock_.unlock();
    return slots;
  }

  /// Whether the calling thread is the owner.
  [[nodiscard]] bool owned_by_this_thread() const noexcept {
    return owner_ == std::this_thread::get_id();
  }

  /// A place in the queue, part of a slot. For the library's own use.
  class entry {
  public:
    using run_function = void (*)(entry &) noexcept;

    entry(local_stop_queue &queue, run_function run) noexcept : run(run), queue_(queue) {}
    entry(const entry &) = delete;
    entry &operator=(const entry &) = delete;

    ~entry() {
      queue_.lock_.lock();
      if (prev_)
        unlink(*this);
      queue_.lock_.unlock();
    }

    /// What a stop does, once: at once on the owner's thread, later if on another one.
    void stop() noexcept {
      if (queue_.owned_by_this_thread())
        run(*this);
      else
        queue_.post(*this);
    }

    const run_function run;

  private:
    friend class local_stop_queue;

    local_stop_queue &queue_;
    entry *next_ = nullptr;
    entry **prev_ = nullptr; ///< what points here; null while not in the queue
  };

private:
  void post(entry &last) noexcept {
    lock_.lock();
    const bool was_empty = first_ == nullptr;
    last.prev_ = last_;
    *last_ = &last;
    last_ = &last.next_;
    lock_.unlock();
    if (was_empty)
      wake_(context_);
  }

  static void unlink(entry &gone) noexcept {
    *gone.prev_ = gone.next_;
    if (gone.next_)
      gone.next_->prev_ = gone.prev_;
    else
      gone.queue_.last_ = gone.prev_;
    gone.next_ = nullptr;
    gone.prev_ = nullptr;
  }

  detail::spin_lock<detail::native_policy> lock_;
  entry *first_ = nullptr;
  entry **last_ = &first_;
  void (*const wake_)(void *) noexcept;
  void *const context_;
  const std::thread::id owner_ = std::this_thread::get_id();
};

} // namespace cancel

#endif
