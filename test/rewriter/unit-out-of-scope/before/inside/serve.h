// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "task.h"

inline task serve(std::stop_token st, connection &a, connection &b) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { a.cancel(); b.cancel(); });
    co_await a.receive();
  }
}
