// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that no loop makes register again with one token: at most a remark says that they hold a
// callback.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "lazy.h"

#include <vector>

// Called, but in no loop.
lazy<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
lazy<int> reads_once(connection &peer, std::stop_token st) { co_return co_await read(peer, st); }

// The call stands beside the loop, or in the part of it that runs once.
lazy<int> reads_before_the_loop(connection &peer, std::stop_token st) {
  for (int left = co_await read(peer, st); left > 0; --left)
    co_await tick();
  co_return 0;
}

// The loop gives another token on each turn.
lazy<int> read_one(std::stop_token st) {
  std::stop_callback on_stop(st, [] {});
  co_await tick();
  co_return 1;
}
lazy<int> another_token_each_turn(std::vector<std::stop_token> &all) {
  for (std::stop_token &one : all)
    co_await read_one(one);
  co_return 0;
}
lazy<int> a_source_each_turn() {
  for (;;) {
    std::stop_source source;
    co_await read_one(source.get_token());
  }
}

// The helper registers with a source of its own.
lazy<int> own_source() {
  std::stop_source source;
  std::stop_callback on_stop(source.get_token(), [] {});
  co_await tick();
  co_return 1;
}
lazy<int> calls_own_source() {
  for (;;)
    co_await own_source();
}

// What is started beside the loop runs beside its other turns: there is no stack to share a slot in.
lazy<int> serve(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
void spawn(lazy<int> &&) {}
lazy<int> accepts(connection &peer, std::stop_token st) {
  for (;;) {
    spawn(serve(peer, st));
    co_await tick();
  }
}

// A loop in a function that is no coroutine starts each call anew, with nobody below.
lazy<int> step(std::stop_token st) {
  std::stop_callback on_stop(st, [] {});
  co_await tick();
  co_return 1;
}
int sync_wait(lazy<int> &&);
int in_a_plain_loop(std::stop_token st) {
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn)
    sum += sync_wait(step(st));
  return sum;
}

// The helper's callback ends before it suspends; there is nothing across.
lazy<int> ends_first(std::stop_token st) {
  {
    std::stop_callback on_stop(st, [] {});
  }
  co_await tick();
  co_return 1;
}
lazy<int> calls_ends_first(std::stop_token st) {
  for (;;)
    co_await ends_first(st);
}

// A loop over a helper that never registers.
lazy<int> plain(std::stop_token st) {
  co_await tick();
  co_return st.stop_requested();
}
lazy<int> calls_plain(std::stop_token st) {
  for (;;)
    co_await plain(st);
}
