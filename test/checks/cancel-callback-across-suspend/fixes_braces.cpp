// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are not statements of a block: the slot and the loop get braces of their own.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include "task.h"

#include <functional>
#include <optional>

task under_if_and_else(std::stop_token st, connection &peer, bool fast) {
  if (fast)
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    }
  else
    for (;;) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      if (co_await more())
        break;
    }
}
// CHECK-LABEL: task under_if_and_else
// CHECK-NEXT: if (fast)
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot [[FIRST:cancel_slot[0-9]*]](st);
// CHECK: while
// CHECK-NEXT: cancel::stop_guard on_stop([[FIRST]],
// CHECK: else
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot [[SECOND:cancel_slot[0-9]*]](st);

task under_a_case_label(std::stop_token st, connection &peer, int mode) {
  switch (mode) {
  case 0:
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    }
    break;
  case 1:
    co_await tick();
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    }
    break;
  default:
    co_await tick();
  }
}
// CHECK-LABEL: task under_a_case_label
// CHECK: case 0:
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot [[ZERO:cancel_slot[0-9]*]](st);
// CHECK: cancel::stop_guard on_stop([[ZERO]],
// CHECK: case 1:
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot [[ONE:cancel_slot[0-9]*]](st);
// CHECK: cancel::stop_guard on_stop([[ONE]],

task holder_of_a_loop_under_a_case_label(std::stop_token st, std::function<void()> cancel,
                                         int mode) {
  switch (mode) {
  case 0:
    for (std::optional<std::stop_callback<std::function<void()>>> on_stop; !st.stop_requested();) {
      on_stop.emplace(st, cancel);
      co_await tick();
    }
  }
}
// CHECK-LABEL: task holder_of_a_loop_under_a_case_label
// CHECK: case 0:
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: for

task under_a_label(std::stop_token st, connection &peer) {
  if (!st.stop_possible())
    goto out;
  co_await tick();
out:
  for (int turn = 0; turn < 3; ++turn) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task under_a_label
// CHECK: out:
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot cancel_slot(st);

task goto_past_the_loop(std::stop_token st, connection &peer) {
  if (!st.stop_possible())
    goto done;
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
done:
  co_await tick();
}
// The jump must not enter the slot's scope.
// CHECK-LABEL: task goto_past_the_loop
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot cancel_slot(st);
// CHECK: done:

task body_of_an_outer_loop(std::stop_token outer, connection &peer) {
  for (const std::stop_token &st : {outer, std::stop_token()})
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    }
}
// CHECK-LABEL: task body_of_an_outer_loop
// CHECK-NEXT: for
// CHECK: {{^ *[{]$}}
// CHECK-NEXT: cancel::stop_slot cancel_slot(st);
// CHECK: while
