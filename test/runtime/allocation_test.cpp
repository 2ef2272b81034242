// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is allocated but the coroutine's frame and the state of a stop_source.
#include "allocation_counter.hpp"
#include "coroutine.hpp"
#include "sources.hpp"

#include <cancel/cancel.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using cancel::stop_guard;
using cancel::stop_policy;
using cancel::stop_slot;
using cancel_test::allocations;
using cancel_test::detached;
using cancel_test::event;

template <class F>
std::size_t allocations_of(F f) {
  const std::size_t before = allocations;
  f();
  return allocations - before;
}

/// A std::stop_source stands behind most of the interface in legacy mode, and allocates.
constexpr bool allocates_more = cancel::use_legacy_stop_token;

TEST(counting, sees_both_kinds_of_allocation) {
  // Calls, because compilers leave out expressions that allocate in vain.
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(8)); }), 1);
  constexpr std::align_val_t line{64};
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(128, line), line); }), 1);
  EXPECT_EQ(cancel_test::last_allocated_size, 128);
}

template <class Source>
class allocation : public testing::Test {};
TYPED_TEST_SUITE(allocation, cancel_test::every_source, cancel_test::source_names);

template <class Source>
constexpr std::size_t of_source = std::is_copy_constructible_v<Source> || allocates_more ? 1 : 0;

TYPED_TEST(allocation, of_a_source_is_its_shared_state_or_nothing) {
  std::optional<TypeParam> source;
  std::size_t size = 0;
  EXPECT_EQ(allocations_of([&] {
              source.emplace();
              size = cancel_test::last_allocated_size;
              asm volatile("" : : "r"(&source) : "memory"); // else the compiler may leave it out
            }),
            of_source<TypeParam>);
  if constexpr (std::is_same_v<TypeParam, cancel::stop_source> && !allocates_more) {
    EXPECT_LE(size, 128 + 64); // two cache lines, and what aligns them
  }
}

TYPED_TEST(allocation, is_not_needed_to_copy_register_poll_or_stop) {
  TypeParam source;
  int runs = 0;
  EXPECT_EQ(allocations_of([&] {
              const auto token = source.get_token();
              const auto copy = token; // NOLINT(performance-unnecessary-copy-initialization)
              const auto count = [&] { ++runs; };
              cancel_test::callback_of<TypeParam, decltype(count)> on_stop(copy, count);
              runs += token.stop_requested();
              source.request_stop();
              cancel_test::callback_of<TypeParam, decltype(count)> late(token, count);
            }),
            0);
  EXPECT_EQ(runs, 2);
}

TYPED_TEST(allocation, is_not_needed_by_slots_and_guards_under_any_policy) {
  for (const auto policy : {stop_policy::adaptive, stop_policy::shared, stop_policy::asymmetric}) {
    TypeParam source;
    int runs = 0;
    EXPECT_EQ(allocations_of([&] {
                stop_slot slot(source.get_token(), policy);
                for (int i = 0; i < 10'000; ++i)
                  stop_guard guard(slot, [] {});
                stop_guard guard(slot, [&] { ++runs; });
                source.request_stop();
                stop_guard late(slot, [&] { ++runs; });
              }),
              0);
    EXPECT_EQ(runs, 2);
  }
}

TYPED_TEST(allocation, is_not_needed_by_local_slots_and_their_queue) {
  if constexpr (!allocates_more) {
    TypeParam source;
    EXPECT_EQ(allocations_of([&] {
                auto wake = []() noexcept {};
                cancel::local_stop_queue queue(wake);
                stop_slot slot(source.get_token(), queue);
                stop_guard guard(slot, [] {});
                source.request_stop();
                queue.run();
              }),
              0);
  }
}

template <class Token>
detached awaits_under_a_guard(Token token, event &wake) {
  stop_slot slot(std::move(token));
  for (int i = 0; i < 3; ++i) {
    stop_guard guard(slot, [] {});
    co_await wake;
  }
}

TYPED_TEST(allocation, of_a_coroutine_with_a_slot_is_its_frame) {
  TypeParam source;
  EXPECT_EQ(allocations_of([&] {
              event wake;
              awaits_under_a_guard(source.get_token(), wake);
              for (int i = 0; i < 3; ++i)
                wake.waiter.resume();
            }),
            1);
}

cancel_test::session awaits_on_its_frame(stop_policy, event &wake) {
  cancel::stop_frame &frame = co_await cancel::this_stop_frame();
  stop_guard guard(frame, [] {});
  co_await wake;
}

TEST(allocation_by_a_stop_frame, is_that_of_the_coroutine) {
  EXPECT_EQ(allocations_of([&] {
              event wake;
              const auto task = awaits_on_its_frame(stop_policy::adaptive, wake);
              cancel::request_stop(task.handle);
              wake.waiter.resume();
            }),
            allocates_more ? 2 : 1);
}

detached waits(cancel::wait_list &waiters) { static_cast<void>(co_await waiters.wait()); }

TEST(allocation_by_a_wait_list, is_that_of_the_coroutines) {
  EXPECT_EQ(allocations_of([&] {
              cancel::wait_list waiters;
              for (int i = 0; i < 20; ++i)
                waits(waiters);
              waiters.notify_one();
              waiters.notify_all();
              waits(waiters);
              waiters.request_stop();
            }),
            21);
}

TEST(allocation_by_a_claim, does_not_happen) {
  EXPECT_EQ(allocations_of([] {
              cancel::stop_claim claim;
              claim.stop().resume();
            }),
            0);
}

TEST(allocation_by_a_batch, does_not_happen) {
  std::vector<std::coroutine_handle<>> batch(100, std::noop_coroutine());
  EXPECT_EQ(allocations_of([&] { cancel::resume_all(batch); }), 0);
}

TEST(allocation_by_a_std_bridge, is_that_of_one_std_source) {
  cancel::inplace_stop_source source;
  EXPECT_EQ(allocations_of([&] {
              cancel::std_stop_bridge bridge(source.get_token());
              source.request_stop();
            }),
            1);
}

} // namespace
