// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"
#include <cancel/stop_slot.hpp>

library::awaitable serve(std::stop_token st, connection &sock) {
  cancel::stop_slot cancel_slot(st);
  while (co_await more()) {
    cancel::stop_guard on_stop(cancel_slot, [&] { sock.cancel(); });
    co_await sock.receive();
  }
}
