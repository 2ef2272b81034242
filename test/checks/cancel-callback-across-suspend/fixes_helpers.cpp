// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A helper arms on the slot of the async stack, which the loop that calls it makes before its turns.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
// A task type that hands slots down.
#include <cancel/task.hpp>

#include "task.h"

#include <memory>
#include <optional>

// CHECK: #include <cancel/slot_for.hpp>

template <class T>
using lazy = cancel::task<T>;

// CHECK-LABEL: lazy<int> read(
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT:    co_return
lazy<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}

// The slot stands before the outermost loop in which there is the token, and serves both calls.
// CHECK-LABEL: lazy<int> reads(
// CHECK-NEXT:    int bytes = 0;
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    while (!st.stop_requested()) {
// CHECK-NEXT:      bytes += co_await read(peer, st);
// CHECK-NEXT:      for (int part = 0; part < 3; ++part)
// CHECK-NEXT:        bytes += co_await read(peer, st);
lazy<int> reads(connection &peer, std::stop_token st) {
  int bytes = 0;
  while (!st.stop_requested()) {
    bytes += co_await read(peer, st);
    for (int part = 0; part < 3; ++part)
      bytes += co_await read(peer, st);
  }
  co_return bytes;
}

// A slot before one loop is there for those after it, and one beside a callback for those below it.
// CHECK-LABEL: lazy<int> one_loop_after_the_other(
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    for (;;)
// CHECK-NEXT:      co_await read(peer, st);
// CHECK-NEXT:    for (;;)
// CHECK-NEXT:      co_await read(peer, st);
// CHECK-NEXT:    co_return 0;
lazy<int> one_loop_after_the_other(connection &peer, std::stop_token st) {
  for (;;)
    co_await read(peer, st);
  for (;;)
    co_await read(peer, st);
  co_return 0;
}
// CHECK-LABEL: lazy<int> in_blocks(
// CHECK-NEXT:    if (first) {
// CHECK-NEXT:      {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:      for (;;)
// CHECK-NEXT:        co_await read(peer, st);
// CHECK-NEXT:    }
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot2 = co_await cancel::slot_for(st);
// CHECK-NEXT:    for (;;)
lazy<int> in_blocks(connection &peer, std::stop_token st, bool first) {
  if (first) {
    for (;;)
      co_await read(peer, st);
  }
  for (;;)
    co_await read(peer, st);
}
// CHECK-LABEL: lazy<int> helper_and_loop(
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT:    for (int part = 0; part < 3; ++part)
// CHECK-NEXT:      co_await read(peer, st);
lazy<int> helper_and_loop(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  for (int part = 0; part < 3; ++part)
    co_await read(peer, st);
  co_return 0;
}
// CHECK-LABEL: lazy<int> calls_helper_and_loop(
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
lazy<int> calls_helper_and_loop(connection &peer, std::stop_token st) {
  for (;;)
    co_await helper_and_loop(peer, st);
}

// Several callbacks on one token share a slot, also where one of them has a block of its own; each
// keeps its scope, and reset() its place.
// CHECK-LABEL: lazy<int> several(
// CHECK-NEXT:    int stopped = 0;
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    std::optional<cancel::stop_guard<void (*)()>> later;
// CHECK-NEXT:    cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT:    {
// CHECK-NEXT:      cancel::stop_guard counts(cancel_slot, [&] { ++stopped; });
// CHECK-NEXT:      co_await peer.receive();
// CHECK-NEXT:    }
// CHECK-NEXT:    later.emplace(cancel_slot, +[] {});
// CHECK-NEXT:    co_await tick();
// CHECK-NEXT:    later.reset();
// CHECK-NEXT:    co_return stopped;
lazy<int> several(connection &peer, std::stop_token st) {
  int stopped = 0;
  std::optional<std::stop_callback<void (*)()>> later;
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  {
    std::stop_callback counts(st, [&] { ++stopped; });
    co_await peer.receive();
  }
  later.emplace(st, +[] {});
  co_await tick();
  later.reset();
  co_return stopped;
}
// CHECK-LABEL: lazy<int> calls_several(
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
lazy<int> calls_several(connection &peer, const std::stop_token &st) {
  for (;;)
    co_await several(peer, st);
}

// Two tokens, two slots.
// CHECK-LABEL: lazy<int> two_tokens(
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(one);
// CHECK-NEXT:    cancel::stop_guard first(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT:    auto &&cancel_slot2 = co_await cancel::slot_for(other);
// CHECK-NEXT:    cancel::stop_guard second(cancel_slot2, [&] { peer.cancel(); });
lazy<int> two_tokens(connection &peer, std::stop_token one, std::stop_token other) {
  std::stop_callback first(one, [&] { peer.cancel(); });
  std::stop_callback second(other, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
// The loop has a slot for the first of them.
// CHECK-LABEL: lazy<int> calls_two_tokens(
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(one);
// CHECK-NEXT:    for (;;)
lazy<int> calls_two_tokens(connection &peer, std::stop_token one, std::stop_token other) {
  for (;;)
    co_await two_tokens(peer, one, other);
}

// A loop with a callback of its own has a slot already; it becomes one that the helper finds.
// CHECK-LABEL: lazy<int> both(
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT:    while (!st.stop_requested()) {
// CHECK-NEXT:      cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
// CHECK-NEXT:      co_await read(peer, st);
lazy<int> both(connection &peer, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await read(peer, st);
  }
  co_return 0;
}

// In a promise that is embedded a loop's slot is of the stack, whoever is called.
// CHECK-LABEL: lazy<int> alone(
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(st);
lazy<int> alone(connection &peer, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
  co_return 0;
}

// The token is a member, of which neither helper nor loop is told by an argument.
struct session {
  connection peer;
  std::stop_source source;

// CHECK-LABEL: lazy<int> receive()
// CHECK-NEXT:    auto &&cancel_slot = co_await cancel::slot_for(source.get_token());
// CHECK-NEXT:    cancel::stop_guard on_stop(cancel_slot, [this] { peer.cancel(); });
  lazy<int> receive() {
    std::stop_callback on_stop(source.get_token(), [this] { peer.cancel(); });
    co_return co_await peer.receive();
  }
  lazy<int> message() { co_return co_await receive() + co_await receive(); }
// CHECK-LABEL: lazy<int> run()
// CHECK-NEXT:    {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(source.get_token());
// CHECK-NEXT:    for (;;)
  lazy<int> run() {
    for (;;)
      co_await message();
  }
};

// In others, where no helper would find it, it is the loop's own.
// CHECK-LABEL: task own(
// CHECK-NEXT:    cancel::stop_slot cancel_slot(st);
task own(connection &peer, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
