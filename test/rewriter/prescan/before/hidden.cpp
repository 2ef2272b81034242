// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spelled.h"
#include TASK_HEADER

task serve(std::stop_token st, connection &sock) {
  while (WAIT_FOR more()) {
    std::stop_callback on_stop(st, [&] { sock.cancel(); });
    WAIT_FOR sock.receive();
  }
}
