// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a stop cost for each slot that it reaches, idle or with a guard armed?

#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>
#include <stop_token>

namespace {

using bench::count_call;
using bench::turns;
using cancel::stop_policy;

constexpr int slots_per_source = 1000;
constexpr int sources_per_batch = 4;

enum class state { idle, armed };

template <class Source, stop_policy Policy, state State>
void stop(turns &row) {
  using slot = cancel::stop_slot<decltype(std::declval<Source &>().get_token())>;
  struct batch {
    std::deque<Source> sources;
    std::deque<slot> slots;
    std::deque<cancel::stop_guard<count_call>> guards; // last: they end before their slots
  };
  std::optional<batch> stopped;
  std::int64_t calls = 0;
  row.measure_batches(
      std::int64_t{slots_per_source} * sources_per_batch,
      [&] {
        stopped.reset();
        stopped.emplace();
        for (int i = 0; i < sources_per_batch; ++i) {
          const Source &source = stopped->sources.emplace_back();
          for (int j = 0; j < slots_per_source; ++j) {
            slot &registered = stopped->slots.emplace_back(source.get_token(), Policy);
            if constexpr (State == state::armed)
              stopped->guards.emplace_back(registered, count_call{calls});
          }
        }
        calls = 0;
      },
      [&] {
        for (Source &source : stopped->sources)
          source.request_stop();
      });
  if (calls != (State == state::armed ? slots_per_source * sources_per_batch : 0))
    std::abort(); // a stop that runs nothing is not worth measuring
}

} // namespace

void bench::add_stop_slots_rows() {
  using inplace = cancel::inplace_stop_source;
  constexpr auto each = "stop 1000, each";
  add_row(each, "idle slot, inplace, shared", stop<inplace, stop_policy::shared, state::idle>);
  add_row(each, "idle slot, inplace, turned", stop<inplace, stop_policy::asymmetric, state::idle>);
  add_row(each, "armed slot, inplace, shared", stop<inplace, stop_policy::shared, state::armed>);
  add_row(each, "armed slot, inplace, turned",
          stop<inplace, stop_policy::asymmetric, state::armed>);
  add_row(each, "idle slot, std, shared", stop<std::stop_source, stop_policy::shared, state::idle>);
  add_row(each, "idle slot, std, turned",
          stop<std::stop_source, stop_policy::asymmetric, state::idle>);
  add_row(each, "armed slot, std, shared",
          stop<std::stop_source, stop_policy::shared, state::armed>);
  add_row(each, "armed slot, std, turned",
          stop<std::stop_source, stop_policy::asymmetric, state::armed>);
}
