// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "task.h"

task serve_two(std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [] {});
    co_await receive();
  }
}
