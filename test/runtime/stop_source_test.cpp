// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [thread.stoptoken], paragraph by paragraph. Each test also runs over the standard library's
// types, which is what makes ours a drop-in.
#include <cancel/stop_source.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

struct standard {
  using stop_source = std::stop_source;
  using stop_token = std::stop_token;
  template <class F>
  using stop_callback = std::stop_callback<F>;

  /// Through the deduction guide.
  template <class Token, class F>
  static auto on_stop(Token &&token, F callback) {
    return std::stop_callback(std::forward<Token>(token), std::move(callback));
  }
};

struct ours {
  using stop_source = cancel::stop_source;
  using stop_token = cancel::stop_token;
  template <class F>
  using stop_callback = cancel::stop_callback<F>;

  template <class Token, class F>
  static auto on_stop(Token &&token, F callback) {
    return cancel::stop_callback(std::forward<Token>(token), std::move(callback));
  }
};

/// In legacy mode ours is the standard library's.
template <class Library>
constexpr bool is_standard = std::is_same_v<typename Library::stop_source, std::stop_source>;

struct library_names {
  template <class Library>
  static std::string GetName(int) {
    return std::is_same_v<Library, ours> ? "cancel" : "std";
  }
};

using any_function = std::function<void()>;

template <class Library>
class library : public testing::Test {
protected:
  using stop_source = typename Library::stop_source;
  using stop_token = typename Library::stop_token;
  template <class F>
  using stop_callback = typename Library::template stop_callback<F>;
  using holder = std::optional<stop_callback<any_function>>;
};

template <class Library>
using a_stop_token = library<Library>;
template <class Library>
using a_stop_source = library<Library>;
template <class Library>
using a_stop_callback = library<Library>;

using libraries = testing::Types<standard, ours>;
TYPED_TEST_SUITE(a_stop_token, libraries, library_names);
TYPED_TEST_SUITE(a_stop_source, libraries, library_names);
TYPED_TEST_SUITE(a_stop_callback, libraries, library_names);

// What the compiler must see.

struct quiet {
  void operator()() const {}
};
struct throws_when_copied {
  throws_when_copied(const throws_when_copied &) noexcept(false) {}
  void operator()() const {}
};

template <class Library>
constexpr bool declares_what_the_standard_does() {
  using source = typename Library::stop_source;
  using token = typename Library::stop_token;
  using callback = typename Library::template stop_callback<quiet>;
  using wary_callback = typename Library::template stop_callback<throws_when_copied>;

  static_assert(std::is_nothrow_default_constructible_v<token>);
  static_assert(std::is_nothrow_copy_constructible_v<token>);
  static_assert(std::is_nothrow_move_constructible_v<token>);
  static_assert(std::is_nothrow_copy_assignable_v<token>);
  static_assert(std::is_nothrow_move_assignable_v<token>);
  static_assert(std::is_nothrow_swappable_v<token>);
  static_assert(std::regular<token>);
  static_assert(noexcept(std::declval<const token &>().stop_requested()));
  static_assert(noexcept(std::declval<const token &>().stop_possible()));
  static_assert(noexcept(std::declval<token &>().swap(std::declval<token &>())));
  // libstdc++ 12 forgot this one.
  static_assert(is_standard<Library> ||
                noexcept(std::declval<const token &>() == std::declval<const token &>()));

  static_assert(std::is_default_constructible_v<source>);
  static_assert(std::is_nothrow_constructible_v<source, std::nostopstate_t>);
  static_assert(!std::is_convertible_v<std::nostopstate_t, source>);
  static_assert(std::is_nothrow_copy_constructible_v<source>);
  static_assert(std::is_nothrow_move_constructible_v<source>);
  static_assert(std::is_nothrow_copy_assignable_v<source>);
  static_assert(std::is_nothrow_move_assignable_v<source>);
  static_assert(std::is_nothrow_swappable_v<source>);
  static_assert(std::regular<source>);
  static_assert(noexcept(std::declval<const source &>().get_token()));
  static_assert(noexcept(std::declval<const source &>().stop_possible()));
  static_assert(noexcept(std::declval<const source &>().stop_requested()));
  static_assert(noexcept(std::declval<const source &>().request_stop()));
  static_assert(noexcept(std::declval<source &>().swap(std::declval<source &>())));
  static_assert(std::same_as<decltype(std::declval<const source &>().get_token()), token>);
  static_assert(std::same_as<decltype(std::declval<const source &>().request_stop()), bool>);

  static_assert(std::same_as<typename callback::callback_type, quiet>);
  static_assert(std::is_nothrow_constructible_v<callback, const token &, quiet>);
  static_assert(std::is_nothrow_constructible_v<callback, token &&, quiet>);
  static_assert(std::same_as<decltype(Library::on_stop(token(), quiet())), callback>);
  static_assert(std::is_constructible_v<wary_callback, token, const throws_when_copied &>);
  static_assert(!std::is_nothrow_constructible_v<wary_callback, token, const throws_when_copied &>);
  static_assert(!std::is_constructible_v<callback, token, int>);
  static_assert(!std::is_convertible_v<token, callback>);
  static_assert(!std::is_copy_constructible_v<callback> && !std::is_move_constructible_v<callback>);
  static_assert(!std::is_copy_assignable_v<callback> && !std::is_move_assignable_v<callback>);
  return true;
}
static_assert(declares_what_the_standard_does<standard>());
static_assert(declares_what_the_standard_does<ours>());
static_assert(std::same_as<cancel::nostopstate_t, std::nostopstate_t>);

