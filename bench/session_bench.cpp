// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost when three helpers, one within the other, can each be cancelled, before and
// after cancel-migrate? One message calls all three; a third of what is added is a helper's.

#include "added_cost_report.hpp"
#include "programs/session/session.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <stop_token>
#include <thread>

namespace {

using await_loop::event;
using await_loop::loop;

using make_session = loop (*)(event &, std::stop_token);

void messages(benchmark::State &state, make_session make) {
  std::stop_source source;
  event e;
  const loop running = make(e, source.get_token());
  for (auto _ : state)
    e.fire();
  source.request_stop();
  e.fire();
  if (!running.done())
    std::abort(); // a session that a stop does not end is not worth measuring
}

/// Each thread has a session; all have one source, as the connections of a server do.
void messages_of_one_source(benchmark::State &state, make_session make) {
  static const std::stop_source source;
  event e;
  const loop running = make(e, source.get_token());
  for (auto _ : state)
    e.fire();
}

// A connection that lives for a few messages: registering, stopping and the coroutines themselves
// are spread over them.
constexpr int messages_between_stops = 100;

void short_sessions(benchmark::State &state, make_session make) {
  while (state.KeepRunningBatch(messages_between_stops)) {
    std::stop_source source;
    event e;
    const loop running = make(e, source.get_token());
    for (int i = 1; i < messages_between_stops; ++i)
      e.fire();
    source.request_stop();
    e.fire();
    if (!running.done())
      std::abort();
  }
}

} // namespace

int main(int argc, char **argv) {
  bench::added_cost_report report("session with 3 helpers", "bare", "std::stop_callback");
  benchmark::RegisterBenchmark("bare", messages, session::bare::run);
  benchmark::RegisterBenchmark("std::stop_callback", messages, session::original::run);
  benchmark::RegisterBenchmark("rewritten", messages, session::rewritten::run);
  const auto on_two_threads = [](const char *name, make_session make) {
    benchmark::RegisterBenchmark(name, messages_of_one_source, make)->Threads(2);
  };
  on_two_threads("bare, one source", session::bare::run);
  on_two_threads("std::stop_callback, one source", session::original::run);
  on_two_threads("rewritten, one source", session::rewritten::run);
  benchmark::RegisterBenchmark("bare, 100 messages", short_sessions, session::bare::run);
  benchmark::RegisterBenchmark("std::stop_callback, 100 messages", short_sessions,
                               session::original::run);
  benchmark::RegisterBenchmark("rewritten, 100 messages", short_sessions, session::rewritten::run);
  // A process with one thread takes shortcuts that a server cannot.
  const std::jthread idle([](const std::stop_token &st) {
    while (!st.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  return report.run(argc, argv);
}
