// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peer.h"

lazy<int> read_frame(connection &peer, std::stop_token st) {
  co_return co_await read(peer, st) + co_await read(peer, st) + co_await write(peer, st);
}
