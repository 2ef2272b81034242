// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way to spell or hold the callback.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "task.h"

#include <functional>
#include <memory>
#include <optional>

using action = std::function<void()>;
using stop_action = std::stop_callback<action>;
typedef stop_action stop_action_again;

task explicit_argument(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback<action> on_stop(st, cancel); // FLAG
    co_await tick();
  }
}

task braces(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback<action> on_stop{st, cancel}; // FLAG
    co_await tick();
  }
}

task alias_of_an_alias(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    stop_action_again on_stop(st, cancel); // FLAG
    co_await tick();
  }
}

task using_declaration(std::stop_token st, action cancel) {
  using std::stop_callback;
  while (!st.stop_requested()) {
    stop_callback on_stop(st, cancel); // FLAG
    co_await tick();
  }
}

task named_by_auto(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::stop_callback(st, cancel); // FLAG
    co_await tick();
  }
}

task token_from_a_source(std::stop_source &source, action cancel) {
  std::stop_source own;
  while (!source.stop_requested()) {
    std::stop_callback on_stop(own.get_token(), cancel); // FLAG
    co_await tick();
  }
}

task optional_emplaced(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::optional<stop_action> on_stop;
    on_stop.emplace(st, cancel); // FLAG
    co_await tick();
  }
}

task optional_outside_emplaced_inside(std::stop_token st, action cancel) {
  std::optional<std::stop_callback<action>> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel); // FLAG
    co_await tick();
    on_stop.reset();
  }
}

task optional_reset_too_late(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel); // FLAG
    int bytes = co_await receive();
    on_stop = std::nullopt;
  }
}

task optional_in_place(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::optional<stop_action> on_stop(std::in_place, st, cancel); // FLAG
    co_await tick();
  }
}

task pointer(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::make_unique<stop_action>(st, cancel); // FLAG
    co_await tick();
  }
}

task pointer_assigned(std::stop_token st, action cancel) {
  std::unique_ptr<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop = std::make_unique<stop_action>(st, cancel); // FLAG
    co_await tick();
    on_stop.reset();
  }
}

struct operation {
  int id;
  stop_action on_stop;
};

task member_of_an_aggregate(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    operation pending{7, stop_action(st, cancel)}; // FLAG
    co_await tick();
  }
}
