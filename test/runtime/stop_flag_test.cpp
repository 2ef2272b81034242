// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flag goes up once, and shows what preceded it to whoever asks.
#include <cancel/stop_flag.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using cancel::stop_flag;

static_assert(std::is_nothrow_default_constructible_v<stop_flag>);
static_assert(!std::is_copy_constructible_v<stop_flag> && !std::is_move_constructible_v<stop_flag>);

constinit stop_flag global;

TEST(a_stop_flag, can_be_a_constant_initialised_global) { EXPECT_FALSE(global.stop_requested()); }

TEST(a_stop_flag, is_raised_by_the_first_request_alone) {
  stop_flag flag;
  EXPECT_FALSE(flag.stop_requested());
  EXPECT_FALSE(flag.should_stop());
  EXPECT_TRUE(flag.request_stop());
  EXPECT_FALSE(flag.request_stop());
  EXPECT_TRUE(flag.stop_requested());
  EXPECT_TRUE(flag.should_stop());
}

TEST(a_stop_flag, lets_one_of_many_threads_win) {
  for (int round = 0; round < 100; ++round) {
    stop_flag flag;
    std::atomic<int> winners{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { winners += flag.request_stop(); });
    }
    ASSERT_EQ(winners, 1);
  }
}

TEST(a_stop_flag, shows_what_preceded_the_request_to_whoever_should_stop) {
  stop_flag flag;
  int written = 0; // plain
  std::jthread requester([&] {
    written = 1;
    flag.request_stop();
  });
  while (!flag.should_stop())
    std::this_thread::yield();
  EXPECT_EQ(written, 1);
}

TEST(a_stop_flag, reaches_a_loop_that_only_polls) {
  stop_flag flag;
  std::jthread worker([&] {
    while (!flag.stop_requested())
      std::this_thread::yield();
  });
  flag.request_stop();
}

} // namespace
