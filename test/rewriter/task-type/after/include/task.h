// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cancel/stop_frame.hpp>
#include <coroutine>
#include <exception>
#include <utility>

template <typename T = void>
class task;

class promise_base : public cancel::stop_frame {
public:
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) const noexcept {
      return done.promise().continuation_;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  final_awaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() { std::terminate(); }
  void continue_with(std::coroutine_handle<> continuation) { continuation_ = continuation; }

private:
  std::coroutine_handle<> continuation_ = std::noop_coroutine();
};

template <typename T>
class promise : public promise_base {
public:
  task<T> get_return_object();
  void return_value(T value) { value_ = std::move(value); }
  T take() { return std::move(value_); }

private:
  T value_{};
};

template <>
class promise<void> : public promise_base {
public:
  task<void> get_return_object();
  void return_void() {}
  void take() {}
};

template <typename T>
class task {
public:
  using promise_type = promise<T>;

  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  task(task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  ~task() {
    if (coroutine_)
      coroutine_.destroy();
  }

  void start() { coroutine_.resume(); }
  bool done() const { return coroutine_.done(); }

  auto operator co_await() const noexcept {
    return awaiter{coroutine_};
  }

private:
  struct awaiter {
    std::coroutine_handle<promise_type> child;

    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) const noexcept {
      child.promise().adopt(parent);
      child.promise().continue_with(parent);
      return child;
    }
    T await_resume() const { return child.promise().take(); }
  };

  std::coroutine_handle<promise_type> coroutine_;
};

template <typename T>
task<T> promise<T>::get_return_object() {
  return task<T>(std::coroutine_handle<promise>::from_promise(*this));
}

inline task<void> promise<void>::get_return_object() {
  return task<void>(std::coroutine_handle<promise>::from_promise(*this));
}
