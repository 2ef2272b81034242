// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [stoptoken.inplace], [stopsource.inplace] and [stopcallback.inplace], for the plain source and
// for the one whose registrations are spread.
#include "sources.hpp"

#include <cancel/inplace_stop_source.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using cancel::inplace_stop_callback;
using cancel::inplace_stop_source;
using cancel::inplace_stop_token;
using cancel_test::sharded;

using any_callback = inplace_stop_callback<std::function<void()>>;
using holder = std::optional<any_callback>;

template <class Source>
class inplace : public testing::Test {
protected:
  std::unique_ptr<Source> owned = std::make_unique<Source>();
  Source &source = *owned;
};

template <class Source>
using an_inplace_token = inplace<Source>;
template <class Source>
using an_inplace_source = inplace<Source>;
template <class Source>
using an_inplace_callback = inplace<Source>;

using sources = testing::Types<inplace_stop_source, sharded>;
TYPED_TEST_SUITE(an_inplace_token, sources, cancel_test::source_names);
TYPED_TEST_SUITE(an_inplace_source, sources, cancel_test::source_names);
TYPED_TEST_SUITE(an_inplace_callback, sources, cancel_test::source_names);

// What the compiler must see.

struct quiet {
  void operator()() const {}
};
struct throws_when_copied {
  throws_when_copied(const throws_when_copied &) noexcept(false) {}
  void operator()() const {}
};

static_assert(std::is_nothrow_default_constructible_v<inplace_stop_token>);
static_assert(std::is_nothrow_copy_constructible_v<inplace_stop_token>);
static_assert(std::is_nothrow_copy_assignable_v<inplace_stop_token>);
static_assert(std::is_nothrow_swappable_v<inplace_stop_token>);
static_assert(std::regular<inplace_stop_token>);
static_assert(std::same_as<inplace_stop_token::callback_type<quiet>, inplace_stop_callback<quiet>>);

template <class Source>
constexpr bool is_immovable =
    !std::is_copy_constructible_v<Source> && !std::is_move_constructible_v<Source> &&
    !std::is_copy_assignable_v<Source> && !std::is_move_assignable_v<Source>;
static_assert(is_immovable<inplace_stop_source> && is_immovable<sharded>);
static_assert(is_immovable<inplace_stop_callback<quiet>>);

template <class Source>
constexpr bool is_quiet = noexcept(std::declval<const Source &>().get_token()) &&
                          noexcept(std::declval<const Source &>().stop_possible()) &&
                          noexcept(std::declval<const Source &>().stop_requested()) &&
                          noexcept(std::declval<Source &>().request_stop());
static_assert(is_quiet<inplace_stop_source> && is_quiet<sharded>);
static_assert(inplace_stop_source::stop_possible() && sharded::stop_possible());

static_assert(std::same_as<inplace_stop_callback<quiet>::callback_type, quiet>);
static_assert(std::same_as<decltype(inplace_stop_callback(inplace_stop_token(), quiet())),
                           inplace_stop_callback<quiet>>);
static_assert(
    std::is_nothrow_constructible_v<inplace_stop_callback<quiet>, inplace_stop_token, quiet>);
static_assert(!std::is_nothrow_constructible_v<inplace_stop_callback<throws_when_copied>,
                                               inplace_stop_token, const throws_when_copied &>);
static_assert(!std::is_constructible_v<inplace_stop_callback<quiet>, inplace_stop_token, int>);
static_assert(!std::is_convertible_v<inplace_stop_token, inplace_stop_callback<quiet>>);

#if !CANCEL_USE_LEGACY_STOP_TOKEN // a std::stop_source allocates, and its token counts
static_assert(std::is_nothrow_default_constructible_v<inplace_stop_source>);
static_assert(std::is_nothrow_default_constructible_v<sharded>);
static_assert(std::is_trivially_copyable_v<inplace_stop_token>);

constinit inplace_stop_source global;
constinit const inplace_stop_token of_global = global.get_token();
constinit sharded global_and_sharded;
#else
inplace_stop_source global;
const inplace_stop_token of_global = global.get_token();
sharded global_and_sharded;
#endif

