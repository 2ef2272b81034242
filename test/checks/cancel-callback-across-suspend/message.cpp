// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The full text of one report.
// RUN: %tidy %s -- %mock | FileCheck --match-full-lines --strict-whitespace %s
#include "task.h"

task session(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
