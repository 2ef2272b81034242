// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "task.h"
#include <cancel/stop_slot.hpp>

task latin(std::stop_token st, connection &sock) {
  cancel::stop_slot cancel_slot(st);
  while (co_await more()) {
    cancel::stop_guard on_stop(cancel_slot, [&] { sock.cancel(); /* café */ });
    co_await sock.receive();
  }
}