TEST(a_global_inplace_source, exists_before_anything_runs) {
  EXPECT_EQ(of_global, global.get_token());
  int runs = 0;
  inplace_stop_callback on_stop(of_global, [&] { ++runs; });
  inplace_stop_callback on_other(global_and_sharded.get_token(), [&] { ++runs; });
  EXPECT_TRUE(global.request_stop());
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(global_and_sharded.request_stop());
  EXPECT_EQ(runs, 2);
}

// [stoptoken.inplace]

TEST(a_default_inplace_token, can_never_be_stopped) {
  const inplace_stop_token token;
  EXPECT_FALSE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  EXPECT_EQ(token, inplace_stop_token());
}

TYPED_TEST(an_inplace_token, is_stopped_with_its_source) {
  const inplace_stop_token token = this->source.get_token();
  EXPECT_TRUE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  this->source.request_stop();
  EXPECT_TRUE(token.stop_requested());
  EXPECT_TRUE(token.stop_possible());
}

TYPED_TEST(an_inplace_token, equals_the_tokens_of_its_source_alone) {
  TypeParam other;
  EXPECT_EQ(this->source.get_token(), this->source.get_token());
  EXPECT_NE(this->source.get_token(), other.get_token());
  EXPECT_NE(this->source.get_token(), inplace_stop_token());
}

TYPED_TEST(an_inplace_token, is_copied_and_swapped) {
  TypeParam other;
  inplace_stop_token a = this->source.get_token(), b = other.get_token();
  a.swap(b);
  EXPECT_EQ(a, other.get_token());
  swap(a, b);
  EXPECT_EQ(a, this->source.get_token());
  b = a;
  EXPECT_EQ(b, a);
}

TYPED_TEST(an_inplace_token, shows_what_preceded_the_request) {
  int written = 0; // plain
  std::jthread requester([&] {
    written = 1;
    this->source.request_stop();
  });
  const inplace_stop_token token = this->source.get_token();
  while (!token.stop_requested())
    std::this_thread::yield();
  EXPECT_EQ(written, 1);
}

// [stopsource.inplace]

TYPED_TEST(an_inplace_source, is_stopped_by_the_first_request_alone) {
  EXPECT_FALSE(this->source.stop_requested());
  EXPECT_TRUE(this->source.request_stop());
  EXPECT_FALSE(this->source.request_stop());
  EXPECT_TRUE(this->source.stop_requested());
}

TYPED_TEST(an_inplace_source, lets_one_of_many_threads_win) {
  for (int round = 0; round < 50; ++round) {
    TypeParam source;
    std::atomic<int> winners{0}, runs{0};
    inplace_stop_callback on_stop(source.get_token(), [&] { ++runs; });
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
          winners += source.request_stop();
          EXPECT_TRUE(source.stop_requested());
        });
    }
    ASSERT_EQ(winners, 1);
    ASSERT_EQ(runs, 1);
  }
}

TYPED_TEST(an_inplace_source, may_be_destroyed_by_its_only_callback) {
  struct {
    std::unique_ptr<TypeParam> source = std::make_unique<TypeParam>();
    holder on_stop;
    int runs = 0;
  } all;
  all.on_stop.emplace(all.source->get_token(), [&] {
    auto &survives = all; // what the callback captured dies with it
    ++survives.runs;
    survives.on_stop.reset();
    survives.source.reset();
  });
  all.source->request_stop();
  EXPECT_EQ(all.runs, 1);
}

TYPED_TEST(an_inplace_source, runs_the_callbacks_of_one_thread_newest_first) {
  std::vector<int> ran;
  inplace_stop_callback first(this->source.get_token(), [&] { ran.push_back(1); });
  inplace_stop_callback second(this->source.get_token(), [&] { ran.push_back(2); });
  inplace_stop_callback third(this->source.get_token(), [&] { ran.push_back(3); });
  this->source.request_stop();
  EXPECT_EQ(ran, (std::vector{3, 2, 1}));
}

TYPED_TEST(an_inplace_source, runs_the_callbacks_of_every_thread) {
  std::atomic<int> runs{0};
  std::counting_semaphore<> registered(0), stopped(0);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      inplace_stop_callback on_stop(this->source.get_token(), [&] { ++runs; });
      registered.release();
      stopped.acquire();
    });
  for (int i = 0; i < 6; ++i)
    registered.acquire();
  this->source.request_stop();
  EXPECT_EQ(runs, 6);
  stopped.release(6);
}

