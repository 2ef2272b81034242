// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stop_guard means what std::stop_callback means: on a slot of every source, under every policy,
// before the slot has turned and afterwards.
#include "coroutine.hpp"
#include "sources.hpp"

#include <cancel/stop_slot.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using cancel::stop_guard;
using cancel::stop_policy;
using cancel::stop_slot;
using cancel_test::detached;
using cancel_test::event;

/// Guards cost differently; they must not mean anything different.
struct beginning {
  const char *name;
  stop_policy policy;
  int awaits_before;
};
constexpr beginning beginnings[] = {
    {"adaptive", stop_policy::adaptive, 0},
    {"adaptive_and_turned", stop_policy::adaptive, 10'000},
    {"shared", stop_policy::shared, 0},
    {"asymmetric", stop_policy::asymmetric, 0},
};

/// What a test starts from.
template <class Source>
struct given {
  using token = cancel_test::token_of<Source>;
  using slot_type = cancel_test::slot_of<Source>;

  explicit given(const beginning &how) : how(how) {
    std::stop_source stopped;
    stop_slot ends_the_period(stopped.get_token());
    stopped.request_stop(); // from here on new slots of std's sources start in shared mode
  }

  void prepare(slot_type &slot) const {
    for (int i = 0; i < how.awaits_before; ++i)
      stop_guard guard(slot, [] {});
  }

  const beginning &how;
  const stop_policy policy = how.policy;
  std::unique_ptr<Source> owned = std::make_unique<Source>();
  Source &source = *owned;
};

template <class Source>
inline constexpr bool is_shared = std::is_copy_constructible_v<Source>;

template <class Body, class Source>
class one_test : public testing::Test {
public:
  explicit one_test(const beginning &how) : given_(how) {}
  void TestBody() override { Body()(given_); }

private:
  given<Source> given_;
};

template <class Body>
bool register_everywhere(const char *sentence, const char *file, int line) noexcept {
  cancel_test::for_each_source([=]<class Source>() {
    for (const beginning &how : beginnings) {
      const std::string suite =
          std::string("a_stop_guard/") + cancel_test::name_of<Source> + "/" + how.name;
      testing::RegisterTest(suite.c_str(), sentence, nullptr, nullptr, file, line,
                            [&how]() -> testing::Test * {
                              return std::make_unique<one_test<Body, Source>>(how).release();
                            });
    }
  });
  return true;
}

/// Defines one test for every source and every beginning.
#define A_STOP_GUARD(sentence)                                                                     \
  struct sentence {                                                                                \
    template <class Source>                                                                        \
    void operator()(given<Source> &at) const;                                                      \
  };                                                                                               \
  [[maybe_unused]] const bool sentence##_is_registered =                                           \
      register_everywhere<sentence>(#sentence, __FILE__, __LINE__);                                \
  template <class Source>                                                                          \
  void sentence::operator()(given<Source> &at) const

// [stopcallback.cons]/2-4: construction.

A_STOP_GUARD(runs_its_callback_when_the_stop_is_requested) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(at.source.request_stop());
  EXPECT_EQ(runs, 1);
}

A_STOP_GUARD(runs_its_callback_in_the_constructor_if_the_stop_came_first) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  at.source.request_stop();
  std::thread::id ran_on;
  stop_guard guard(slot, [&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

A_STOP_GUARD(runs_in_the_constructor_on_a_slot_of_a_token_that_was_stopped_already) {
  at.source.request_stop();
  stop_slot slot(at.source.get_token(), at.policy);
  int runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

A_STOP_GUARD(runs_in_the_constructor_while_the_stop_still_waits_in_an_earlier_callback) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::binary_semaphore entered(0), proceed(0);
  stop_slot newer(at.source.get_token(), at.policy);
  stop_guard runs_first(newer, [&] {
    entered.release();
    proceed.acquire();
  });
  std::jthread canceller([&] { at.source.request_stop(); });
  entered.acquire();
  int runs = 0;
  {
    stop_guard guard(slot, [&] { ++runs; });
    EXPECT_EQ(runs, 1);
  }
  proceed.release();
  canceller.join();
  EXPECT_EQ(runs, 1);
}

A_STOP_GUARD(never_runs_without_a_stop_state) {
  stop_slot slot(typename given<Source>::token(), at.policy);
  at.prepare(slot);
  stop_guard guard(slot, [] { FAIL(); });
}

A_STOP_GUARD(never_runs_once_every_source_is_gone) {
  if constexpr (is_shared<Source>) { // the others outlive their slots
    std::optional<Source> only(std::in_place);
    stop_slot slot(only->get_token(), at.policy);
    only.reset();
    at.prepare(slot);
    stop_guard guard(slot, [] { FAIL(); });
  }
}

A_STOP_GUARD(calls_its_callback_as_an_rvalue) {
  struct rvalue_only {
    bool &ran;
    void operator()() && { ran = true; }
  };
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  bool ran = false;
  stop_guard<rvalue_only> guard(slot, rvalue_only{ran});
  at.source.request_stop();
  EXPECT_TRUE(ran);
}

A_STOP_GUARD(may_refer_to_a_callback_that_lives_elsewhere) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  auto callback = [&] { ++runs; };
  stop_guard<decltype(callback) &> guard(slot, callback);
  at.source.request_stop();
  EXPECT_EQ(runs, 1);
}

A_STOP_GUARD(converts_its_argument_to_the_callback) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  stop_guard<std::function<void()>> guard(slot, [&] { ++runs; });
  at.source.request_stop();
  EXPECT_EQ(runs, 1);
}

#if __cpp_exceptions
A_STOP_GUARD(arms_nothing_if_constructing_the_callback_throws) {
  struct throws {
    explicit throws(int) { throw std::string("no"); }
    void operator()() const {}
  };
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  EXPECT_THROW(stop_guard<throws> guard(slot, 1), std::string);
  EXPECT_TRUE(at.source.request_stop());
}

A_STOP_GUARD(terminates_if_its_callback_throws) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        stop_slot slot(at.source.get_token(), at.policy);
        at.prepare(slot);
        stop_guard guard(slot, [] { throw 1; });
        at.source.request_stop();
      },
      "");
}
#endif

