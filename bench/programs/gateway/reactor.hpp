// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread, one epoll set: everything that belongs to a reactor runs on the thread in run().

#pragma once

#include "task.hpp"
#include "unique_fd.hpp"

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace gateway {

/// Receives the readiness of one descriptor. Called on the reactor's thread, never reentrantly.
class io_handler {
public:
  virtual void on_ready(std::uint32_t epoll_events) noexcept = 0;

protected:
  ~io_handler() = default;
};

class timer;

class reactor {
public:
  using clock = std::chrono::steady_clock;

  reactor();

  /// Runs `root`, and whatever it spawns, to the end. `outside` may be stopped on any thread; the
  /// reactor's own token follows on this one.
  void run(task<void> root, const std::stop_token &outside);

  /// Stopped on the reactor's thread only, so its callbacks need no lock.
  std::stop_token stop_token() const noexcept { return stop_.get_token(); }

  /// Resumes `h` later on the reactor's thread, never here: callers may hold half-made changes.
  void schedule(std::coroutine_handle<> h) { ready_.push_back(h); }

  /// The time of the current turn; one clock read serves all coroutines of the turn.
  clock::time_point now() const noexcept { return now_; }

  /// Edge-triggered, both directions. `handler` must stay until remove().
  void add(int fd, io_handler &handler);
  void remove(int fd) noexcept;

private:
  friend class timer;

  void resume_ready();
  void poll();
  void expire_timers();
  int milliseconds_to_next_timer() const;

  unique_fd epoll_;
  unique_fd wakeup_; // an eventfd: the only thing other threads touch
  std::stop_source stop_;
  clock::time_point now_ = clock::now();
  std::vector<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> resuming_;
  std::set<std::pair<clock::time_point, timer *>> timers_;
};

/// A condition one coroutine waits for. Stays set until reset().
class event {
public:
  explicit event(reactor &r) noexcept : reactor_(r) {}

  bool is_set() const noexcept { return set_; }
  void reset() noexcept { set_ = false; }
  void set() {
    set_ = true;
    if (waiter_)
      reactor_.schedule(std::exchange(waiter_, nullptr));
  }

  // Not the event itself: GCC 12 copies an awaiter that a function returns by reference.
  class awaiter {
  public:
    explicit awaiter(event &e) noexcept : event_(e) {}
    bool await_ready() const noexcept { return event_.set_; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { event_.waiter_ = h; }
    void await_resume() const noexcept {}

  private:
    event &event_;
  };

  /// `co_await e.wait()`: completes once set, at once if it is.
  awaiter wait() noexcept { return awaiter(*this); }

private:
  reactor &reactor_;
  std::coroutine_handle<> waiter_;
  bool set_ = false;
};

/// A deadline one coroutine waits for.
class timer {
public:
  explicit timer(reactor &r) noexcept : reactor_(r), expired_(r) {}
  ~timer() { disarm(); }
  timer(const timer &) = delete;
  timer &operator=(const timer &) = delete;

  /// `co_await t.until(when)`: completes at `when`, at once if that is past, or at cancel().
  event::awaiter until(reactor::clock::time_point when);

  /// Ends this wait and every later one at once.
  void cancel();

private:
  friend class reactor;

  void disarm() noexcept {
    if (std::exchange(armed_, false))
      reactor_.timers_.erase({when_, this});
  }

  reactor &reactor_;
  event expired_;
  reactor::clock::time_point when_{};
  bool armed_ = false;
  bool cancelled_ = false;
};

} // namespace gateway
