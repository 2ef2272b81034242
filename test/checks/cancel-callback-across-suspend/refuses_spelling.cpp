// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The token would do, but the callback's own text cannot be changed safely: reported with the reason, left alone.
// RUN: %tidy %s -- %mock | FileCheck %s
// RUN: cp %s %t.cpp && %tidy --fix %t.cpp -- %mock && diff %s %t.cpp
#include "task.h"

#include <functional>
#include <memory>
#include <optional>

using action = std::function<void()>;
using stop_action = std::stop_callback<action>;

#define ON_STOP(name, token, call) std::stop_callback name(token, call)
#define TOKEN st

task made_by_a_macro(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    ON_STOP(on_stop, st, cancel);
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: {{.*}}macro

task token_named_by_a_macro(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(TOKEN, cancel);
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: {{.*}}macro

#define FOREVER for (;;)

task loop_made_by_a_macro(std::stop_token st, action cancel) {
  FOREVER {
    std::stop_callback on_stop(st, cancel);
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: {{.*}}macro

void keep(stop_action *);
void look(const stop_action &);

task address_taken(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    stop_action on_stop(st, cancel);
    keep(&on_stop);
    co_await tick();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: {{.*}}'on_stop'

task bound_to_a_reference(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    stop_action on_stop(st, cancel);
    look(on_stop);
    co_await tick();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: {{.*}}'on_stop'

task type_taken(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, cancel);
    using held = decltype(on_stop);
    static_assert(sizeof(held) > 0);
    co_await tick();
  }
}
// CHECK: [[#@LINE-6]]:{{.*}}: note: not rewritten: {{.*}}'on_stop'

task captured(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::optional<stop_action> on_stop;
    on_stop.emplace(st, cancel);
    auto end = [&] { on_stop.reset(); };
    co_await tick();
    end();
  }
}
// CHECK: [[#@LINE-6]]:{{.*}}: note: not rewritten: {{.*}}'on_stop'

task pointer_released(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::make_unique<stop_action>(st, cancel);
    co_await tick();
    keep(on_stop.get());
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: {{.*}}'on_stop'

struct operation {
  int id;
  stop_action on_stop;
};

task member_of_a_shared_type(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    operation pending{7, stop_action(st, cancel)};
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: the callback is part of 'operation'

template <typename Registration>
task type_is_a_parameter(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    Registration on_stop(st, cancel);
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten:

template <typename T>
struct registration_of {
  using type = std::stop_callback<T>;
};

template <typename Callback>
task type_depends_on_a_parameter(std::stop_token st, Callback cancel) {
  while (!st.stop_requested()) {
    typename registration_of<Callback>::type on_stop(st, cancel);
    co_await tick();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten:

void instantiate(std::stop_token st, action cancel) {
  type_is_a_parameter<stop_action>(st, cancel);
  type_depends_on_a_parameter(st, cancel);
}
