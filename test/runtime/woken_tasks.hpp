// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that wait for an event and then complete in each of the ways there are.
#ifndef CANCEL_TEST_RUNTIME_WOKEN_TASKS_HPP
#define CANCEL_TEST_RUNTIME_WOKEN_TASKS_HPP

#include "coroutine.hpp"

#include <cancel/task.hpp>

#include <stdexcept>

namespace cancel_test {

/// Gives `value`, which may be a reference.
template <class T>
cancel::task<T> gives(event &wake, T value) {
  co_await wake;
  co_return value;
}
inline cancel::task<> gives_nothing(event &wake) { co_await wake; }

#ifdef __cpp_exceptions
inline cancel::task<int> throws(event &wake) {
  co_await wake;
  throw std::runtime_error("lost");
}
#endif

} // namespace cancel_test

#endif
