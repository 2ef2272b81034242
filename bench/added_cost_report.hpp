// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers in one table what each variant adds to a baseline and how that compares with a reference.

#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Runs the registered benchmarks many times in random order, so that a change of the machine's
/// speed meets all of them alike, and prints the CPU time of one iteration of each.
class added_cost_report final : private benchmark::BenchmarkReporter {
public:
  /// `baseline` and `reference` are names of registered benchmarks.
  added_cost_report(std::string title, std::string baseline, std::string reference)
      : title_(std::move(title)), baseline_(std::move(baseline)), reference_(std::move(reference)) {
  }

  /// The arguments are Google Benchmark's. Returns the exit code for main().
  int run(int argc, char **argv);

private:
  struct variant {
    std::int64_t position; // among the registered ones
    std::string name;
    std::vector<double> nanoseconds; // of each repetition, in increasing order
  };

  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &runs) override;

  /// Null if it was filtered out.
  const variant *find(const std::string &name) const;
  void print() const;

  std::string title_;
  std::string baseline_;
  std::string reference_;
  std::vector<variant> variants_;
};

} // namespace bench
