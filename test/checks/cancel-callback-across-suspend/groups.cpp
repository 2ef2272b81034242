// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One edit group is carried by one diagnostic; its other members say where. A member that cannot be rewritten does not
// take the others with it.
// RUN: %tidy %s -- %mock | FileCheck %s
// RUN: cp %s %t.cpp && %tidy --fix %t.cpp -- %cxx && FileCheck --check-prefix=FIXED %s < %t.cpp
#include "task.h"

void look(const void *);

task three(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback carrier(st, [&] { peer.cancel(); });
    std::stop_callback member(st, [&] { peer.cancel(); });
    std::stop_callback stays(st, [&] { peer.cancel(); });
    look(&stays);
    co_await peer.receive();
  }
}
// CHECK: :[[#CARRIER:@LINE-7]]:24: warning: stop callback 'carrier' is registered
// CHECK-NOT: fixed with
// CHECK-NOT: not rewritten
// CHECK: :[[#CARRIER + 1]]:24: warning: stop callback 'member' is registered
// CHECK: :[[#CARRIER]]:24: note: fixed with line [[#CARRIER]]
// CHECK: :[[#CARRIER + 2]]:24: warning: stop callback 'stays' is registered
// CHECK: :[[#CARRIER + 2]]:24: note: not rewritten: 'stays' is used in another way at line [[#CARRIER + 3]]

// FIXED-LABEL: {{^}}task three
// FIXED-NEXT: cancel::stop_slot cancel_slot(st);
// FIXED-NEXT: while
// FIXED-NEXT: cancel::stop_guard carrier(cancel_slot,
// FIXED-NEXT: cancel::stop_guard member(cancel_slot,
// FIXED-NEXT: std::stop_callback stays(st,
