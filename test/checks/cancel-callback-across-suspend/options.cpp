// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WarnOutsideLoops reports what a slot cannot make cheaper yet; it offers no edit.
// RUN: %flags --config='{CheckOptions: {cancel-callback-across-suspend.WarnOutsideLoops: true}}' %s -- %mock
// RUN: %tidy %s -- %mock | count 0
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
