// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates are judged where they are instantiated, and reported once for each place in the source.
// RUN: %flags %s -- %mock
#include "task.h"

template <typename Peer>
task twice_instantiated(std::stop_token st, Peer &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
    co_await peer.receive();
  }
}

template <typename Peer>
task never_instantiated(std::stop_token st, Peer &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st,
                               [&] { peer.cancel(); }); // OK: what peer.receive() is, is not known
    co_await peer.receive();
  }
}

template <typename Wait>
task decided_by_the_argument(std::stop_token st, Wait wait, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; }); // OK: only instantiated with suspend_never
    co_await wait;
  }
}

template <typename Peer>
struct channel {
  Peer peer;

  task member(std::stop_token st) {
    while (!st.stop_requested()) {
      std::stop_callback on_stop(st, [this] { peer.cancel(); }); // FLAG
      co_await peer.receive();
    }
  }
  template <typename Callback>
  task member_template(std::stop_token st, Callback callback) {
    while (!st.stop_requested()) {
      std::stop_callback<Callback> on_stop(st, callback); // FLAG
      co_await peer.receive();
    }
  }
};

struct other_connection : connection {};

void instantiate(connection &peer, other_connection &other, int &stops) {
  std::stop_token st;
  twice_instantiated(st, peer);
  twice_instantiated(st, other);
  decided_by_the_argument(st, std::suspend_never(), stops);
  channel<connection> first;
  first.member(st);
  first.member_template(st, [] {});
  channel<other_connection> second;
  second.member(st);

  auto generic = [](std::stop_token token, auto &to) -> task {
    while (!token.stop_requested()) {
      std::stop_callback on_stop(token, [&] { to.cancel(); }); // FLAG
      co_await to.receive();
    }
  };
  generic(st, peer);
  generic(st, other);
}
