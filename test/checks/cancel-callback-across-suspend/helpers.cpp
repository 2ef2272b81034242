// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callback that registers once for each call of its coroutine is reported where a loop awaits that
// coroutine, directly or through others; and so is the loop, which can register once for all calls.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "lazy.h"

#include <optional>

lazy<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
  co_return co_await peer.receive();
}

lazy<int> echo(connection &peer, std::stop_token st) {
  int bytes = 0;
  while (!st.stop_requested())
    bytes += co_await read(peer, st); // FLAG
  co_return bytes;
}

// Through a chain of coroutines and a function that only passes the task on.
lazy<int> read_some(connection &peer, std::stop_token st) {
  std::optional<std::stop_callback<void (*)()>> on_stop;
  on_stop.emplace(st, [] {}); // FLAG
  const int bytes = co_await peer.receive();
  on_stop.reset();
  co_return bytes;
}
lazy<int> read_frame(connection &peer, std::stop_token st) {
  co_return co_await read_some(peer, st) + co_await read_some(peer, st);
}
lazy<int> next_frame(connection &peer, std::stop_token st) { return read_frame(peer, std::move(st)); }
lazy<int> frames(connection &peer, const std::stop_token &st) {
  for (int turn = 0; turn < 10; ++turn)
    co_await next_frame(peer, st); // FLAG
  co_return 0;
}

// A coroutine lambda as the helper, and one as the loop.
lazy<int> lambdas(connection &peer, std::stop_token st) {
  auto once = [&peer](std::stop_token st) -> lazy<int> {
    std::stop_callback on_stop(st, [&peer] { peer.cancel(); }); // FLAG
    co_return co_await peer.receive();
  };
  auto all = [once, st]() -> lazy<int> {
    for (;;)
      co_await once(st); // FLAG
  };
  co_return co_await all();
}

// A member of a class, and one of a class template.
struct session {
  connection peer;
  lazy<int> receive(std::stop_token st) {
    std::stop_callback on_stop(st, [this] { peer.cancel(); }); // FLAG
    co_return co_await peer.receive();
  }
  lazy<int> run(std::stop_token st) {
    do {
      co_await receive(st); // FLAG
    } while (!st.stop_requested());
    co_return 0;
  }
};

template <class Peer>
lazy<int> receive_from(Peer &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
  co_return co_await peer.receive();
}
lazy<int> receive_both(connection &one, std::stop_token st) {
  while (true)
    co_await receive_from(one, st); // FLAG
}

// The task is kept in a variable before it is awaited.
lazy<int> wait(std::stop_token st) {
  std::stop_callback on_stop(st, [] {}); // FLAG
  co_await tick();
  co_return 1;
}
lazy<int> waits(std::stop_token st) {
  for (;;) {
    auto one = wait(st); // FLAG
    co_await tick();
    co_await std::move(one);
  }
}

// A virtual helper that one override implements.
struct channel {
  virtual ~channel() = default;
  virtual lazy<int> pop(std::stop_token st) = 0;
};
struct queue : channel {
  lazy<int> pop(std::stop_token st) override {
    std::stop_callback on_stop(st, [] {}); // FLAG
    co_await tick();
    co_return 1;
  }
};
lazy<int> drain(channel &from, std::stop_token st) {
  for (;;)
    co_await from.pop(st); // FLAG
}
