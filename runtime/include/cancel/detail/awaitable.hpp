// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What awaiting something gives, in a coroutine whose promise does not interfere.
#ifndef CANCEL_DETAIL_AWAITABLE_HPP
#define CANCEL_DETAIL_AWAITABLE_HPP

#include <concepts>
#include <coroutine>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace cancel::detail {

/// A coroutine of its own, of the type `Coroutine`, that awaits `awaitable` and gives what that
/// gives. Keeps an lvalue as a reference and an rvalue as an object.
template <class Coroutine, class Awaitable>
Coroutine await_in(Awaitable awaitable) {
  if constexpr (std::is_lvalue_reference_v<Awaitable>)
    co_return co_await awaitable; // g++ 12 would await a copy of what std::forward returns
  else
    co_return co_await std::move(awaitable);
}

template <class T>
decltype(auto) awaiter_of(T &&awaitable) {
  if constexpr (requires { std::forward<T>(awaitable).operator co_await(); })
    return std::forward<T>(awaitable).operator co_await();
  else if constexpr (requires { operator co_await(std::forward<T>(awaitable)); })
    return operator co_await(std::forward<T>(awaitable));
  else
    return std::forward<T>(awaitable);
}

template <class T>
using await_result_t =
    decltype(std::declval<std::add_lvalue_reference_t<decltype(awaiter_of(std::declval<T>()))>>()
                 .await_resume());

/// What a coroutine of its own can keep of such a result until it is taken.
template <class T>
using kept_result_t = std::conditional_t<std::is_rvalue_reference_v<T>, std::remove_cvref_t<T>, T>;

/// As a member of a tuple, an optional or a variant.
template <class T>
struct as_member {
  using type = T;
};
template <class T>
  requires std::is_void_v<T>
struct as_member<T> {
  using type = std::monostate;
};
template <class T>
struct as_member<T &> {
  using type = std::reference_wrapper<T>;
};
template <class T>
using as_member_t = typename as_member<T>::type;

/// Calls `take` for such a member.
template <class Result, class F>
as_member_t<Result> take_as_member(F take) {
  if constexpr (std::is_void_v<Result>) {
    take();
    return {};
  } else {
    return as_member_t<Result>(take());
  }
}

} // namespace cancel::detail

#endif
