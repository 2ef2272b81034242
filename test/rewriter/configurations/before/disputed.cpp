// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "task.h"

task disputed(std::stop_token st, connection &sock) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { sock.cancel(); });
#ifdef RENEWS
    st = std::stop_token();
#endif
    co_await sock.receive();
  }
}
