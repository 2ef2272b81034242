// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a coroutine completes with: a value, a reference, nothing, or an exception.
#ifndef CANCEL_DETAIL_TASK_RESULT_HPP
#define CANCEL_DETAIL_TASK_RESULT_HPP

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace cancel::detail {

/// The part of a promise that keeps the exception. Works without exceptions, where none comes.
class task_failure {
public:
  void unhandled_exception() noexcept { failure_ = std::current_exception(); }

  [[nodiscard]] bool has_failed() const noexcept { return failure_ != nullptr; }
  void rethrow() {
    if (failure_) [[unlikely]]
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }

private:
  std::exception_ptr failure_;
};

template <class T>
class task_result : public task_failure {
  static_assert(std::is_object_v<T> && std::destructible<T>,
                "a task gives an object, a reference or nothing");

public:
  task_result() noexcept {}
  task_result(const task_result &) = delete;
  task_result &operator=(const task_result &) = delete;
  ~task_result() {
    if (has_value_)
      std::destroy_at(std::addressof(value_));
  }

  template <class U = T>
    requires std::constructible_from<T, U>
  void return_value(U &&value) noexcept(std::is_nothrow_constructible_v<T, U>) {
    std::construct_at(std::addressof(value_), std::forward<U>(value));
    has_value_ = true;
  }

  /// Once.
  T take() {
    rethrow();
    return std::move(value_);
  }

private:
  bool has_value_ = false;
  union {
    T value_;
  };
};

template <class T>
class task_result<T &> : public task_failure {
public:
  void return_value(T &value) noexcept { value_ = std::addressof(value); }
  T &take() {
    rethrow();
    return *value_;
  }

private:
  T *value_ = nullptr;
};

template <>
class task_result<void> : public task_failure {
public:
  void return_void() const noexcept {}
  void take() { rethrow(); }
};

} // namespace cancel::detail

#endif
