// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that the cancellable one is measured against.

#include "loop.hpp"

namespace await_loop {

loop bare(event &e, std::stop_token) {
  for (;;)
    co_await e;
}

loop polling(event &e, std::stop_token st) {
  while (!st.stop_requested())
    co_await e;
}

} // namespace await_loop
