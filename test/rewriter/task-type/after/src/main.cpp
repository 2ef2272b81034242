// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "connection.h"

#include <cancel/slot_for.hpp>
#include <cstdio>

static task<> serve(connection &peer, std::stop_token st) {
  int sum = 0;
  [[maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);
  while (!st.stop_requested()) {
    const int number = co_await peer.read(st);
    std::printf("got %d\n", number);
    sum += number;
  }
  std::printf("stopped at %d\n", sum);
}

int main() {
  connection peer;
  std::stop_source source;
  task<> session = serve(peer, source.get_token());
  session.start();
  for (int i = 1; i <= 3; ++i)
    peer.arrive(i);
  source.request_stop();
  std::printf(session.done() ? "done\n" : "hangs\n");
}
