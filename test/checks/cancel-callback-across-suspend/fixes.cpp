// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the slot goes: before the outermost loop in which the token is the same and in scope.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include "task.h"

#include <vector>

// One include, whatever the number of fixes.
// CHECK-COUNT-1: #include <cancel/stop_slot.hpp>
// CHECK-NOT: #include <cancel

task one_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task one_loop
// CHECK-NEXT: {{^}}  cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: while (!st.stop_requested()) {
// CHECK-NEXT: cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT: co_await peer.receive();

task outermost_loop(std::stop_token st, std::vector<connection> &peers, long &total) {
  long served = 0;
  while (!st.stop_requested()) {
    for (connection &peer : peers) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      served += co_await peer.receive();
    }
  }
  total = served;
}
// CHECK-LABEL: task outermost_loop
// CHECK-NEXT: long served = 0;
// CHECK-NEXT: {{^}}  cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: while (!st.stop_requested()) {
// CHECK-NEXT: for (connection &peer : peers) {
// CHECK-NEXT: cancel::stop_guard on_stop(cancel_slot,

task inside_the_loop_that_makes_the_token(std::vector<std::stop_token> &tokens, connection &peer) {
  for (const std::stop_token &st : tokens) {
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    }
  }
}
// CHECK-LABEL: task inside_the_loop_that_makes_the_token
// CHECK-NEXT: for (const std::stop_token &st : tokens) {
// CHECK-NEXT: {{^}}    cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: while (!st.stop_requested()) {

task two_callbacks_share_a_slot(std::stop_token st, connection &in, connection &out) {
  while (!st.stop_requested()) {
    std::stop_callback on_in(st, [&] { in.cancel(); });
    std::stop_callback on_out(st, [&] { out.cancel(); });
    co_await in.receive();
  }
}
// CHECK-LABEL: task two_callbacks_share_a_slot
// CHECK-NEXT: {{^}}  cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: while
// CHECK-NEXT: cancel::stop_guard on_in(cancel_slot,
// CHECK-NEXT: cancel::stop_guard on_out(cancel_slot,

task two_tokens_two_slots(std::stop_token session, std::stop_token order, connection &peer) {
  while (!session.stop_requested()) {
    std::stop_callback on_session(session, [&] { peer.cancel(); });
    std::stop_callback on_order(order, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task two_tokens_two_slots
// CHECK-DAG: cancel::stop_slot [[SESSION:cancel_slot[0-9]*]](session);
// CHECK-DAG: cancel::stop_slot [[ORDER:cancel_slot[0-9]*]](order);
// CHECK: while
// CHECK-NEXT: cancel::stop_guard on_session([[SESSION]],
// CHECK-NEXT: cancel::stop_guard on_order([[ORDER]],

task one_loop_after_another(std::stop_token st, connection &peer) {
  for (int turn = 0; turn < 3; ++turn) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
  for (int turn = 0; turn < 3; ++turn) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task one_loop_after_another
// CHECK-NEXT: cancel::stop_slot [[FIRST:cancel_slot[0-9]*]](st);
// CHECK-NEXT: for
// CHECK-NEXT: cancel::stop_guard on_stop([[FIRST]],
// CHECK: cancel::stop_slot [[SECOND:cancel_slot[0-9]*]](st);
// CHECK-NEXT: for
// CHECK-NEXT: cancel::stop_guard on_stop([[SECOND]],

task token_copied_on_each_turn(std::stop_token st, connection &peer) {
  while (co_await more()) {
    std::stop_token same = st;
    std::stop_callback on_stop(same, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task token_copied_on_each_turn
// CHECK-NEXT: cancel::stop_slot cancel_slot(st);

// CHECK-NOT: std::stop_callback
