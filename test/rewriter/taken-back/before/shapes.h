// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "task.h"

inline task one(std::stop_token st, connection &a) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { a.cancel(); });
    co_await a.receive();
  }
}

inline task three(std::stop_token st, connection &a, connection &b, connection &c) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { a.cancel(); b.cancel(); c.cancel(); });
    co_await a.receive();
  }
}

inline task two(std::stop_token st, connection &a, connection &b) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { a.cancel(); b.cancel(); });
    co_await a.receive();
  }
}

inline task another(std::stop_token st, connection &a) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { a.cancel(); });
    co_await a.receive();
  }
}
