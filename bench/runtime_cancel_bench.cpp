// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to make something stoppable, arm one callback, stop it and end it?

#include "runtime_bounds.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <cstdint>
#include <cstdlib>
#include <stop_token>

namespace {

using bench::count_call;
using bench::turns;
using cancel::stop_policy;

template <class F>
void measure(turns &row, F turn) {
  std::int64_t calls = 0;
  std::int64_t expected = 0;
  row.measure([&] {
    turn(calls);
    ++expected;
  });
  if (calls != expected)
    std::abort(); // a stop that runs nothing is not worth measuring
}

template <class Source, template <class> class Callback>
void with_source(turns &row) {
  measure(row, [](std::int64_t &calls) {
    Source source;
    const Callback<count_call> registered(source.get_token(), count_call{calls});
    source.request_stop();
  });
}

template <class Source, stop_policy Policy>
void with_slot(turns &row) {
  measure(row, [](std::int64_t &calls) {
    Source source;
    cancel::stop_slot slot(source.get_token(), Policy);
    const cancel::stop_guard armed(slot, count_call{calls});
    source.request_stop();
  });
}

template <stop_policy Policy>
void with_frame(turns &row) {
  measure(row, [](std::int64_t &calls) {
    cancel::stop_frame frame(Policy);
    const cancel::stop_guard armed(frame, count_call{calls});
    frame.request_stop();
  });
}

void with_asio(turns &row) {
  asio::io_context context;
  asio::post(context, [&row] {
    measure(row, [](std::int64_t &calls) {
      asio::cancellation_signal signal;
      signal.slot().assign([&calls](asio::cancellation_type) { ++calls; });
      signal.emit(asio::cancellation_type::all);
    });
  });
  context.run();
}

/// Arm, stop (two more exchanges: whoever takes the callback, and the end of its run), disarm.
void bound(turns &row) {
  measure(row, [](std::int64_t &calls) {
    bench::two_exchanges place;
    std::atomic<int> stop{0};
    bench::bound_guard armed(place, count_call{calls});
    stop.exchange(1, std::memory_order_seq_cst); // pairs with nothing, as in the bounds
    armed.run_now();
    stop.exchange(2, std::memory_order_seq_cst);
  });
}

} // namespace

void bench::add_cancel_rows() {
  constexpr auto whole = "create, register, stop, destroy";
  add_row(whole, "std::stop_source", with_source<std::stop_source, std::stop_callback>);
  add_row(whole, "cancel::stop_source", with_source<cancel::stop_source, cancel::stop_callback>);
  add_row(whole, "inplace_stop_source",
          with_source<cancel::inplace_stop_source, cancel::inplace_stop_callback>);
  add_row(whole, "inplace_stop_source, slot, shared",
          with_slot<cancel::inplace_stop_source, stop_policy::shared>);
  add_row(whole, "stop_frame, shared", with_frame<stop_policy::shared>);
  add_row(whole, "stop_frame, asymmetric", with_frame<stop_policy::asymmetric>);
  add_row(whole, "asio slot", with_asio);
  add_row(whole, "bound: four exchanges", bound);
}
