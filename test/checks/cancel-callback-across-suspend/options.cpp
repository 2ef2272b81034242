// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a slot cannot make cheaper yet is a remark; WarnOutsideLoops reports it, and offers no edit.
// RUN: %flags --config='{CheckOptions: {cancel-callback-across-suspend.WarnOutsideLoops: true}}' %s -- %mock
// RUN: %tidy %s -- %mock | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// CHECK: options.cpp:[[@LINE+8]]:22: remark: stop callback 'on_stop' is held across co_await; no loop
// RUN: clang-tidy --load=%module --verify-config \
// RUN:   --config='{Checks: "-*,cancel-callback-across-suspend", CheckOptions: {cancel-callback-across-suspend.WarnOutsideLoops: true}}'
// RUN: not clang-tidy --load=%module --verify-config \
// RUN:   --config='{CheckOptions: {cancel-callback-across-suspend.WarnInLoops: true}}'
#include "task.h"

task registered_once(std::stop_token st, connection &peer) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
  co_await peer.receive();
}

task ends_before(std::stop_token st, connection &peer) {
  {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
  }
  co_await peer.receive();
}
