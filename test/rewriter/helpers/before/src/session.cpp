// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.h"

lazy<int> session(connection &peer, std::stop_token st) {
  int frames = 0;
  while (!st.stop_requested())
    frames += co_await read_frame(peer, st);
  co_return frames;
}
