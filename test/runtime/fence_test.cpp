// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fences order memory, and neither a missing nor a broken membarrier is ignored.
#include <cancel/cancel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <stop_token>
#include <thread>

#if defined(__linux__)
#include <cerrno>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#endif

namespace {

using cancel::stop_policy;
constexpr auto seq_cst = std::memory_order_seq_cst;

TEST(asymmetric_fences, give_every_caller_the_same_answer) {
  const bool available = cancel::asymmetric_thread_fence_available();
  std::jthread other([=] { EXPECT_EQ(cancel::asymmetric_thread_fence_available(), available); });
}

TEST(asymmetric_fences, let_two_threads_not_miss_each_other) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ready{0}, x{0}, y{0};
    int saw_x = 0, saw_y = 0;
    const auto meet = [&] {
      ready.fetch_add(1);
      while (ready.load() != 2)
        ;
    };
    std::jthread frequent([&] {
      meet();
      x.store(1, std::memory_order_relaxed);
      cancel::asymmetric_thread_fence_light(seq_cst);
      saw_y = y.load(std::memory_order_relaxed);
    });
    meet();
    y.store(1, std::memory_order_relaxed);
    cancel::asymmetric_thread_fence_heavy(seq_cst);
    saw_x = x.load(std::memory_order_relaxed);
    frequent.join();
    ASSERT_TRUE(saw_x || saw_y) << "in round " << round;
  }
}

TEST(prefetching_a_frame, accepts_any_handle) {
  cancel::prefetch_frame(std::coroutine_handle<>());
  cancel::prefetch_frame(std::noop_coroutine());
}

#if defined(__linux__) && defined(SYS_membarrier)

/// Makes membarrier fail in this process from now on; returns whether the system lets us.
bool forbid_membarrier() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof program / sizeof *program, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Exit codes of the child processes below.
enum : int { as_promised = 0, wrong = 1, cannot_forbid = 2 };

/// Runs in a fresh process, whose answer about membarrier is still open.
class a_sandboxed_process : public testing::Test {
protected:
  a_sandboxed_process() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

constexpr stop_policy policies[] = {stop_policy::adaptive, stop_policy::asymmetric};

/// Arms a guard on `slot` after so many others that an adaptive slot turns if it can; `stop` runs
/// it.
template <class Slot, class Stop>
bool runs_its_guard(Slot &slot, Stop stop) {
  for (int i = 0; i < 10'000; ++i)
    cancel::stop_guard guard(slot, [] {});
  int runs = 0;
  cancel::stop_guard guard(slot, [&] { ++runs; });
  stop();
  return runs == 1;
}

template <class Source>
bool runs_its_guard(stop_policy policy, void (*before_the_stop)() = [] {}) {
  Source source;
  cancel::stop_slot slot(source.get_token(), policy);
  return runs_its_guard(slot, [&] {
    before_the_stop();
    source.request_stop();
  });
}

/// A frame, which has no source.
struct frame {};
template <>
bool runs_its_guard<frame>(stop_policy policy, void (*before_the_stop)()) {
  cancel::stop_frame slot(policy);
  return runs_its_guard(slot, [&] {
    before_the_stop();
    slot.request_stop();
  });
}

template <class Source>
class a_sandboxed_slot : public a_sandboxed_process {};
using stopped_things =
    testing::Types<std::stop_source, cancel::stop_source, cancel::inplace_stop_source,
                   cancel::sharded_stop_source<2>, frame>;
TYPED_TEST_SUITE(a_sandboxed_slot, stopped_things);

template <class Source>
int uses_slots_without_membarrier() {
  if (!forbid_membarrier())
    return cannot_forbid;
  if (cancel::asymmetric_thread_fence_available())
    return wrong;
  for (const stop_policy policy : policies)
    if (!runs_its_guard<Source>(policy))
      return wrong;
  return as_promised;
}

TYPED_TEST(a_sandboxed_slot, uses_ordered_stores_where_membarrier_is_forbidden) {
  EXPECT_EXIT(
      std::_Exit(uses_slots_without_membarrier<TypeParam>()),
      [](int status) {
        return WIFEXITED(status) &&
               (WEXITSTATUS(status) == as_promised || WEXITSTATUS(status) == cannot_forbid);
      },
      "");
}

template <class Source>
void stops_a_turned_slot_after_losing_membarrier(stop_policy policy) {
  if (!cancel::asymmetric_thread_fence_available())
    std::_Exit(cannot_forbid);
  runs_its_guard<Source>(policy, [] {
    if (!forbid_membarrier())
      std::_Exit(cannot_forbid);
  });
  std::_Exit(wrong);
}

TYPED_TEST(a_sandboxed_slot, terminates_when_membarrier_fails_after_it_has_relied_on_it) {
  for (const stop_policy policy : policies)
    EXPECT_EXIT(
        stops_a_turned_slot_after_losing_membarrier<TypeParam>(policy),
        [](int status) {
          return (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) ||
                 (WIFEXITED(status) && WEXITSTATUS(status) == cannot_forbid);
        },
        "");
}

/// One that shares its order needs no barrier, and so does not miss it.
TYPED_TEST(a_sandboxed_slot, that_is_shared_does_not_care) {
  EXPECT_EXIT(
      {
        static_cast<void>(cancel::asymmetric_thread_fence_available());
        const bool ran = runs_its_guard<TypeParam>(stop_policy::shared, [] {
          if (!forbid_membarrier())
            std::_Exit(cannot_forbid);
        });
        std::_Exit(ran ? as_promised : wrong);
      },
      [](int status) {
        return WIFEXITED(status) &&
               (WEXITSTATUS(status) == as_promised || WEXITSTATUS(status) == cannot_forbid);
      },
      "");
}
#endif

} // namespace
