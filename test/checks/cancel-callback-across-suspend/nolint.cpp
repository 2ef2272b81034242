// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINT silences a registration and takes it out of its group's edits; the others of the group are still rewritten.
// RUN: %flags %s -- %mock
// RUN: cp %s %t.cpp && %tidy --fix %t.cpp -- %cxx && FileCheck %s < %t.cpp
#include "task.h"

task one_of_two(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback kept(st, [&] { peer.cancel(); });  // NOLINT(cancel-callback-across-suspend)
    std::stop_callback taken(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}
// CHECK: {{^}}task one_of_two
// CHECK-NEXT: stop_slot
// CHECK: std::stop_callback kept(st,
// CHECK-NEXT: cancel::stop_guard taken(cancel_slot,

task spellings(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback a(st, [&] { peer.cancel(); }); // NOLINT
    std::stop_callback b(st, [&] { peer.cancel(); }); // NOLINT(bugprone-*, cancel-*)
    std::stop_callback c(st, [&] { peer.cancel(); }); // FLAG NOLINT(bugprone-*)
    std::stop_callback d(st, [&] { peer.cancel(); }); // FLAG NOLINT(-cancel-*)
    // NOLINTNEXTLINE(cancel-callback-across-suspend)
    std::stop_callback e(st, [&] { peer.cancel(); });
    std::stop_callback f(st, [&] { peer.cancel(); }); // FLAG
    // NOLINTBEGIN(cancel-*)
    std::stop_callback g(st, [&] { peer.cancel(); });
    // NOLINTBEGIN
    std::stop_callback h(st, [&] { peer.cancel(); });
    // NOLINTEND
    std::stop_callback i(st, [&] { peer.cancel(); });
    // NOLINTEND(cancel-*)
    std::stop_callback j(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}