// [stoptoken]

TYPED_TEST(a_stop_token, without_a_state_can_never_be_stopped) {
  const typename TestFixture::stop_token token;
  EXPECT_FALSE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
}

TYPED_TEST(a_stop_token, can_be_stopped_while_a_source_exists) {
  std::optional<typename TestFixture::stop_source> source(std::in_place);
  const auto token = source->get_token();
  EXPECT_TRUE(token.stop_possible());
  const std::optional second = source;
  source.reset();
  EXPECT_TRUE(token.stop_possible());
}

TYPED_TEST(a_stop_token, can_not_be_stopped_once_the_last_source_is_gone) {
  std::optional<typename TestFixture::stop_source> source(std::in_place);
  const auto token = source->get_token();
  source.reset();
  EXPECT_FALSE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
}

TYPED_TEST(a_stop_token, stays_stopped_when_the_last_source_is_gone) {
  std::optional<typename TestFixture::stop_source> source(std::in_place);
  const auto token = source->get_token();
  source->request_stop();
  source.reset();
  EXPECT_TRUE(token.stop_requested());
  EXPECT_TRUE(token.stop_possible());
}

TYPED_TEST(a_stop_token, shares_its_state_with_its_copies) {
  typename TestFixture::stop_source source;
  const auto token = source.get_token();
  const auto copy = token; // NOLINT(performance-unnecessary-copy-initialization)
  typename TestFixture::stop_token assigned;
  assigned = token;
  source.request_stop();
  EXPECT_TRUE(copy.stop_requested());
  EXPECT_TRUE(assigned.stop_requested());
}

TYPED_TEST(a_stop_token, has_no_state_after_it_was_moved_from) {
  typename TestFixture::stop_source source;
  auto token = source.get_token();
  const auto moved = std::move(token);
  EXPECT_FALSE(token.stop_possible()); // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(moved, source.get_token());
  typename TestFixture::stop_token assigned;
  auto second = source.get_token();
  assigned = std::move(second);
  EXPECT_FALSE(second.stop_possible()); // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(assigned.stop_possible());
}

TYPED_TEST(a_stop_token, survives_assignment_to_itself) {
  typename TestFixture::stop_source source;
  auto token = source.get_token();
  auto &same = token;
  token = same;
  EXPECT_EQ(token, source.get_token());
  token = std::move(same);
  EXPECT_EQ(token, source.get_token());
}

TYPED_TEST(a_stop_token, gives_up_its_state_when_it_is_assigned_another) {
  typename TestFixture::stop_source source, other;
  auto token = source.get_token();
  token = other.get_token();
  source.request_stop();
  EXPECT_FALSE(token.stop_requested());
  other.request_stop();
  EXPECT_TRUE(token.stop_requested());
}

TYPED_TEST(a_stop_token, equals_the_tokens_of_its_state_alone) {
  using token = typename TestFixture::stop_token;
  typename TestFixture::stop_source source, other;
  EXPECT_EQ(source.get_token(), source.get_token());
  EXPECT_NE(source.get_token(), other.get_token());
  EXPECT_NE(source.get_token(), token());
  EXPECT_EQ(token(), token());
}

