// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that starts when it is awaited and goes on with whoever awaits it, as most libraries have
// one.
#ifndef CANCEL_TEST_LAZY_H
#define CANCEL_TEST_LAZY_H

#include "task.h"

template <class T>
class lazy {
public:
  struct promise_type;

  lazy(lazy &&other) noexcept : coroutine(other.coroutine) { other.coroutine = nullptr; }
  ~lazy() {
    if (coroutine)
      coroutine.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const noexcept {
    coroutine.promise().awaiting = awaiting;
    return coroutine;
  }
  T await_resume() const { return static_cast<T &&>(coroutine.promise().result); }

private:
  explicit lazy(std::coroutine_handle<promise_type> coroutine) : coroutine(coroutine) {}

  std::coroutine_handle<promise_type> coroutine;
};

template <class T>
struct lazy<T>::promise_type {
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) const noexcept {
      return done.promise().awaiting;
    }
    void await_resume() const noexcept {}
  };

  lazy get_return_object() {
    return lazy(std::coroutine_handle<promise_type>::from_promise(*this));
  }
  std::suspend_always initial_suspend() noexcept { return {}; }
  final_awaiter final_suspend() noexcept { return {}; }
  void return_value(T value) { result = static_cast<T &&>(value); }
  void unhandled_exception() { std::terminate(); }

  T result{};
  std::coroutine_handle<> awaiting;
};

#endif
