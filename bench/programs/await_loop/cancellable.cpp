// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop that cancel-migrate is for. Compiled twice: as it stands, and as the tool leaves it.

#include "loop.hpp"

namespace await_loop::AWAIT_LOOP_VARIANT {

loop cancellable(event &e, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&e] { e.cancel(); });
    co_await e;
  }
}

} // namespace await_loop::AWAIT_LOOP_VARIANT
