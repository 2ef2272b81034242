// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a stop cost for each callback that it runs?

#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>
#include <stop_token>

namespace {

using bench::count_call;
using bench::turns;

/// Enough to hide what stopping the clock costs, few enough to stay in the second-level cache.
constexpr int calls_per_batch = 4000;

template <class Source, template <class> class Callback, int Callbacks>
void stop(turns &row) {
  struct batch {
    std::deque<Source> sources;
    std::deque<Callback<count_call>> callbacks;
  };
  std::optional<batch> stopped;
  std::int64_t calls = 0;
  row.measure_batches(
      calls_per_batch,
      [&] {
        stopped.reset();
        stopped.emplace();
        for (int i = 0; i < calls_per_batch; ++i) {
          if (i % Callbacks == 0)
            stopped->sources.emplace_back();
          stopped->callbacks.emplace_back(stopped->sources.back().get_token(), count_call{calls});
        }
        calls = 0;
      },
      [&] {
        for (Source &source : stopped->sources)
          source.request_stop();
      });
  if (calls != calls_per_batch)
    std::abort(); // a stop that runs nothing is not worth measuring
}

/// A signal has one slot.
void emit(turns &row) {
  asio::io_context context;
  asio::post(context, [&row] {
    std::optional<std::deque<asio::cancellation_signal>> signals;
    std::int64_t calls = 0;
    row.measure_batches(
        calls_per_batch,
        [&] {
          signals.reset();
          signals.emplace();
          for (int i = 0; i < calls_per_batch; ++i)
            signals->emplace_back().slot().assign([&calls](asio::cancellation_type) { ++calls; });
        },
        [&] {
          for (asio::cancellation_signal &signal : *signals)
            signal.emit(asio::cancellation_type::all);
        });
  });
  context.run();
}

template <int Callbacks>
void add(const char *question) {
  bench::add_row(question, "std::stop_callback",
                 stop<std::stop_source, std::stop_callback, Callbacks>);
  bench::add_row(question, "cancel::stop_callback",
                 stop<cancel::stop_source, cancel::stop_callback, Callbacks>);
  bench::add_row(question, "inplace_stop_callback",
                 stop<cancel::inplace_stop_source, cancel::inplace_stop_callback, Callbacks>);
}

} // namespace

void bench::add_stop_rows() {
  add<1>("stop 1, each");
  add_row("stop 1, each", "asio slot", emit);
  add<10>("stop 10, each");
  add<1000>("stop 1000, each");
}
