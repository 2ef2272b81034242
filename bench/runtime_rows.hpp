// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of the runtime's table share with the program that measures them. No type of a
// standard library crosses this interface: the rows may be built with another one than Google
// Benchmark was.

#pragma once

#include <sched.h>

#include <cstdint>

namespace bench {

/// How often a row is asked to do what it measures.
class turns {
public:
  turns(void *state, std::int64_t count) noexcept : state_(state), count_(count) {}

  /// Times `turn()`, over and over, loop included.
  template <class F>
  void measure(F turn) {
    while (next(count_))
      for (std::int64_t left = count_; left != 0; --left)
        turn();
  }

  /// Times `run()`, which does what it measures `times` times, but not `prepare()` before it.
  /// Stopping the clock shifts a batch by about a microsecond, so `times` should be thousands.
  template <class Prepare, class F>
  void measure_batches(std::int64_t times, Prepare prepare, F run) {
    while (next(times)) {
      pause();
      prepare();
      resume();
      run();
    }
  }

private:
  bool next(std::int64_t count);
  void pause();
  void resume();

  void *const state_;
  const std::int64_t count_;
};

/// Rows of one question stand together and are compared with each other. Each of `threads`, on
/// a processor of its own if possible, calls `run`.
void add_row(const char *question, const char *name, void (*run)(turns &), int threads = 1);

/// Measures the rows; the arguments are Google Benchmark's. `built_by` tells the rows' compiler and
/// library. Returns the exit code for main().
int run_rows(int argc, char **argv, const char *built_by);

/// Keeps the calling thread on the process's nth processor, while it lives: threads that are meant
/// to disturb each other may otherwise take turns on one.
class on_processor {
public:
  explicit on_processor(int nth) noexcept {
    sched_getaffinity(0, sizeof(allowed_), &allowed_);
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed_) && seen++ == nth % CPU_COUNT(&allowed_))
        CPU_SET(cpu, &chosen);
    sched_setaffinity(0, sizeof(chosen), &chosen);
  }
  on_processor(const on_processor &) = delete;
  on_processor &operator=(const on_processor &) = delete;
  ~on_processor() { sched_setaffinity(0, sizeof(allowed_), &allowed_); }

private:
  cpu_set_t allowed_{};
};

/// Makes the compiler believe that all memory is read and written here.
inline void touch_memory() noexcept { asm volatile("" ::: "memory"); }

/// Makes the compiler believe that `value` is used.
template <class T>
void use(const T &value) noexcept {
  asm volatile("" : : "r"(&value) : "memory");
}

/// What callbacks do where only their number matters.
struct count_call {
  std::int64_t &calls;
  void operator()() const noexcept { ++calls; }
};

} // namespace bench
