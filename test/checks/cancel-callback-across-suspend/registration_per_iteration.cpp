// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two generators that look alike. In one the token and all that the callback captures outlive the loop; in the other
// both belong to the element.
// RUN: %flags %s -- %mock
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include "task.h"

#include <vector>

generator<int> relays(std::stop_token outer, std::stop_source &inner, int turns) {
  while (turns-- > 0) {
    std::stop_callback relay(outer, [&] { inner.request_stop(); }); // FLAG
    co_yield co_await receive();
  }
}

struct item {
  std::stop_token token;
  int value = 0;
  void cancel() { value = -1; }
};

generator<int> per_item(std::vector<item> &items) {
  for (auto &each : items) {
    std::stop_callback on_stop(each.token,
                               [&each] { each.cancel(); }); // OK: another token on each turn
    co_yield each.value;
  }
}

// CHECK: {{^}}  cancel::stop_slot cancel_slot(outer);
// CHECK-NEXT: while (turns-- > 0) {
// CHECK-NEXT: cancel::stop_guard relay(cancel_slot, [&] { inner.request_stop(); });
// CHECK: std::stop_callback on_stop(each.token,
