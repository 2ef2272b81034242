// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that is hard to follow: the verdict is right, and nothing crashes.
// RUN: %flags %s -- %mock
#include "task.h"

#include <functional>
#include <optional>

using action = std::function<void()>;
using stop_action = std::stop_callback<action>;

task jump_back_into_the_scope(std::stop_token st, action cancel) {
  std::stop_callback on_stop(st, cancel); // OK: the jump goes behind it
again:
  co_await tick();
  if (!st.stop_requested())
    goto again;
}

task jump_back_before_it(std::stop_token st, action cancel) {
again:
  if (co_await more()) {
    std::stop_callback on_stop(st, cancel); // FLAG
    co_await tick();
    goto again;
  }
}

task jump_out(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, cancel); // OK: the loop is left each time
    co_await tick();
    goto done;
  }
done:
  co_return;
}

task continue_before_it(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    if (co_await more())
      continue;
    std::stop_callback on_stop(st, cancel); // OK: suspends only while not registered
    cancel();
  }
}

task leaves_after_the_first_await(std::stop_token st, action cancel, int &turns) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, cancel); // FLAG
    if (++turns > 3) {
      co_await tick();
      co_return;
    }
  }
}

task in_a_try_block(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    try {
      std::stop_callback on_stop(st, cancel); // FLAG
      co_await tick();
    } catch (...) {
      cancel();
    }
  }
}

task in_a_switch(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    switch (co_await receive()) {
    case 0: {
      std::stop_callback on_stop(st, cancel); // FLAG
      co_await tick();
      break;
    }
    case 1: {
      std::stop_callback on_stop(st, cancel); // OK: does not suspend in this case
      break;
    }
    default:
      co_return;
    }
  }
}

task in_an_if_initialiser(std::stop_token st, action cancel) {
  while (!st.stop_requested())
    if (std::stop_callback on_stop(st, cancel); co_await more()) // FLAG
      cancel();
}

task reset_on_one_path_only(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel); // FLAG
    if (st.stop_possible())
      on_stop.reset();
    co_await tick();
  }
}

task reset_on_every_path(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel); // OK: gone on both paths
    if (st.stop_possible())
      on_stop.reset();
    else
      on_stop = std::nullopt;
    co_await tick();
  }
}

task emplaced_at_the_end_of_a_turn(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    co_await tick();
    on_stop.emplace(st, cancel); // FLAG
  }
}

task nested_loops_that_never_turn(std::stop_token st, action cancel) {
  do {
    for (;;) {
      std::stop_callback on_stop(st, cancel); // OK: neither loop turns
      co_await tick();
      break;
    }
  } while (false);
}

task empty() { co_return; }

task unreachable(std::stop_token st, action cancel) {
  co_return;
  while (true) {
    std::stop_callback on_stop(st, cancel); // OK: never executed
    co_await tick();
  }
}
