// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of loop, suspension and function in which a registration is repeated.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "task.h"

task while_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}

task for_loop(std::stop_token st, connection &peer) {
  for (int turn = 0; turn < 10; ++turn) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}

task do_loop(std::stop_token st, connection &peer) {
  do {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  } while (!st.stop_requested());
}

task range_for(std::stop_token st, connection (&peers)[4]) {
  for (connection &peer : peers) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}

generator<int> yields(std::stop_token st, int &last) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { last = 0; }); // FLAG
    co_yield last;
  }
}

task awaits_in_an_initialiser(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    int bytes = co_await peer.receive();
  }
}

task awaits_in_a_condition(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    if (co_await more())
      continue;
    break;
  }
}

task awaits_in_an_inner_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    for (int part = 0; part < 3; ++part)
      co_await peer.receive();
  }
}

task awaits_on_one_branch(std::stop_token st, connection &peer, bool fast) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    if (!fast)
      co_await peer.receive();
  }
}

struct session {
  connection peer;
  std::stop_source source;

  task run(std::stop_token st) {
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [this] { peer.cancel(); }); // FLAG
      co_await peer.receive();
    }
  }
  static task serve(std::stop_token st, session &self);
};

task session::serve(std::stop_token st, session &self) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { self.peer.cancel(); }); // FLAG
    co_await self.peer.receive();
  }
}

void lambdas(connection &peer) {
  auto loop = [](std::stop_token st, connection &to) -> task {
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [&] { to.cancel(); }); // FLAG
      co_await to.receive();
    }
  };
  loop(std::stop_token(), peer);
}

task two_in_one_loop(std::stop_token a, std::stop_token b, connection &peer) {
  while (!a.stop_requested()) {
    std::stop_callback on_a(a, [&] { peer.cancel(); }); // FLAG
    std::stop_callback on_b(b, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}
