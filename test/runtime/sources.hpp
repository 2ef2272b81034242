// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stop sources that a slot may be registered with, for tests that hold for each of them.
#ifndef CANCEL_TEST_RUNTIME_SOURCES_HPP
#define CANCEL_TEST_RUNTIME_SOURCES_HPP

#include <cancel/inplace_stop_source.hpp>
#include <cancel/stop_slot.hpp>
#include <cancel/stop_source.hpp>
#include <cancel/stoppable_token.hpp>

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace cancel_test {

using sharded = cancel::sharded_stop_source<4>;

template <class Source>
inline constexpr const char *name_of = nullptr;
template <>
inline constexpr const char *name_of<std::stop_source> = "std_source";
#if !CANCEL_USE_LEGACY_STOP_TOKEN
template <>
inline constexpr const char *name_of<cancel::stop_source> = "shared_source";
#endif
template <>
inline constexpr const char *name_of<cancel::inplace_stop_source> = "inplace_source";
template <>
inline constexpr const char *name_of<sharded> = "sharded_source";

/// In legacy mode our shared source is the standard one.
#if CANCEL_USE_LEGACY_STOP_TOKEN
using every_source = testing::Types<std::stop_source, cancel::inplace_stop_source, sharded>;
#else
using every_source =
    testing::Types<std::stop_source, cancel::stop_source, cancel::inplace_stop_source, sharded>;
#endif

/// For TYPED_TEST_SUITE.
struct source_names {
  template <class Source>
  static std::string GetName(int) {
    return name_of<Source>;
  }
};

/// Calls `f.template operator()<Source>()` for each of `every_source`.
template <class F>
void for_each_source(F f) {
  [&]<class... Source>(testing::Types<Source...>) {
    (f.template operator()<Source>(), ...);
  }(every_source());
}

template <class Source>
using token_of = decltype(std::declval<const Source &>().get_token());
template <class Source>
using slot_of = cancel::stop_slot<token_of<Source>>;
template <class Source, class F>
using callback_of = cancel::stop_callback_for_t<token_of<Source>, F>;

} // namespace cancel_test

#endif
