// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewrite's names collide with nothing that the program already calls so.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include <cancel/stop_slot.hpp>

#include "task.h"

// CHECK: #include <cancel/stop_slot.hpp>
// CHECK-NOT: #include <cancel

int cancel_slot2;

task variable_of_that_name(std::stop_token st, connection &peer, int &turns) {
  const int cancel_slot = turns;
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    turns = cancel_slot + co_await peer.receive();
  }
}
// CHECK-LABEL: task variable_of_that_name
// CHECK: cancel::stop_slot [[NAME:cancel_slot[0-9]+]](st);
// CHECK-NEXT: while
// CHECK-NEXT: cancel::stop_guard on_stop([[NAME]],
// CHECK-NEXT: turns = cancel_slot + co_await

task name_used_in_a_lambda(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    auto next = [] { return ++cancel_slot2; };
    next();
    co_await peer.receive();
  }
}
// CHECK-LABEL: task name_used_in_a_lambda
// CHECK: cancel::stop_slot cancel_slot(st);

namespace app {
namespace cancel {
struct stop_slot {};
} // namespace cancel

task inside_namespace_app(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
} // namespace app
// CHECK-LABEL: task inside_namespace_app
// CHECK-NEXT: ::cancel::stop_slot cancel_slot(st);
// CHECK: ::cancel::stop_guard on_stop(cancel_slot,

task parameter_called_cancel(std::stop_token st, connection &cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { cancel.cancel(); });
    co_await cancel.receive();
  }
}
// A variable does not hide a namespace in a nested-name-specifier; it must compile, however it is spelled.
// CHECK-LABEL: task parameter_called_cancel
// CHECK: stop_slot cancel_slot(st);

struct reader {
  connection peer;
  struct cancel {};
  task run(std::stop_token st) {
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [this] { peer.cancel(); });
      co_await peer.receive();
    }
  }
};
// CHECK: struct cancel {};
// CHECK: ::cancel::stop_slot cancel_slot(st);
// CHECK: ::cancel::stop_guard on_stop(cancel_slot,

template <typename cancel>
task template_parameter_called_cancel(std::stop_token st, cancel &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
template task template_parameter_called_cancel(std::stop_token, connection &);
// CHECK-LABEL: task template_parameter_called_cancel
// CHECK: ::cancel::stop_slot cancel_slot(st);
// CHECK: ::cancel::stop_guard on_stop(cancel_slot,