TYPED_TEST(a_stop_token, swaps_its_state) {
  typename TestFixture::stop_source source, other;
  auto a = source.get_token(), b = other.get_token();
  a.swap(b);
  EXPECT_EQ(a, other.get_token());
  swap(a, b);
  EXPECT_EQ(a, source.get_token());
  EXPECT_EQ(b, other.get_token());
}

TYPED_TEST(a_stop_token, shows_what_preceded_the_request) {
  typename TestFixture::stop_source source;
  int written = 0; // plain
  std::jthread requester([&] {
    written = 1;
    source.request_stop();
  });
  const auto token = source.get_token();
  while (!token.stop_requested())
    std::this_thread::yield();
  EXPECT_EQ(written, 1);
}

// [stopsource]

TYPED_TEST(a_stop_source, has_a_state_that_nobody_has_stopped) {
  const typename TestFixture::stop_source source;
  EXPECT_TRUE(source.stop_possible());
  EXPECT_FALSE(source.stop_requested());
}

TYPED_TEST(a_stop_source, without_a_state_does_nothing) {
  const typename TestFixture::stop_source source(std::nostopstate);
  EXPECT_FALSE(source.stop_possible());
  EXPECT_FALSE(source.request_stop());
  EXPECT_FALSE(source.stop_requested());
  EXPECT_EQ(source.get_token(), typename TestFixture::stop_token());
}

TYPED_TEST(a_stop_source, is_stopped_by_the_first_request_alone) {
  const typename TestFixture::stop_source source;
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(source.request_stop());
  EXPECT_TRUE(source.stop_requested());
  EXPECT_TRUE(source.stop_possible());
}

TYPED_TEST(a_stop_source, shares_its_state_with_its_copies) {
  const typename TestFixture::stop_source source;
  const auto copy = source; // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy, source);
  EXPECT_TRUE(copy.request_stop());
  EXPECT_FALSE(source.request_stop());
  EXPECT_TRUE(source.stop_requested());
}

TYPED_TEST(a_stop_source, has_no_state_after_it_was_moved_from) {
  typename TestFixture::stop_source source;
  const auto token = source.get_token();
  auto moved = std::move(source);
  EXPECT_FALSE(source.stop_possible()); // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(source.request_stop());
  EXPECT_EQ(moved.get_token(), token);
  typename TestFixture::stop_source assigned;
  assigned = std::move(moved);
  EXPECT_FALSE(moved.stop_possible()); // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(assigned.request_stop());
  EXPECT_TRUE(token.stop_requested());
}

TYPED_TEST(a_stop_source, leaves_its_old_state_behind_when_it_is_assigned_another) {
  typename TestFixture::stop_source source, other;
  const auto old = source.get_token();
  source = other;
  EXPECT_FALSE(old.stop_possible());
  EXPECT_EQ(source, other);
  source = typename TestFixture::stop_source(std::nostopstate);
  EXPECT_TRUE(other.get_token().stop_possible());
  other = source;
  EXPECT_FALSE(other.stop_possible());
}

TYPED_TEST(a_stop_source, survives_assignment_to_itself) {
  typename TestFixture::stop_source source;
  const auto token = source.get_token();
  auto &same = source;
  source = same;
  EXPECT_TRUE(token.stop_possible());
  source = std::move(same);
  EXPECT_TRUE(token.stop_possible());
  EXPECT_TRUE(source.request_stop());
}

TYPED_TEST(a_stop_source, equals_the_sources_of_its_state_alone) {
  using source = typename TestFixture::stop_source;
  const source a, b;
  EXPECT_EQ(a, a);
  EXPECT_NE(a, b);
  EXPECT_NE(a, source(std::nostopstate));
  EXPECT_EQ(source(std::nostopstate), source(std::nostopstate));
}

TYPED_TEST(a_stop_source, swaps_its_state) {
  typename TestFixture::stop_source a, b;
  const auto of_a = a.get_token(), of_b = b.get_token();
  a.swap(b);
  EXPECT_EQ(a.get_token(), of_b);
  swap(a, b);
  EXPECT_EQ(a.get_token(), of_a);
}

