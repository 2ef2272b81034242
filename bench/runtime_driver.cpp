// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets Google Benchmark measure the rows. A shared library of its own, which any build of the rows
// can load.

#include "runtime_rows.hpp"

#include <benchmark/benchmark.h>

#include <optional>
#include <string>

namespace bench {

bool turns::next(std::int64_t count) {
  return static_cast<benchmark::State *>(state_)->KeepRunningBatch(count);
}
void turns::pause() { static_cast<benchmark::State *>(state_)->PauseTiming(); }
void turns::resume() { static_cast<benchmark::State *>(state_)->ResumeTiming(); }

void add_row(const char *question, const char *name, void (*run)(turns &), int threads) {
  const auto measure = [run](benchmark::State &state) {
    std::optional<on_processor> here;
    if (state.threads() > 1)
      here.emplace(state.thread_index());
    turns row(&state, state.max_iterations);
    run(row);
  };
  const std::string both = std::string(question) + ": " + name;
  benchmark::RegisterBenchmark(both.c_str(), measure)->Threads(threads);
}

int run_rows(int argc, char **argv, const char *built_by) {
  benchmark::AddCustomContext("built_by", built_by);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

} // namespace bench
