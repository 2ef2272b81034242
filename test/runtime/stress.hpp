// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs short races between two threads, many times.
#ifndef CANCEL_TEST_RUNTIME_STRESS_HPP
#define CANCEL_TEST_RUNTIME_STRESS_HPP

#include <cancel/fence.hpp>

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <thread>

namespace cancel_test {

inline const char *scenario = "";

[[noreturn]] inline void fail(const char *what, long round) {
  std::fprintf(stderr, "%s, round %ld: %s\n", scenario, round, what);
  std::abort();
}

inline void wait_a_little(std::minstd_rand &random) {
  for (unsigned delay = random() % 600; delay; --delay)
    cancel::compiler_barrier();
}

/// Runs `race.owner(random)` here against `race.other(random)` on a second thread, `rounds` times,
/// each time on a new `Race(round)`.
template <class Race>
void run(const char *name, long rounds) {
  scenario = name;
  std::optional<Race> race;
  std::barrier meet(2);
  std::jthread second([&] {
    std::minstd_rand random(1);
    for (long round = 0; round < rounds; ++round) {
      meet.arrive_and_wait();
      wait_a_little(random);
      race->other(random);
      meet.arrive_and_wait();
    }
  });
  std::minstd_rand random(2);
  for (long round = 0; round < rounds; ++round) {
    race.emplace(round);
    meet.arrive_and_wait();
    race->owner(random);
    meet.arrive_and_wait();
    race->check();
  }
  std::printf("%-20s %ld rounds\n", name, rounds);
}

struct race_scenario {
  const char *name;
  void (*run)(const char *, long);
};

/// The command line: [ROUNDS [SCENARIO...]].
inline void run_scenarios(int argc, char **argv, std::span<const race_scenario> scenarios) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 20'000;
  for (const race_scenario &each : scenarios) {
    bool chosen = argc <= 2;
    for (int i = 2; i < argc; ++i)
      chosen |= std::string_view(argv[i]) == each.name;
    if (chosen)
      each.run(each.name, rounds);
  }
}

} // namespace cancel_test

#endif
