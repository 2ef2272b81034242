// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The full text of one report.
// RUN: %tidy %s -- %mock | FileCheck --match-full-lines %s
#include "task.h"

task session(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK: {{.*}}message.cpp:[[#@LINE-4]]:24: warning: stop callback 'on_stop' is registered on every turn and held across co_await: two locks and two list operations a turn; register once, with a cancel::stop_slot before the loop [cancel-callback-across-suspend]
// CHECK: {{.*}}message.cpp:[[#@LINE-4]]:5: note: it is registered across this suspension point
