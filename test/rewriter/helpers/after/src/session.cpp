// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.h"
#include <cancel/slot_for.hpp>

lazy<int> session(connection &peer, std::stop_token st) {
  int frames = 0;
  [[maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
  while (!st.stop_requested())
    frames += co_await read_frame(peer, st);
  co_return frames;
}