TYPED_TEST(a_stop_source, lets_one_of_many_threads_win) {
  for (int round = 0; round < 50; ++round) {
    const typename TestFixture::stop_source source;
    std::atomic<int> winners{0}, runs{0};
    auto on_stop = TypeParam::on_stop(source.get_token(), [&] { ++runs; });
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

// [stopcallback.cons]/2-4: construction.

TYPED_TEST(a_stop_callback, runs_when_the_stop_is_requested) {
  const typename TestFixture::stop_source source;
  int runs = 0;
  auto on_stop = TypeParam::on_stop(source.get_token(), [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  source.request_stop();
  EXPECT_EQ(runs, 1);
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, runs_in_its_constructor_if_the_stop_came_first) {
  const typename TestFixture::stop_source source;
  source.request_stop();
  std::thread::id ran_on;
  auto on_stop =
      TypeParam::on_stop(source.get_token(), [&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TYPED_TEST(a_stop_callback, runs_on_the_thread_that_requests_the_stop) {
  const typename TestFixture::stop_source source;
  std::thread::id ran_on, requested_on;
  auto on_stop =
      TypeParam::on_stop(source.get_token(), [&] { ran_on = std::this_thread::get_id(); });
  std::thread([&] {
    requested_on = std::this_thread::get_id();
    source.request_stop();
  }).join();
  EXPECT_EQ(ran_on, requested_on);
}

TYPED_TEST(a_stop_callback, sees_the_stop_requested) {
  const typename TestFixture::stop_source source;
  bool seen = false;
  auto on_stop = TypeParam::on_stop(source.get_token(), [&] {
    seen = source.stop_requested() && source.get_token().stop_requested() && !source.request_stop();
  });
  source.request_stop();
  EXPECT_TRUE(seen);
}

TYPED_TEST(a_stop_callback, never_runs_without_a_stop_state) {
  auto on_stop = TypeParam::on_stop(typename TestFixture::stop_token(), [] { FAIL(); });
}

TYPED_TEST(a_stop_callback, never_runs_once_every_source_is_gone) {
  std::optional<typename TestFixture::stop_source> source(std::in_place);
  const auto token = source->get_token();
  auto before = TypeParam::on_stop(token, [] { FAIL(); });
  source.reset();
  auto afterwards = TypeParam::on_stop(token, [] { FAIL(); });
}

TYPED_TEST(a_stop_callback, takes_the_state_out_of_a_token_that_is_no_longer_needed) {
  const typename TestFixture::stop_source source;
  auto token = source.get_token();
  int runs = 0;
  auto on_stop = TypeParam::on_stop(std::move(token), [&] { ++runs; });
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, is_called_as_an_rvalue) {
  struct rvalue_only {
    bool &ran;
    void operator()() && { ran = true; }
  };
  const typename TestFixture::stop_source source;
  bool ran = false;
  auto on_stop = TypeParam::on_stop(source.get_token(), rvalue_only{ran});
  source.request_stop();
  EXPECT_TRUE(ran);
}

TYPED_TEST(a_stop_callback, may_refer_to_a_function_that_lives_elsewhere) {
  const typename TestFixture::stop_source source;
  int runs = 0;
  auto function = [&] { ++runs; };
  typename TestFixture::template stop_callback<decltype(function) &> on_stop(source.get_token(),
                                                                             function);
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, registers_nothing_if_constructing_the_function_throws) {
  struct throws {
    explicit throws(int) { throw std::string("no"); }
    void operator()() const { ADD_FAILURE(); }
  };
  using callback = typename TestFixture::template stop_callback<throws>;
  const typename TestFixture::stop_source source;
  EXPECT_THROW(callback(source.get_token(), 1), std::string);
  EXPECT_TRUE(source.request_stop());
}

TYPED_TEST(a_stop_callback, terminates_if_it_throws) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        const typename TestFixture::stop_source source;
        auto on_stop = TypeParam::on_stop(source.get_token(), [] { throw 1; });
        source.request_stop();
      },
      "");
}

// [stopcallback.cons]/5-8: destruction.

TYPED_TEST(a_stop_callback, does_not_run_after_its_destruction) {
  const typename TestFixture::stop_source source;
  int runs = 0;
  {
    auto on_stop = TypeParam::on_stop(source.get_token(), [&] { ++runs; });
  }
  source.request_stop();
  EXPECT_EQ(runs, 0);
}

TYPED_TEST(a_stop_callback, waits_in_its_destructor_until_it_has_run_on_another_thread) {
  const typename TestFixture::stop_source source;
  std::binary_semaphore running(0);
  int effect = 0; // plain: the destructor is what makes it safe to read
  typename TestFixture::holder on_stop;
  on_stop.emplace(source.get_token(), [&] {
    running.release();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    effect = 1;
  });
  std::jthread requester([&] { source.request_stop(); });
  running.acquire();
  on_stop.reset();
  EXPECT_EQ(effect, 1);
}

TYPED_TEST(a_stop_callback, does_not_wait_for_another_one) {
  const typename TestFixture::stop_source source;
  std::binary_semaphore running(0), proceed(0);
  typename TestFixture::holder older, newer;
  older.emplace(source.get_token(), [&] {
    // Whichever of the two runs first is the one that the main thread waits for.
    running.release();
    proceed.acquire();
  });
  newer.emplace(source.get_token(), [] {});
  std::jthread requester([&] { source.request_stop(); });
  running.acquire();
  newer.reset();
  proceed.release();
}

TYPED_TEST(a_stop_callback, may_be_destroyed_by_itself) {
  const typename TestFixture::stop_source source;
  typename TestFixture::holder on_stop;
  int runs = 0;
  on_stop.emplace(source.get_token(), [&] {
    int &survives = runs; // what the callback captured dies with it
    on_stop.reset();
    ++survives;
  });
  source.request_stop();
  EXPECT_FALSE(on_stop);
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, may_be_destroyed_by_another_one) {
  const typename TestFixture::stop_source source;
  typename TestFixture::holder a, b;
  int runs = 0;
  a.emplace(source.get_token(), [&] { ++runs, b.reset(); });
  b.emplace(source.get_token(), [&] { ++runs, a.reset(); });
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, may_destroy_all_of_them_and_every_owner_of_the_state) {
  struct {
    std::optional<typename TestFixture::stop_source> source{std::in_place};
    typename TestFixture::holder a, b, c;
    int runs = 0;
  } all;
  const auto end_everything = [&] {
    auto &survives = all; // what the callback captured dies with it
    ++survives.runs;
    survives.source.reset();
    survives.a.reset();
    survives.b.reset();
    survives.c.reset();
  };
  all.a.emplace(all.source->get_token(), end_everything);
  all.b.emplace(all.source->get_token(), end_everything);
  all.c.emplace(all.source->get_token(), end_everything);
  // libstdc++ 12 locks the state once more when the callback that ended it was not the last one.
  const std::optional kept = is_standard<TypeParam> ? all.source : decltype(all.source)();
  all.source->request_stop();
  EXPECT_EQ(all.runs, 1);
}

TYPED_TEST(a_stop_callback, may_register_another_one_which_then_runs_at_once) {
  const typename TestFixture::stop_source source;
  std::vector<int> ran;
  auto on_stop = TypeParam::on_stop(source.get_token(), [&] {
    auto inner = TypeParam::on_stop(source.get_token(), [&] { ran.push_back(1); });
    ran.push_back(2);
  });
  source.request_stop();
  EXPECT_EQ(ran, (std::vector{1, 2}));
}

TYPED_TEST(a_stop_callback, keeps_the_state_alive) {
  typename TestFixture::holder on_stop;
  int runs = 0;
  {
    const typename TestFixture::stop_source source;
    on_stop.emplace(source.get_token(), [&] { ++runs; });
    source.request_stop();
  }
  on_stop.reset();
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_stop_callback, may_come_and_go_on_many_threads_while_one_stops) {
  for (int round = 0; round < 20; ++round) {
    const typename TestFixture::stop_source source;
    std::vector<std::jthread> threads;
    std::atomic<int> ready{0};
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&, token = source.get_token()] {
        ++ready;
        for (bool stopped = false; !stopped;) {
          int runs = 0; // plain
          stopped = token.stop_requested();
          {
            auto on_stop = TypeParam::on_stop(token, [&] { ++runs; });
          }
          ASSERT_LE(runs, 1);
          ASSERT_TRUE(!stopped || runs == 1);
        }
      });
    while (ready != 3)
      std::this_thread::yield();
    ASSERT_TRUE(source.request_stop());
  }
}

} // namespace