// [stopcallback.cons]/5-8: destruction.

A_STOP_GUARD(does_not_run_after_its_scope) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  {
    stop_guard guard(slot, [&] { ++runs; });
  }
  at.source.request_stop();
  EXPECT_EQ(runs, 0);
}

A_STOP_GUARD(waits_in_its_destructor_for_a_callback_on_another_thread) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::binary_semaphore running(0);
  int effect = 0; // plain: disarming is what makes it safe to read
  std::optional<stop_guard<std::function<void()>>> guard;
  guard.emplace(slot, [&] {
    running.release();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    effect = 1;
  });
  std::jthread canceller([&] { at.source.request_stop(); });
  running.acquire();
  guard.reset();
  EXPECT_EQ(effect, 1);
}

A_STOP_GUARD(does_not_wait_for_a_callback_of_another_guard) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::binary_semaphore running(0), proceed(0);
  std::optional<stop_guard<std::function<void()>>> lower, upper;
  lower.emplace(slot, [] { ADD_FAILURE(); });
  upper.emplace(slot, [&] {
    running.release();
    proceed.acquire();
  });
  std::jthread canceller([&] { at.source.request_stop(); });
  running.acquire();
  lower.reset();
  proceed.release();
}

A_STOP_GUARD(may_be_destroyed_by_its_own_callback) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::optional<stop_guard<std::function<void()>>> guard;
  int runs = 0;
  guard.emplace(slot, [&] {
    ++runs;
    int &survives = runs; // what the callback captured dies with the guard
    guard.reset();
    ++survives;
  });
  at.source.request_stop();
  EXPECT_FALSE(guard);
  EXPECT_EQ(runs, 2);
}

A_STOP_GUARD(may_be_destroyed_by_the_callback_of_another_guard) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::optional<stop_guard<std::function<void()>>> lower, upper;
  lower.emplace(slot, [] { ADD_FAILURE(); });
  upper.emplace(slot, [&] { lower.reset(); });
  at.source.request_stop();
  EXPECT_FALSE(lower);
}

A_STOP_GUARD(may_be_destroyed_in_any_order) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::vector<int> ran;
  std::vector<std::unique_ptr<stop_guard<std::function<void()>>>> guards;
  guards.reserve(6);
  for (int i = 0; i < 6; ++i)
    guards.push_back(
        std::make_unique<stop_guard<std::function<void()>>>(slot, [&ran, i] { ran.push_back(i); }));
  for (int gone : {2, 0, 5})
    guards[gone].reset();
  at.source.request_stop();
  EXPECT_EQ(ran, (std::vector{4, 3, 1}));
}

A_STOP_GUARD(can_be_armed_and_disarmed_many_times_on_one_slot) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  std::optional<stop_guard<std::function<void()>>> guard;
  for (int i = 0; i < 20'000; ++i)
    guard.emplace(slot, [&runs, i] { runs = i; });
  at.source.request_stop();
  EXPECT_EQ(runs, 19'999);
}

// The coroutine frame.

template <class Source>
detached awaits_with_a_guard(given<Source> &at, event &wake, bool &resumed,
                             std::function<void(std::coroutine_handle<>)> on_stop) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  stop_guard outer(slot, [] {});
  stop_guard guard(slot, [&] { on_stop(wake.waiter); });
  co_await wake;
  resumed = true;
}

A_STOP_GUARD(may_die_with_its_slot_when_its_callback_destroys_the_frame) {
  event wake;
  bool resumed = false;
  awaits_with_a_guard(at, wake, resumed, [](std::coroutine_handle<> handle) { handle.destroy(); });
  EXPECT_TRUE(at.source.request_stop());
  EXPECT_FALSE(resumed);
}

A_STOP_GUARD(may_die_with_its_slot_when_its_callback_resumes_the_coroutine_to_its_end) {
  event wake;
  bool resumed = false;
  awaits_with_a_guard(at, wake, resumed, [](std::coroutine_handle<> handle) { handle.resume(); });
  EXPECT_TRUE(at.source.request_stop());
  EXPECT_TRUE(resumed);
}

