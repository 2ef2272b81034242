// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does each part of the runtime cost, beside std, asio and the least that it could cost?

#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <malloc.h>

#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <version>

#define BENCH_TEXT(number) #number
#define BENCH_TEXT_OF(macro) BENCH_TEXT(macro)

namespace {

constexpr const char built_by[] =
#if defined(__clang__)
    "clang++ " BENCH_TEXT_OF(__clang_major__)
#else
    "g++ " BENCH_TEXT_OF(__GNUC__)
#endif
#if defined(_LIBCPP_VERSION)
        ", libc++";
#else
        ", libstdc++";
#endif

/// Sleeps through the run: a process with one thread takes shortcuts that a server cannot.
class second_thread {
public:
  second_thread() = default;
  second_thread(const second_thread &) = delete;
  second_thread &operator=(const second_thread &) = delete;
  ~second_thread() {
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_{[this] {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_; });
  }};
};

} // namespace

int main(int argc, char **argv) {
#if defined(__GLIBC__)
  // Millions of frames come and go; to give their pages back each time doubles the length of the
  // run.
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
  bench::add_poll_rows();
  bench::add_token_rows();
  bench::add_register_rows();
  bench::add_guard_rows();
  bench::add_await_rows();
  bench::add_helper_rows();
  bench::add_cancel_rows();
  bench::add_stop_rows();
  bench::add_stop_slots_rows();
  bench::add_resume_rows();
  const second_thread idle;
  return bench::run_rows(argc, argv, built_by);
}