// [stopcallback.inplace]

TYPED_TEST(an_inplace_callback, runs_once_when_the_stop_is_requested) {
  int runs = 0;
  inplace_stop_callback on_stop(this->source.get_token(), [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  this->source.request_stop();
  this->source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(an_inplace_callback, runs_in_its_constructor_if_the_stop_came_first) {
  this->source.request_stop();
  std::thread::id ran_on;
  inplace_stop_callback on_stop(this->source.get_token(),
                                [&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TYPED_TEST(an_inplace_callback, runs_on_the_thread_that_requests_the_stop) {
  std::thread::id ran_on, requested_on;
  inplace_stop_callback on_stop(this->source.get_token(),
                                [&] { ran_on = std::this_thread::get_id(); });
  std::thread([&] {
    requested_on = std::this_thread::get_id();
    this->source.request_stop();
  }).join();
  EXPECT_EQ(ran_on, requested_on);
}

TYPED_TEST(an_inplace_callback, sees_the_stop_requested) {
  bool seen = false;
  inplace_stop_callback on_stop(this->source.get_token(), [&] {
    seen = this->source.stop_requested() && this->source.get_token().stop_requested() &&
           !this->source.request_stop();
  });
  this->source.request_stop();
  EXPECT_TRUE(seen);
}

TEST(an_inplace_callback_of_no_token, never_runs) {
  inplace_stop_callback on_stop(inplace_stop_token(), [] { FAIL(); });
}

TYPED_TEST(an_inplace_callback, is_called_as_an_rvalue) {
  struct rvalue_only {
    bool &ran;
    void operator()() && { ran = true; }
  };
  bool ran = false;
  inplace_stop_callback on_stop(this->source.get_token(), rvalue_only{ran});
  this->source.request_stop();
  EXPECT_TRUE(ran);
}

TYPED_TEST(an_inplace_callback, may_refer_to_a_function_that_lives_elsewhere) {
  int runs = 0;
  auto function = [&] { ++runs; };
  inplace_stop_callback<decltype(function) &> on_stop(this->source.get_token(), function);
  this->source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(an_inplace_callback, registers_nothing_if_constructing_the_function_throws) {
  struct throws {
    explicit throws(int) { throw std::string("no"); }
    void operator()() const { ADD_FAILURE(); }
  };
  EXPECT_THROW(inplace_stop_callback<throws>(this->source.get_token(), 1), std::string);
  EXPECT_TRUE(this->source.request_stop());
}

TYPED_TEST(an_inplace_callback, terminates_if_it_throws) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        inplace_stop_callback on_stop(this->source.get_token(), [] { throw 1; });
        this->source.request_stop();
      },
      "");
}

TYPED_TEST(an_inplace_callback, does_not_run_after_its_destruction) {
  int runs = 0;
  {
    inplace_stop_callback on_stop(this->source.get_token(), [&] { ++runs; });
  }
  this->source.request_stop();
  EXPECT_EQ(runs, 0);
}

TYPED_TEST(an_inplace_callback, waits_in_its_destructor_until_it_has_run_on_another_thread) {
  std::binary_semaphore running(0);
  int effect = 0; // plain: the destructor is what makes it safe to read
  holder on_stop;
  on_stop.emplace(this->source.get_token(), [&] {
    running.release();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    effect = 1;
  });
  std::jthread requester([&] { this->source.request_stop(); });
  running.acquire();
  on_stop.reset();
  EXPECT_EQ(effect, 1);
}

TYPED_TEST(an_inplace_callback, does_not_wait_for_another_one) {
  std::binary_semaphore running(0), proceed(0);
  holder waiting, blocking;
  waiting.emplace(this->source.get_token(), [] { ADD_FAILURE(); });
  blocking.emplace(this->source.get_token(), [&] {
    running.release();
    proceed.acquire();
  });
  std::jthread requester([&] { this->source.request_stop(); });
  running.acquire();
  waiting.reset();
  proceed.release();
}

TYPED_TEST(an_inplace_callback, may_be_destroyed_by_itself) {
  holder on_stop;
  int runs = 0;
  on_stop.emplace(this->source.get_token(), [&] {
    int &survives = runs; // what the callback captured dies with it
    on_stop.reset();
    ++survives;
  });
  this->source.request_stop();
  EXPECT_FALSE(on_stop);
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(an_inplace_callback, may_be_destroyed_by_another_one) {
  holder a, b;
  int runs = 0;
  a.emplace(this->source.get_token(), [&] { ++runs, b.reset(); });
  b.emplace(this->source.get_token(), [&] { ++runs, a.reset(); });
  this->source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(an_inplace_callback, may_destroy_all_others_and_then_the_source) {
  struct {
    std::unique_ptr<TypeParam> source = std::make_unique<TypeParam>();
    holder a, b, c;
    int runs = 0;
  } all;
  const auto end_everything = [&] {
    auto &survives = all; // what the callback captured dies with it
    ++survives.runs;
    survives.a.reset();
    survives.b.reset();
    survives.c.reset();
    survives.source.reset();
  };
  // libstdc++ 12 locks the state once more when the callback that ended it was not the last one.
  [[maybe_unused]] const inplace_stop_token kept =
      cancel::use_legacy_stop_token ? all.source->get_token() : inplace_stop_token();
  all.a.emplace(all.source->get_token(), end_everything);
  all.b.emplace(all.source->get_token(), end_everything);
  all.c.emplace(all.source->get_token(), end_everything);
  all.source->request_stop();
  EXPECT_EQ(all.runs, 1);
}

TYPED_TEST(an_inplace_callback, may_destroy_the_source_when_it_is_the_last_of_many) {
  struct {
    std::unique_ptr<TypeParam> source = std::make_unique<TypeParam>();
    holder a, b, c;
    int runs = 0;
  } all;
  const auto token = all.source->get_token();
  all.a.emplace(token, [&] {
    auto &survives = all;
    ++survives.runs;
    survives.a.reset();
    survives.source.reset();
  });
  all.b.emplace(token, [&] { ++all.runs, all.b.reset(); });
  all.c.emplace(token, [&] { ++all.runs, all.c.reset(); });
  all.source->request_stop();
  EXPECT_EQ(all.runs, 3);
}

TYPED_TEST(an_inplace_callback, may_register_another_one_which_then_runs_at_once) {
  std::vector<int> ran;
  inplace_stop_callback on_stop(this->source.get_token(), [&] {
    inplace_stop_callback inner(this->source.get_token(), [&] { ran.push_back(1); });
    ran.push_back(2);
  });
  this->source.request_stop();
  EXPECT_EQ(ran, (std::vector{1, 2}));
}

TYPED_TEST(an_inplace_callback, may_come_and_go_on_many_threads_while_one_stops) {
  for (int round = 0; round < 20; ++round) {
    TypeParam source;
    std::vector<std::jthread> threads;
    std::atomic<int> ready{0};
    for (int i = 0; i < 5; ++i) // more than there are shards
      threads.emplace_back([&, token = source.get_token()] {
        ++ready;
        for (bool stopped = false; !stopped;) {
          int runs = 0; // plain
          stopped = token.stop_requested();
          {
            inplace_stop_callback on_stop(token, [&] { ++runs; });
          }
          ASSERT_LE(runs, 1);
          ASSERT_TRUE(!stopped || runs == 1);
        }
      });
    while (ready != 5)
      std::this_thread::yield();
    ASSERT_TRUE(source.request_stop());
  }
}

TYPED_TEST(an_inplace_callback, runs_after_the_slots_of_its_source) {
  if constexpr (!cancel::use_legacy_stop_token) { // there the order is that of registration alone
    std::vector<int> ran;
    cancel::stop_slot slot(this->source.get_token());
    inplace_stop_callback on_stop(this->source.get_token(), [&] { ran.push_back(2); });
    cancel::stop_guard guard(slot, [&] { ran.push_back(1); });
    this->source.request_stop();
    EXPECT_EQ(ran, (std::vector{1, 2}));
  }
}

} // namespace
