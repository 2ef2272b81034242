// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"

library::awaitable serve(std::stop_token st, connection &sock) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { sock.cancel(); });
    co_await sock.receive();
  }
}
