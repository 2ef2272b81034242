// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to arm a guard on a slot that exists, and to disarm it?

#include "runtime_bounds.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <cstdint>
#include <stop_token>

namespace {

using bench::count_call;
using bench::turns;
using cancel::stop_policy;

template <class Slot>
void guard(turns &row, Slot &slot) {
  std::int64_t calls = 0;
  row.measure([&] {
    const cancel::stop_guard armed(slot, count_call{calls});
    bench::touch_memory();
  });
}

template <class Source, stop_policy Policy>
void on_slot(turns &row) {
  const Source source;
  cancel::stop_slot slot(source.get_token(), Policy);
  guard(row, slot);
}

template <class Source>
void on_local_slot(turns &row) {
  auto wake = []() noexcept {};
  cancel::local_stop_queue queue(wake);
  const Source source;
  cancel::stop_slot slot(source.get_token(), queue);
  guard(row, slot);
}

template <stop_policy Policy>
void on_frame(turns &row) {
  cancel::stop_frame frame(Policy);
  guard(row, frame);
}

void std_callback(turns &row) {
  const std::stop_source source;
  const std::stop_token token = source.get_token();
  std::int64_t calls = 0;
  row.measure([&] {
    const std::stop_callback registered(token, count_call{calls});
    bench::touch_memory();
  });
}

} // namespace

void bench::add_guard_rows() {
  using inplace = cancel::inplace_stop_source;
  constexpr auto arm = "arm and disarm";
  add_row(arm, "std::stop_callback", std_callback);
  add_row(arm, "slot, inplace, shared", on_slot<inplace, stop_policy::shared>);
  add_row(arm, "slot, inplace, asymmetric", on_slot<inplace, stop_policy::asymmetric>);
  add_row(arm, "slot, inplace, adaptive", on_slot<inplace, stop_policy::adaptive>);
  add_row(arm, "slot, inplace, local", on_local_slot<inplace>);
  add_row(arm, "slot, std, shared", on_slot<std::stop_source, stop_policy::shared>);
  add_row(arm, "slot, std, asymmetric", on_slot<std::stop_source, stop_policy::asymmetric>);
  add_row(arm, "slot, std, adaptive", on_slot<std::stop_source, stop_policy::adaptive>);
  add_row(arm, "slot, std, local", on_local_slot<std::stop_source>);
  add_row(arm, "frame, shared", on_frame<stop_policy::shared>);
  add_row(arm, "frame, asymmetric", on_frame<stop_policy::asymmetric>);
  add_row(arm, "frame, adaptive", on_frame<stop_policy::adaptive>);
  add_row(arm, "bound: two exchanges", bench::measure_bound<two_exchanges>);
  add_row(arm, "bound: one exchange", bench::measure_bound<one_exchange>);
  add_row(arm, "bound: asymmetric", bench::measure_bound<asymmetric_stores>);
  add_row(arm, "bound: plain", bench::measure_bound<plain_stores>);
}
