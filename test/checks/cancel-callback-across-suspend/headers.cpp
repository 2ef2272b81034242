// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A system header is nobody's to change; a project header is reported, and left to cancel-migrate, which sees every
// program that includes it.
// RUN: split-file %s %t
// RUN: %tidy --header-filter='.*' %t/main.cpp -- %mock -I%t -isystem %t/system | FileCheck %s

//--- main.cpp
#include "project.h"
#include <vendor.h>

void use(std::stop_token st, connection &peer) {
  project_loop(st, peer);
  vendor_loop(st, peer);
}

//--- project.h
#include "task.h"

inline task project_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}

//--- system/vendor.h
#include "task.h"

inline task vendor_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}

// CHECK-NOT: vendor.h
// CHECK: project.h:5:{{.*}}: warning: stop callback 'on_stop' is registered
// CHECK: project.h:5:{{.*}}: note: the rewrite reaches other files; run cancel-migrate
// CHECK-NOT: vendor.h
