// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to make an await cancellable, before and after cancel-migrate?

#include "added_cost_report.hpp"
#include "programs/await_loop/loop.hpp"

#include <benchmark/benchmark.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

using namespace await_loop;

using make_loop = loop (*)(event &, std::stop_token);

void turns(benchmark::State &state, make_loop make) {
  std::stop_source source;
  event e;
  const loop running = make(e, source.get_token());
  for (auto _ : state)
    e.fire();
}

// A stop ends the loop before the rewritten one has paid for plain stores: its dearer mode, with
// the stop, the registration and the coroutine itself spread over these turns.
constexpr int turns_between_stops = 4'000;

void turns_with_stops(benchmark::State &state, make_loop make) {
  while (state.KeepRunningBatch(turns_between_stops)) {
    std::stop_source source;
    event e;
    const loop running = make(e, source.get_token());
    for (int i = 1; i < turns_between_stops; ++i)
      e.fire();
    source.request_stop();
    e.fire();
    if (!running.done() || !e.cancelled())
      std::abort(); // a loop that a stop does not end is not worth measuring
  }
}

/// Sleeps through the run: a process with one thread takes shortcuts that a server cannot.
class second_thread {
public:
  ~second_thread() { thread_.request_stop(); }

private:
  std::jthread thread_{[](const std::stop_token &st) {
    std::mutex m;
    std::unique_lock lock(m);
    std::condition_variable_any().wait(lock, st, [] { return false; });
  }};
};

} // namespace

int main(int argc, char **argv) {
  bench::added_cost_report report("await loop", "bare", "std::stop_callback");
  benchmark::RegisterBenchmark("bare", turns, bare);
  benchmark::RegisterBenchmark("poll", turns, polling);
  benchmark::RegisterBenchmark("std::stop_callback", turns, original::cancellable);
  benchmark::RegisterBenchmark("rewritten", turns, rewritten::cancellable);
  benchmark::RegisterBenchmark("lower bound: plain stores, nothing else", turns, bound);
  benchmark::RegisterBenchmark("std::stop_callback, a stop every 4000 turns", turns_with_stops,
                               original::cancellable);
  benchmark::RegisterBenchmark("rewritten, a stop every 4000 turns", turns_with_stops,
                               rewritten::cancellable);
  const second_thread idle;
  return report.run(argc, argv);
}
