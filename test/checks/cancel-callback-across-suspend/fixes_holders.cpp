// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callback's type and its token argument, in every spelling that can be rewritten.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include "task.h"

#include <functional>
#include <memory>
#include <optional>

using action = std::function<void()>;
using stop_action = std::stop_callback<action>;

task deduced(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop{st, cancel};
    co_await tick();
  }
}
// CHECK-LABEL: task deduced
// CHECK: cancel::stop_guard on_stop{cancel_slot, cancel};

task explicit_argument(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback<action> on_stop(st, cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task explicit_argument
// CHECK: cancel::stop_guard<action> on_stop(cancel_slot, cancel);

task alias(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    stop_action on_stop(st, cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task alias
// CHECK: cancel::stop_guard<{{.*}}> on_stop(cancel_slot, cancel);

task named_by_auto(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::stop_callback(st, cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task named_by_auto
// CHECK: auto on_stop = cancel::stop_guard(cancel_slot, cancel);

task token_of_a_source(action cancel) {
  std::stop_source source;
  while (!source.stop_requested()) {
    std::stop_callback on_stop(source.get_token(), cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task token_of_a_source
// CHECK: {{^}}  cancel::stop_slot cancel_slot(source.get_token());
// CHECK: cancel::stop_guard on_stop(cancel_slot, cancel);

task optional_in_the_loop(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::optional<std::stop_callback<action>> on_stop;
    on_stop.emplace(st, cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task optional_in_the_loop
// CHECK: {{^}}  cancel::stop_slot cancel_slot(st);
// CHECK: std::optional<cancel::stop_guard<action>> on_stop;
// CHECK-NEXT: on_stop.emplace(cancel_slot, cancel);

task optional_before_the_loop(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    if (!on_stop)
      on_stop.emplace(st, cancel);
    co_await tick();
    on_stop.reset();
  }
}
// The slot must outlive the guard, so it stands before the optional.
// CHECK-LABEL: task optional_before_the_loop
// CHECK-NEXT: {{^}}  cancel::stop_slot cancel_slot(st);
// CHECK-NEXT: std::optional<cancel::stop_guard<{{.*}}>> on_stop;
// CHECK: on_stop.emplace(cancel_slot, cancel);
// CHECK: on_stop.reset();

task pointer(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::make_unique<stop_action>(st, cancel);
    co_await tick();
  }
}
// CHECK-LABEL: task pointer
// CHECK: auto on_stop = std::make_unique<cancel::stop_guard<{{.*}}>>(cancel_slot, cancel);

task pointer_or_none(std::stop_token st, action cancel, bool wanted) {
  while (!st.stop_requested()) {
    auto on_stop = wanted ? std::make_unique<stop_action>(st, cancel) : nullptr;
    co_await tick();
  }
}
// CHECK-LABEL: task pointer_or_none
// CHECK: auto on_stop = wanted ? std::make_unique<cancel::stop_guard<{{.*}}>>(cancel_slot, cancel) : nullptr;

task emptied_by_comparison(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    if (on_stop == std::nullopt)
      on_stop.emplace(st, cancel);
    co_await tick();
    on_stop.reset();
  }
}
// CHECK-LABEL: task emptied_by_comparison
// CHECK: if (on_stop == std::nullopt)
// CHECK-NEXT: on_stop.emplace(cancel_slot, cancel);

struct request {
  std::stop_token token;
  int id;
};

task token_of_an_argument(request r, action cancel) {
  while (!r.token.stop_requested()) {
    std::stop_callback on_stop(r.token, cancel);
    r.id = co_await receive();
  }
}
// CHECK-LABEL: task token_of_an_argument
// CHECK: {{^}}  cancel::stop_slot cancel_slot(r.token);
// CHECK: cancel::stop_guard on_stop(cancel_slot, cancel);

task comments_and_line_breaks_stay(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback /* keep */ on_stop(st, // the session's
                                          [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK-LABEL: task comments_and_line_breaks_stay
// CHECK: cancel::stop_guard /* keep */ on_stop(cancel_slot, // the session's
// CHECK-NEXT: [&] { peer.cancel(); });

// CHECK-NOT: std::stop_callback
