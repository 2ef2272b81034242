// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.h"

lazy<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}

lazy<int> write(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
