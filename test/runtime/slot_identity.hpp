// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether two references stand for one slot. In legacy mode there is nothing to share, and
// nothing is expected.
#ifndef CANCEL_TEST_RUNTIME_SLOT_IDENTITY_HPP
#define CANCEL_TEST_RUNTIME_SLOT_IDENTITY_HPP

#include <cancel/stop_slot.hpp>

#include <gtest/gtest.h>

namespace cancel_test {

#if CANCEL_USE_LEGACY_STOP_TOKEN
template <class Slot>
const void *identity(Slot &) {
  return nullptr;
}
inline void expect_different(const void *, const void *) {}
#else
template <class Slot>
const void *identity(Slot &slot) {
  return &cancel::detail::slot_access::protocol(slot);
}
inline void expect_different(const void *a, const void *b) { EXPECT_NE(a, b); }
#endif
inline void expect_same(const void *a, const void *b) { EXPECT_EQ(a, b); }

} // namespace cancel_test

#endif
