// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the runtime where a test is about the rewriter, and parses in no time. Fussier than
// the real one, so that a rewrite can fail to compile: a callback of more than two pointers is an
// error, one of two pointers a warning.
#pragma once
#include <stop_token>

namespace cancel {

struct stop_slot {
  explicit stop_slot(const std::stop_token &);
};

template <typename F>
struct stop_guard {
  stop_guard(stop_slot &, F)
    requires(sizeof(F) <= sizeof(void *))
  {}
  [[deprecated("large callback")]] stop_guard(stop_slot &, F)
    requires(sizeof(F) == 2 * sizeof(void *))
  {}
};

template <typename F>
stop_guard(stop_slot &, F) -> stop_guard<F>;

} // namespace cancel
