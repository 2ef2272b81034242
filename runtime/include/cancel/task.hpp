// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lazy task whose callers' slots serve it too.
#ifndef CANCEL_TASK_HPP
#define CANCEL_TASK_HPP

#include <cancel/config.hpp>
#include <cancel/detail/task_result.hpp>
#include <cancel/stop_frame.hpp>

#include <coroutine>
#include <utility>

namespace cancel {
inline namespace CANCEL_MODE_NAMESPACE {

template <class T = void>
class task;

} // namespace CANCEL_MODE_NAMESPACE

namespace detail {

/// What the promises of all tasks have in common.
class task_promise_base : public stop_frame {
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> completed) const noexcept {
      return completed.promise().awaiting_;
    }
    void await_resume() const noexcept {}
  };

public:
  std::suspend_always initial_suspend() const noexcept { return {}; }
  final_awaiter final_suspend() const noexcept { return {}; }

  void set_awaiting(std::coroutine_handle<> coroutine) noexcept { awaiting_ = coroutine; }

private:
  std::coroutine_handle<> awaiting_ = std::noop_coroutine();
};

template <class T>
struct task_promise : task_promise_base, task_result<T> {
  task<T> get_return_object() noexcept;
};

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

/// A coroutine that starts when it is awaited and goes on with whoever awaits it when it completes,
/// on the thread where that happens and without growing the stack. It gives a `T`, which may be a
/// reference or void, or throws what the coroutine threw.
///
///     cancel::task<std::size_t> read(socket &sock, std::span<std::byte> into, std::stop_token st)
///     {
///       auto &&cancel_slot = co_await cancel::slot_for(st);   // the caller's, if it has one
///       cancel::stop_guard on_stop(cancel_slot, [&] { sock.cancel(); });
///       co_return co_await sock.read(into);
///     }
///
/// Its promise is a `stop_frame`: `cancel::request_stop(t.handle())` stops what it armed on that
/// frame, and slots are handed down from each task to the tasks that it awaits.
///
/// Thread-safety: none; a task is awaited or started once, by one coroutine or thread, and
/// destroyed when it has completed or is suspended. Lifetime: the coroutine's frame dies with the
/// task.
template <class T>
class [[nodiscard]] task {
public:
  using promise_type = detail::task_promise<T>;

  task(task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task &operator=(task &&other) noexcept {
    task(std::move(other)).swap(*this);
    return *this;
  }
  ~task() {
    if (coroutine_)
      coroutine_.destroy();
  }
  void swap(task &other) noexcept { std::swap(coroutine_, other.coroutine_); }
  friend void swap(task &a, task &b) noexcept { a.swap(b); }

  /// Starts the coroutine where there is none that could await it. Precondition: it has not
  /// started.
  void start() const { coroutine_.resume(); }
  [[nodiscard]] bool done() const noexcept { return coroutine_.done(); }
  /// What awaiting it would give. Precondition: `done()`.
  T result() { return coroutine_.promise().take(); }

  [[nodiscard]] std::coroutine_handle<promise_type> handle() const noexcept { return coroutine_; }

  /// Precondition: it has not started, or is done.
  auto operator co_await() const noexcept { return awaiter{coroutine_}; }

private:
  friend promise_type;

  struct [[nodiscard]] awaiter {
    std::coroutine_handle<promise_type> child;

    bool await_ready() const noexcept { return child.done(); }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) const noexcept {
      child.promise().adopt(parent);
      child.promise().set_awaiting(parent);
      return child;
    }
    T await_resume() const { return child.promise().take(); }
  };

  explicit task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

} // namespace CANCEL_MODE_NAMESPACE

template <class T>
task<T> detail::task_promise<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}

} // namespace cancel

#endif
