// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.h"
#include <cancel/slot_for.hpp>

lazy<int> read(connection &peer, std::stop_token st) {
  auto &&cancel_slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}

lazy<int> write(connection &peer, std::stop_token st) {
  auto &&cancel_slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
