// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What takes a std::stop_token is stopped by ours, and the other way round.
#include "sources.hpp"

#include <cancel/std_interop.hpp>

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace {

template <class Source>
class interop : public testing::Test {
protected:
  using bridge_type = cancel::std_stop_bridge<cancel_test::token_of<Source>>;
  Source source;
};
template <class Source>
using a_std_bridge = interop<Source>;
template <class Source>
using a_std_token = interop<Source>;
TYPED_TEST_SUITE(a_std_bridge, cancel_test::every_source, cancel_test::source_names);
TYPED_TEST_SUITE(a_std_token, cancel_test::every_source, cancel_test::source_names);

TYPED_TEST(a_std_bridge, passes_the_stop_on) {
  cancel::std_stop_bridge bridge(this->source.get_token());
  const std::stop_token token = bridge.get_token();
  int runs = 0;
  std::stop_callback on_stop(token, [&] { ++runs; });
  EXPECT_TRUE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  this->source.request_stop();
  EXPECT_TRUE(token.stop_requested());
  EXPECT_EQ(runs, 1);
}

TYPED_TEST(a_std_bridge, over_a_stopped_token_is_stopped_from_the_start) {
  this->source.request_stop();
  cancel::std_stop_bridge bridge(this->source.get_token());
  EXPECT_TRUE(bridge.get_token().stop_requested());
}

TYPED_TEST(a_std_bridge, leaves_tokens_that_are_never_stopped) {
  std::optional<typename TestFixture::bridge_type> bridge(std::in_place, this->source.get_token());
  const std::stop_token token = bridge->get_token();
  std::stop_callback on_stop(token, [] { FAIL(); });
  bridge.reset();
  this->source.request_stop();
  EXPECT_FALSE(token.stop_requested());
  EXPECT_FALSE(token.stop_possible());
}

TYPED_TEST(a_std_bridge, may_be_destroyed_by_a_callback_of_its_token) {
  std::optional<typename TestFixture::bridge_type> bridge(std::in_place, this->source.get_token());
  std::optional<std::stop_callback<std::function<void()>>> first, second;
  int runs = 0;
  const std::stop_token token = bridge->get_token();
  first.emplace(token, [&] { ++runs; });
  second.emplace(token, [&] {
    ++runs;
    bridge.reset();
  });
  this->source.request_stop();
  EXPECT_EQ(runs, 2);
}

TYPED_TEST(a_std_bridge, ends_a_wait_on_a_condition_variable) {
  std::mutex mutex;
  std::condition_variable_any condition;
  bool waits = false;
  std::jthread waiter([&] {
    cancel::std_stop_bridge bridge(this->source.get_token());
    std::unique_lock lock(mutex);
    waits = true;
    EXPECT_FALSE(condition.wait(lock, bridge.get_token(), [] { return false; }));
  });
  const auto has_begun = [&] {
    const std::scoped_lock lock(mutex);
    return waits;
  };
  while (!has_begun())
    std::this_thread::yield();
  this->source.request_stop();
}

TYPED_TEST(a_std_token, of_a_jthread_stops_our_source) {
  bool stopped = false;
  {
    std::jthread worker([&](std::stop_token token) {
      cancel::stop_on_std_token pass_on(token, this->source);
      while (!this->source.stop_requested())
        std::this_thread::yield();
      stopped = token.stop_requested();
    });
  }
  EXPECT_TRUE(stopped);
}

TYPED_TEST(a_std_token, does_not_stop_our_source_afterwards) {
  const std::stop_source foreign;
  {
    cancel::stop_on_std_token pass_on(foreign.get_token(), this->source);
  }
  foreign.request_stop();
  EXPECT_FALSE(this->source.stop_requested());
}

} // namespace