A_STOP_GUARD(may_die_on_a_third_thread_while_its_callback_runs) {
  event wake;
  bool resumed = false;
  std::jthread third;
  awaits_with_a_guard(at, wake, resumed, [&](std::coroutine_handle<> handle) {
    third = std::jthread([handle] { handle.resume(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  EXPECT_TRUE(at.source.request_stop());
  third.join();
  EXPECT_TRUE(resumed);
}

A_STOP_GUARD(may_die_with_its_slot_and_its_source_in_its_own_callback) {
  // libstdc++ 12 locks the state once more when the callback that ended it was not the last one.
  [[maybe_unused]] const auto kept =
      cancel::use_legacy_stop_token ? at.source.get_token() : typename given<Source>::token();
  event wake;
  bool resumed = false;
  awaits_with_a_guard(at, wake, resumed, [&](std::coroutine_handle<> handle) {
    given<Source> &survives = at; // what the callback captured dies with the frame
    handle.destroy();
    survives.owned.reset();
  });
  EXPECT_TRUE(at.source.request_stop());
  EXPECT_FALSE(at.owned);
}

A_STOP_GUARD(may_be_destroyed_with_its_slot_by_the_callback_of_another_slot) {
  using slot_type = typename given<Source>::slot_type;
  std::optional<slot_type> slot(std::in_place, at.source.get_token(), at.policy);
  at.prepare(*slot);
  std::optional<stop_guard<std::function<void()>>> guard;
  guard.emplace(*slot, [] { ADD_FAILURE(); });
  stop_slot newer(at.source.get_token(), at.policy);
  stop_guard runs_first(newer, [&] {
    guard.reset();
    slot.reset();
  });
  EXPECT_TRUE(at.source.request_stop());
  EXPECT_FALSE(slot);
}

A_STOP_GUARD(runs_in_the_callback_that_arms_it_there) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0;
  stop_guard guard(slot, [&] {
    stop_guard inner(slot, [&] { ++runs; });
    EXPECT_EQ(runs, 1);
  });
  at.source.request_stop();
  EXPECT_EQ(runs, 1);
}

A_STOP_GUARD(runs_newest_first) {
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::vector<int> ran;
  stop_guard first(slot, [&] { ran.push_back(1); });
  stop_guard second(slot, [&] { ran.push_back(2); });
  stop_guard third(slot, [&] { ran.push_back(3); });
  at.source.request_stop();
  EXPECT_EQ(ran, (std::vector{3, 2, 1}));
}

A_STOP_GUARD(sees_what_preceded_the_request_and_shows_what_its_callback_did) {
  int before = 0, during = 0; // plain
  std::optional<stop_guard<std::function<void()>>> guard;
  stop_slot slot(at.source.get_token(), at.policy);
  at.prepare(slot);
  std::jthread canceller([&] {
    before = 1;
    at.source.request_stop();
  });
  while (!slot.stop_requested())
    std::this_thread::yield();
  guard.emplace(slot, [&] { during = before + 1; });
  guard.reset();
  EXPECT_EQ(during, 2);
}

A_STOP_GUARD(of_one_source_ignores_the_stop_of_another) {
  Source other;
  stop_slot slot(at.source.get_token(), at.policy), other_slot(other.get_token(), at.policy);
  at.prepare(slot);
  int runs = 0, other_runs = 0;
  stop_guard guard(slot, [&] { ++runs; });
  stop_guard other_guard(other_slot, [&] { ++other_runs; });
  other.request_stop();
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(other_runs, 1);
}

// What the compiler must see.

struct nothrow_callback {
  void operator()() const {}
};
struct throwing_callback {
  throwing_callback(const throwing_callback &) noexcept(false) {}
  void operator()() const {}
};

static_assert(std::is_same_v<stop_guard<nothrow_callback>::callback_type, nothrow_callback>);
static_assert(
    std::is_same_v<decltype(stop_guard(std::declval<stop_slot<> &>(), nothrow_callback())),
                   stop_guard<nothrow_callback>>);
static_assert(
    std::is_nothrow_constructible_v<stop_guard<nothrow_callback>, stop_slot<> &, nothrow_callback>);
static_assert(!std::is_nothrow_constructible_v<stop_guard<throwing_callback>, stop_slot<> &,
                                               const throwing_callback &>);
static_assert(!std::is_constructible_v<stop_guard<nothrow_callback>, stop_slot<> &, int>);
static_assert(
    !std::is_constructible_v<stop_guard<nothrow_callback>, stop_slot<>, nothrow_callback>);
static_assert(!std::is_copy_constructible_v<stop_guard<nothrow_callback>>);
static_assert(!std::is_move_constructible_v<stop_guard<nothrow_callback>>);
static_assert(std::is_nothrow_constructible_v<stop_slot<>, const std::stop_token &>);
static_assert(!std::is_copy_constructible_v<stop_slot<>> &&
              !std::is_move_constructible_v<stop_slot<>>);

} // namespace
