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
// CHECK: {{.*}}message.cpp:[[#@LINE-6]]:24: warning: 'on_stop' registers a stop callback on every turn of the loop and holds it across co_await: a lock, a list insertion and a list removal each time; register once, with a cancel::stop_slot before the loop, and arm a cancel::stop_guard here [cancel-callback-across-suspend]
// CHECK: {{.*}}message.cpp:[[#@LINE-6]]:5: note: it is registered across this suspension point
