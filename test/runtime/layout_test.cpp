// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What things cost in bytes, and that what is polled shares no cache line with what is written.
#include <cancel/cancel.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace {

using cancel::local_stop_queue;
using cancel::stop_slot;

struct one_pointer {
  void *captured = nullptr;
  void operator()() const {}
};
struct nothing {
  void operator()() const {}
};

constexpr std::size_t line = 64;
constexpr std::size_t pointer = sizeof(void *);

static_assert(sizeof(cancel::stop_flag) == line && alignof(cancel::stop_flag) == line);
static_assert(sizeof(cancel::stop_claim) <= 2 * pointer);
static_assert(sizeof(cancel::stop_token) == pointer);
static_assert(sizeof(cancel::stop_source) == pointer);
static_assert(sizeof(cancel::inplace_stop_token) == pointer);

#if !CANCEL_USE_LEGACY_STOP_TOKEN // there the sizes are the standard library's
static_assert(sizeof(cancel::inplace_stop_source) == 2 * line);
static_assert(alignof(cancel::inplace_stop_source) == line);
static_assert(sizeof(cancel::sharded_stop_source<1>) == 2 * line);
static_assert(sizeof(cancel::sharded_stop_source<7>) == 8 * line);

static_assert(sizeof(cancel::inplace_stop_callback<one_pointer>) == 5 * pointer);
static_assert(sizeof(cancel::stop_callback<one_pointer>) == 6 * pointer);
static_assert(sizeof(cancel::stop_callback<one_pointer>) < sizeof(std::stop_callback<one_pointer>));

static_assert(sizeof(cancel::stop_guard<nothing>) == 3 * pointer);
static_assert(sizeof(cancel::stop_guard<one_pointer>) == 4 * pointer);
static_assert(sizeof(cancel::stop_frame) <= 6 * pointer + (pointer == 4 ? 4 : 0));
static_assert(sizeof(cancel::slot_reference<cancel::inplace_stop_token>) <=
              sizeof(stop_slot<cancel::inplace_stop_token>) + line);
static_assert(sizeof(cancel::slot_reference<std::stop_token>) <=
              sizeof(stop_slot<std::stop_token>) + line);
static_assert(sizeof(stop_slot<cancel::inplace_stop_token>) <= 64);
static_assert(sizeof(stop_slot<cancel::stop_token>) <= 64);
static_assert(sizeof(stop_slot<std::stop_token>) <= 96);

/// Where a source's flag and its registries are.
template <unsigned Shards>
struct revealed {
  cancel::detail::stop_state_with_registries<Shards> parts;

  std::size_t line_of(const void *part) const {
    return (reinterpret_cast<std::uintptr_t>(part) - reinterpret_cast<std::uintptr_t>(this)) / line;
  }
};

TEST(a_source, keeps_its_flag_and_each_registry_on_a_line_of_its_own) {
  const revealed<4> source{};
  static_assert(sizeof(source) == 5 * line && alignof(revealed<4>) == line);
  static_assert(sizeof(source.parts.state) == line);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(source.line_of(&source.parts.lines[i]), i);
  EXPECT_EQ(source.line_of(&source.parts.state), 4);
}
#endif

TEST(sizes, are_these) {
#define SIZE(...) std::printf("%5zu  %s\n", sizeof(__VA_ARGS__), #__VA_ARGS__)
  SIZE(stop_slot<std::stop_token>);
  SIZE(stop_slot<cancel::stop_token>);
  SIZE(stop_slot<cancel::inplace_stop_token>);
  SIZE(stop_slot<std::stop_token, local_stop_queue>);
  SIZE(stop_slot<cancel::inplace_stop_token, local_stop_queue>);
  SIZE(cancel::slot_reference<std::stop_token>);
  SIZE(cancel::slot_reference<cancel::stop_token>);
  SIZE(cancel::slot_reference<cancel::inplace_stop_token>);
  SIZE(cancel::stop_frame);
  SIZE(cancel::stop_guard<nothing>);
  SIZE(cancel::stop_guard<one_pointer>);
  SIZE(cancel::inplace_stop_source);
  SIZE(cancel::inplace_stop_callback<one_pointer>);
  SIZE(cancel::stop_callback<one_pointer>);
  SIZE(std::stop_callback<one_pointer>);
  SIZE(cancel::wait_list);
  SIZE(cancel::wait_list::awaiter);
  SIZE(cancel::stop_claim);
  SIZE(cancel::poll_event);
  SIZE(local_stop_queue);
#undef SIZE
}

} // namespace
