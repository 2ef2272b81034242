// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "connection.h"
#include <cancel/slot_for.hpp>

task<int> connection::read(const std::stop_token &st) {
  auto &&cancel_slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(cancel_slot, [this] { cancel(); });
  co_return co_await next();
}
