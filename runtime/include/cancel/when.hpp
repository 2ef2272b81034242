// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Awaits several things at once: all of them, or the first, which stops the others.
#ifndef CANCEL_WHEN_HPP
#define CANCEL_WHEN_HPP

#include <cancel/config.hpp>
#include <cancel/detail/awaitable.hpp>
#include <cancel/detail/branches.hpp>
#include <cancel/inplace_stop_source.hpp>
#include <cancel/slot_for.hpp>
#include <cancel/stop_slot.hpp>
#include <cancel/stoppable_token.hpp>
#include <cancel/task.hpp>

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace cancel {

namespace detail {

template <class Awaitable>
using branch_result_t = kept_result_t<await_result_t<Awaitable>>;
template <class F>
using called_branch_result_t = branch_result_t<std::invoke_result_t<F &, inplace_stop_token>>;

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

/// `co_await when_all(a, b, ...)` awaits all of them at once, in one coroutine each, and gives a
/// `std::tuple` of what they give (`std::monostate` for nothing, `std::reference_wrapper` for a
/// reference), or throws what the first of them in this order threw, when all have completed.
///
/// Branches run at the same time as far as they are resumed on different threads, so each has slots
/// of its own: none is handed the slots of the coroutine that awaits. That one goes on where the
/// last branch completes. Cost: a coroutine on the heap for each.
template <class... Awaitable>
auto when_all(Awaitable &&...awaitables) {
  return detail::all_branches<detail::branch_result_t<Awaitable>...>(
      detail::await_in<detail::branch<detail::branch_result_t<Awaitable>>, Awaitable>(
          std::forward<Awaitable>(awaitables))...);
}

/// `co_await when_any(token, f, g, ...)` calls each with an `inplace_stop_token` and awaits at once
/// what they return. The first to complete stops the others, which are awaited, too: nothing goes
/// on behind the caller's back. Gives a `std::variant` whose index tells the first and whose value
/// is what it gave, as in `when_all`; or throws what it threw. A stop of `token` is passed on.
///
///     auto first = co_await cancel::when_any(
///         token, [&](cancel::inplace_stop_token st) { return read(sock, buffer, st); },
///         [&](cancel::inplace_stop_token st) { return timer.wait(1s, st); });
///
/// A branch that does not heed its token is waited for as long as it takes. Slots and cost: as
/// `when_all`, and a coroutine more.
template <stoppable_token Token, std::invocable<inplace_stop_token>... F>
  requires(sizeof...(F) > 0)
auto when_any(Token token, F... branches)
    -> task<std::variant<detail::as_member_t<detail::called_branch_result_t<F>>...>> {
  inplace_stop_source others;
  auto &&cancel_slot = co_await slot_for(token);
  stop_guard pass_on(cancel_slot, [&] { others.request_stop(); });
  detail::any_branch<detail::called_branch_result_t<F>...> all(
      others,
      detail::start_later<detail::called_branch_result_t<F>>(others.get_token(), branches)...);
  co_await all;
  co_return all.take_first();
}

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
