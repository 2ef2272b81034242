// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registrations that end before the coroutine suspends, or that no loop repeats: nothing here is reported.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "task.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

using action = std::function<void()>;
using stop_action = std::stop_callback<action>;

task registered_once(std::stop_token st, connection &peer) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}

task registered_before_the_loop(std::stop_token st, connection &peer) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  while (!st.stop_requested())
    co_await peer.receive();
}

task registered_between_two_loops(std::stop_token st, connection &peer) {
  while (co_await more())
    co_await tick();
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  for (int turn = 0; turn < 3; ++turn)
    co_await peer.receive();
}

task optional_before_the_loop(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  if (st.stop_possible())
    on_stop.emplace(st, cancel);
  while (!st.stop_requested())
    co_await tick();
}

task scope_ended(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    {
      std::stop_callback on_stop(st, [&] { ++stops; });
      ++stops;
    }
    co_await tick();
  }
}

task awaited_first(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    co_await tick();
    std::stop_callback on_stop(st, [&] { ++stops; });
    ++stops;
  }
}

task reset_first(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel);
    cancel();
    on_stop.reset();
    co_await tick();
  }
}

task assigned_nullopt_first(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    on_stop.emplace(st, cancel);
    on_stop = std::nullopt;
    co_await tick();
  }
}

task pointer_reset_first(std::stop_token st, action cancel) {
  while (!st.stop_requested()) {
    auto on_stop = std::make_unique<stop_action>(st, cancel);
    on_stop.reset();
    co_await tick();
  }
}

task pointer_moved_away_first(std::stop_token st, action cancel,
                              std::vector<std::unique_ptr<stop_action>> &graveyard) {
  while (!st.stop_requested()) {
    auto on_stop = std::make_unique<stop_action>(st, cancel);
    graveyard.push_back(std::move(on_stop));
    co_await tick();
  }
}

task always_returns(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
    co_return;
  }
}

task always_breaks(std::stop_token st, connection &peer) {
  for (;;) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
    break;
  }
}

task once_for_scope(std::stop_token st, connection &peer) {
  do {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  } while (false);
}

task in_the_initialiser_of_a_for(std::stop_token st, action cancel) {
  for (std::stop_callback on_stop(st, cancel); !st.stop_requested();)
    co_await tick();
}

task filled_when_it_has_no_value(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    if (st.stop_possible() && !on_stop.has_value())
      on_stop.emplace(st, cancel);
    co_await tick();
  }
}

task filled_when_it_equals_nothing(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  std::unique_ptr<stop_action> pointer;
  while (!st.stop_requested()) {
    if (on_stop == std::nullopt)
      on_stop.emplace(st, cancel);
    if (nullptr == pointer)
      pointer = std::make_unique<stop_action>(st, cancel);
    co_await tick();
  }
}

task filled_until_it_is(std::stop_token st, action cancel) {
  std::optional<stop_action> on_stop;
  while (!st.stop_requested()) {
    while (!on_stop)
      on_stop.emplace(st, cancel);
    co_await tick();
  }
}
