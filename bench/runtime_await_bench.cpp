// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a turn of a loop cost that awaits and can be cancelled?

#include "programs/await_loop/loop.hpp"
#include "runtime_bounds.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <stop_token>

namespace {

using await_loop::event;
using await_loop::loop;
using bench::turns;
using cancel::stop_policy;

template <class Source>
using token_of = decltype(std::declval<const Source &>().get_token());

template <class Token>
loop bare(event &e, Token) {
  for (;;)
    co_await e;
}

template <class Token>
loop polling(event &e, Token st) {
  while (!st.stop_requested())
    co_await e;
}

template <template <class> class Callback, class Token>
loop with_callback(event &e, Token st) {
  const auto cancel = [&e] { e.cancel(); };
  while (!st.stop_requested()) {
    Callback<decltype(cancel)> on_stop(st, cancel);
    co_await e;
  }
}

template <stop_policy Policy, class Token>
loop with_slot(event &e, Token st) {
  cancel::stop_slot slot(st, Policy);
  while (!st.stop_requested()) {
    cancel::stop_guard on_stop(slot, [&e] { e.cancel(); });
    co_await e;
  }
}

template <class Token>
loop with_local_slot(event &e, Token st, cancel::local_stop_queue &queue) {
  cancel::stop_slot slot(st, queue);
  while (!st.stop_requested()) {
    cancel::stop_guard on_stop(slot, [&e] { e.cancel(); });
    co_await e;
  }
}

template <class Bound, class Token>
loop with_bound(event &e, Token st) {
  Bound place;
  while (!st.stop_requested()) {
    bench::bound_guard on_stop(place, [&e] { e.cancel(); });
    co_await e;
  }
}

/// A slot has nothing to poll.
loop with_asio_slot(event &e, asio::cancellation_slot slot) {
  for (;;) {
    slot.assign([&e](asio::cancellation_type) { e.cancel(); });
    co_await e;
    slot.clear();
  }
}

template <class Source, loop (*Loop)(event &, token_of<Source>)>
void turn(turns &row) {
  const Source source;
  event e;
  const loop running = Loop(e, source.get_token());
  row.measure([&e] { e.fire(); });
}

/// Each thread has a loop; all loops have one source.
template <class Source, loop (*Loop)(event &, token_of<Source>)>
void turn_shared(turns &row) {
  static const Source source;
  event e;
  const loop running = Loop(e, source.get_token());
  row.measure([&e] { e.fire(); });
}

template <class Source>
void turn_local(turns &row) {
  auto wake = []() noexcept {};
  cancel::local_stop_queue queue(wake);
  const Source source;
  event e;
  const loop running = with_local_slot(e, source.get_token(), queue);
  row.measure([&e] { e.fire(); });
}

void turn_asio(turns &row) {
  asio::io_context context;
  asio::post(context, [&row] {
    asio::cancellation_signal signal;
    event e;
    const loop running = with_asio_slot(e, signal.slot());
    row.measure([&e] { e.fire(); });
  });
  context.run();
}

using std_source = std::stop_source;
using inplace = cancel::inplace_stop_source;

} // namespace

void bench::add_await_rows() {
  constexpr auto one = "await loop";
  add_row(one, "bare", turn<std_source, bare>);
  add_row(one, "poll, std", turn<std_source, polling>);
  add_row(one, "poll, inplace", turn<inplace, polling>);
  add_row(one, "std::stop_callback", turn<std_source, with_callback<std::stop_callback>>);
  add_row(one, "cancel::stop_callback",
          turn<cancel::stop_source, with_callback<cancel::stop_callback>>);
  add_row(one, "inplace_stop_callback",
          turn<inplace, with_callback<cancel::inplace_stop_callback>>);
  add_row(one, "slot, inplace, shared", turn<inplace, with_slot<stop_policy::shared>>);
  add_row(one, "slot, inplace, asymmetric", turn<inplace, with_slot<stop_policy::asymmetric>>);
  add_row(one, "slot, inplace, adaptive", turn<inplace, with_slot<stop_policy::adaptive>>);
  add_row(one, "slot, inplace, local", turn_local<inplace>);
  add_row(one, "slot, std, shared", turn<std_source, with_slot<stop_policy::shared>>);
  add_row(one, "slot, std, asymmetric", turn<std_source, with_slot<stop_policy::asymmetric>>);
  add_row(one, "slot, std, adaptive", turn<std_source, with_slot<stop_policy::adaptive>>);
  add_row(one, "slot, std, local", turn_local<std_source>);
  add_row(one, "asio slot", turn_asio);
  add_row(one, "bound: two exchanges", turn<inplace, with_bound<two_exchanges>>);
  add_row(one, "bound: one exchange", turn<inplace, with_bound<one_exchange>>);
  add_row(one, "bound: asymmetric", turn<inplace, with_bound<asymmetric_stores>>);
  add_row(one, "bound: plain", turn<inplace, with_bound<plain_stores>>);

  constexpr auto two = "await loop, 2 threads, one source";
  add_row(two, "bare", turn_shared<std_source, bare>, 2);
  add_row(two, "std::stop_callback", turn_shared<std_source, with_callback<std::stop_callback>>, 2);
  add_row(two, "inplace_stop_callback",
          turn_shared<inplace, with_callback<cancel::inplace_stop_callback>>, 2);
  add_row(two, "slot, inplace, shared", turn_shared<inplace, with_slot<stop_policy::shared>>, 2);
  add_row(two, "slot, inplace, asymmetric",
          turn_shared<inplace, with_slot<stop_policy::asymmetric>>, 2);
  add_row(two, "slot, inplace, adaptive", turn_shared<inplace, with_slot<stop_policy::adaptive>>,
          2);
  add_row(two, "slot, std, shared", turn_shared<std_source, with_slot<stop_policy::shared>>, 2);
  add_row(two, "slot, std, asymmetric", turn_shared<std_source, with_slot<stop_policy::asymmetric>>,
          2);
  add_row(two, "slot, std, adaptive", turn_shared<std_source, with_slot<stop_policy::adaptive>>, 2);
  add_row(two, "bound: two exchanges", turn_shared<inplace, with_bound<two_exchanges>>, 2);
}
