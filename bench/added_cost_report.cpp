// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Google Benchmark measures; this asks for enough repetitions and condenses them.

#include "added_cost_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace bench {

namespace {

#if defined(__clang__)
constexpr const char compiler[] = "clang " __clang_version__;
#else
constexpr const char compiler[] = "gcc " __VERSION__;
#endif

/// `sorted` must not be empty.
double median(const std::vector<double> &sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

} // namespace

int added_cost_report::run(int argc, char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  // In front, so that the caller's own win.
  arguments.insert(arguments.begin() + 1,
                   {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=21",
                    "--benchmark_min_time=0.1"});
  std::vector<char *> pointers;
  for (std::string &each : arguments)
    pointers.push_back(each.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data()))
    return 2;
  benchmark::RunSpecifiedBenchmarks(this);
  // They end in random order.
  std::sort(variants_.begin(), variants_.end(),
            [](const variant &a, const variant &b) { return a.position < b.position; });
  print();
  return 0;
}

void added_cost_report::ReportRuns(const std::vector<Run> &runs) {
  variant measured{runs.front().family_index, runs.front().run_name.function_name, {}};
  for (const Run &r : runs)
    if (r.run_type == Run::RT_Iteration)
      measured.nanoseconds.push_back(1e9 * r.cpu_accumulated_time /
                                     static_cast<double>(r.iterations));
  if (measured.nanoseconds.empty())
    return; // the library's own aggregates
  std::sort(measured.nanoseconds.begin(), measured.nanoseconds.end());
  variants_.push_back(std::move(measured));
}

const added_cost_report::variant *added_cost_report::find(const std::string &name) const {
  const auto found = std::find_if(variants_.begin(), variants_.end(),
                                  [&name](const variant &v) { return v.name == name; });
  return found == variants_.end() ? nullptr : &*found;
}

void added_cost_report::print() const {
  const variant *const baseline = find(baseline_);
  const variant *const reference = find(reference_);
  std::printf("%s, %s, CPU ns\n", title_.c_str(), compiler);
  std::printf("  %-44s %8s %18s %8s  %s\n", "", "median", "min .. max", "added",
              ("added by " + reference_ + " / added").c_str());
  for (const variant &v : variants_) {
    const double middle = median(v.nanoseconds);
    std::printf("  %-44s %8.2f %8.2f .. %-6.2f", v.name.c_str(), middle, v.nanoseconds.front(),
                v.nanoseconds.back());
    if (baseline != nullptr && &v != baseline) {
      const double added = middle - median(baseline->nanoseconds);
      std::printf(" %8.2f", added);
      if (reference != nullptr && added > 0)
        std::printf("  %.1f",
                    (median(reference->nanoseconds) - median(baseline->nanoseconds)) / added);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

} // namespace bench
