// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this thread has allocated with operator new, which allocation_counter.cpp replaces.
#ifndef CANCEL_TEST_RUNTIME_ALLOCATION_COUNTER_HPP
#define CANCEL_TEST_RUNTIME_ALLOCATION_COUNTER_HPP

#include <cstddef>

namespace cancel_test {

extern thread_local std::size_t allocations;
extern thread_local std::size_t last_allocated_size;

} // namespace cancel_test

#endif
