// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [stoptoken.concepts], [stoptoken.never], and slots of tokens that only meet the concept.
#include "sources.hpp"

#include <cancel/stop_slot.hpp>
#include <cancel/stoppable_token.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <stop_token>
#include <type_traits>

namespace user {

/// As many libraries still write them: no `callback_type`, a callback class beside it.
class token {
public:
  token() = default;
  explicit token(std::stop_token inner) : inner_(std::move(inner)) {}
  bool stop_requested() const noexcept { return inner_.stop_requested(); }
  bool stop_possible() const noexcept { return inner_.stop_possible(); }
  bool operator==(const token &) const = default;

  const std::stop_token &inner() const { return inner_; }

private:
  std::stop_token inner_;
};

template <class F>
struct callback {
  template <class Initializer>
  callback(const token &token, Initializer &&initializer)
      : inner(token.inner(), std::forward<Initializer>(initializer)) {}
  std::stop_callback<F> inner;
};

/// Has the member, as C++26 wants it.
struct modern_token : token {
  template <class F>
  using callback_type = callback<F>;
  using token::token;
};

struct source {
  std::stop_source inner;
  modern_token get_token() const { return modern_token(inner.get_token()); }
  bool stop_possible() const noexcept { return true; }
  bool stop_requested() const noexcept { return inner.stop_requested(); }
  bool request_stop() { return inner.request_stop(); }
};

struct nothing {
  auto operator<=>(const nothing &) const = default;
};

} // namespace user

template <class F>
struct cancel::stop_callback_for<user::token, F> {
  using type = user::callback<F>;
};

namespace {

using cancel::stop_callback_for_t;
using cancel::stoppable_source;
using cancel::stoppable_token;
using cancel::unstoppable_token;

struct quiet {
  void operator()() const noexcept {}
};

static_assert(stoppable_token<std::stop_token>);
static_assert(stoppable_token<cancel::stop_token>);
static_assert(stoppable_token<cancel::inplace_stop_token>);
static_assert(stoppable_token<cancel::never_stop_token>);
static_assert(stoppable_token<user::token>);
static_assert(stoppable_token<user::modern_token>);
static_assert(!stoppable_token<user::nothing>);
static_assert(!stoppable_token<int>);
static_assert(!stoppable_token<std::stop_source>);
static_assert(!stoppable_token<std::stop_token &>);

static_assert(unstoppable_token<cancel::never_stop_token>);
static_assert(!unstoppable_token<std::stop_token>);
static_assert(!unstoppable_token<cancel::stop_token>);
static_assert(!unstoppable_token<cancel::inplace_stop_token>);
static_assert(!unstoppable_token<user::token>);

static_assert(stoppable_source<std::stop_source>);
static_assert(stoppable_source<cancel::stop_source>);
static_assert(stoppable_source<cancel::inplace_stop_source>);
static_assert(stoppable_source<cancel_test::sharded>);
static_assert(stoppable_source<user::source>);
static_assert(!stoppable_source<std::stop_token>);
static_assert(!stoppable_source<user::nothing>);

static_assert(std::same_as<stop_callback_for_t<std::stop_token, quiet>, std::stop_callback<quiet>>);
static_assert(
    std::same_as<stop_callback_for_t<cancel::stop_token, quiet>, cancel::stop_callback<quiet>>);
static_assert(std::same_as<stop_callback_for_t<cancel::inplace_stop_token, quiet>,
                           cancel::inplace_stop_callback<quiet>>);
static_assert(std::same_as<stop_callback_for_t<user::token, quiet>, user::callback<quiet>>);
static_assert(std::same_as<stop_callback_for_t<user::modern_token, quiet>, user::callback<quiet>>);

// [stoptoken.never]

static_assert(!cancel::never_stop_token::stop_requested());
static_assert(!cancel::never_stop_token::stop_possible());
static_assert(std::is_empty_v<cancel::never_stop_token>);
static_assert(std::is_trivially_copyable_v<cancel::never_stop_token>);
static_assert(std::is_empty_v<stop_callback_for_t<cancel::never_stop_token, quiet>>);

TEST(a_token_that_never_stops, equals_any_other) {
  EXPECT_EQ(cancel::never_stop_token(), cancel::never_stop_token());
}

TEST(a_slot, of_a_token_that_never_stops_never_runs_anything) {
  cancel::stop_slot slot{cancel::never_stop_token()};
  cancel::stop_guard guard(slot, [] { FAIL(); });
  EXPECT_FALSE(slot.stop_requested());
}

TEST(a_slot, of_a_token_of_somebody_else_is_stopped_with_it) {
  const user::source source;
  std::stop_source inner = source.inner;
  cancel::stop_slot slot(source.get_token());
  static_assert(std::same_as<decltype(slot)::token_type, user::modern_token>);
  int runs = 0;
  cancel::stop_guard guard(slot, [&] { ++runs; });
  inner.request_stop();
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(slot.stop_requested());
}

TEST(a_slot, of_a_token_without_a_callback_type_is_stopped_with_it) {
  std::stop_source source;
  cancel::stop_slot slot{user::token(source.get_token())};
  int runs = 0;
  {
    cancel::stop_guard gone(slot, [] { FAIL(); });
  }
  cancel::stop_guard guard(slot, [&] { ++runs; });
  source.request_stop();
  EXPECT_EQ(runs, 1);
  cancel::stop_guard late(slot, [&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

TEST(a_slot, of_a_token_of_somebody_else_may_turn) {
  std::stop_source source;
  cancel::stop_slot slot(user::token(source.get_token()), cancel::stop_policy::asymmetric);
  int runs = 0;
  cancel::stop_guard guard(slot, [&] { ++runs; });
  source.request_stop();
  EXPECT_EQ(runs, 1);
}

TEST(a_slot, is_deduced_from_what_converts_to_a_std_token) {
  struct holder {
    std::stop_token held;
    operator std::stop_token() const { return held; }
  };
  std::stop_source source;
  cancel::stop_slot slot(holder{source.get_token()});
  static_assert(std::same_as<decltype(slot), cancel::stop_slot<std::stop_token>>);
  EXPECT_EQ(slot.token(), source.get_token());
}

} // namespace
