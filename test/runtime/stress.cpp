// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many short races between one coroutine's owner and one stop, on real threads; for the sanitizers
// too.
//
// Usage: stress [ROUNDS]. Each round parks a guard at a random distance from the stop: it must run
// exactly once, and whatever was disarmed before must not run afterwards.
#include <cancel/cancel.hpp>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>

namespace {

/// What the owner and the canceller of one round share.
struct race {
  std::stop_source source;
  std::optional<cancel::stop_slot<>> slot;
};

/// Plain data on purpose: the guard's constructor and destructor are what orders the accesses.
struct record {
  int runs = 0;
  void operator()() { ++runs; }
};

using guard = cancel::stop_guard<record &>;

[[noreturn]] void fail(const char *what, long round) {
  std::fprintf(stderr, "round %ld: %s\n", round, what);
  std::abort();
}

/// Awaits a random number of times, sometimes below an outer guard, sometimes out of order.
void own(race &race, std::minstd_rand &random, long round) {
  record outer_record;
  std::optional<guard> outer;
  if (random() % 2)
    outer.emplace(*race.slot, outer_record);
  for (unsigned awaits = random() % 40; awaits; --awaits) {
    record seen;
    {
      guard inner(*race.slot, seen);
      if (outer && random() % 16 == 0) {
        outer.reset();
        if (outer_record.runs > 1)
          fail("an outer callback ran twice", round);
      }
    }
    if (seen.runs > 1)
      fail("a callback ran twice", round);
  }
  std::atomic<int> woken{0};
  {
    cancel::stop_guard parked(*race.slot, [&] { woken.fetch_add(1, std::memory_order_release); });
    while (woken.load(std::memory_order_acquire) == 0)
      std::this_thread::yield(); // a lost stop hangs here, until the test times out
  }
  if (woken.load(std::memory_order_relaxed) != 1)
    fail("the parked callback ran twice", round);
}

void turn(cancel::stop_slot<> &slot) {
  for (int i = 0; i < 6'000; ++i)
    cancel::stop_guard guard(slot, [] {});
}

} // namespace

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 20'000;
  race race;
  std::barrier meet(2);

  std::jthread canceller([&] {
    std::minstd_rand random(1);
    for (long round = 0; round < rounds; ++round) {
      meet.arrive_and_wait();
      for (unsigned delay = random() % 600; delay; --delay)
        cancel::compiler_barrier();
      if (!race.source.request_stop())
        fail("somebody else stopped", round);
      meet.arrive_and_wait();
    }
  });

  std::minstd_rand random(2);
  for (long round = 0; round < rounds; ++round) {
    race.source = std::stop_source();
    race.slot.emplace(race.source.get_token());
    if (round % 2)
      turn(*race.slot);
    meet.arrive_and_wait();
    own(race, random, round);
    race.slot.reset();
    meet.arrive_and_wait();
  }
  std::printf("%ld rounds\n", rounds);
}
