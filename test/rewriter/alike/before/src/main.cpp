// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the session once for each step at which a stop can come, and prints what happens.
#include "helpers.h"

#include <functional>

template <class T>
static void show(const char *what, const T &result) {
  std::cout << "  " << what << ' ' << result << '\n';
}

// The loops; the last has a callback of its own.
static task<int> session(channel &from, std::stop_token st) {
  for (int turn = 0; turn < 2; ++turn)
    show("read", co_await read(from, st));
  try {
    for (int turn = 0; turn < 2; ++turn)
      show("line", co_await read_line(from, st));
  } catch (const std::exception &e) {
    std::cout << "  " << e.what() << '\n';
  }
  for (int turn = 0; turn < 2; ++turn)
    show("timed", co_await read_with_timeout(from, st));
  int turns = 0;
  while (!st.stop_requested() && turns < 2) {
    std::stop_callback on_stop(st, [&] { from.cancel("session"); });
    show("twice", co_await read_twice(from, st));
    ++turns;
  }
  co_return turns;
}

int main() {
  bool stopped = true;
  for (int stop_at = 0; stopped; ++stop_at) {
    stopped = false;
    std::cout << "stop at " << stop_at << '\n';
    channel from;
    std::stop_source source;
    task<int> running = session(from, source.get_token());
    running.start();
    for (int step = 0; !running.done(); ++step) {
      if (step == stop_at)
        stopped = source.request_stop();
      std::exchange(from.waiting, nullptr).resume();
    }
    std::cout << "  ended with " << running.await_resume() << '\n';
  }
  // A session that is destroyed while it waits.
  channel from;
  std::stop_source source;
  {
    task<int> running = session(from, source.get_token());
    running.start();
    std::exchange(from.waiting, nullptr).resume();
  }
  std::cout << "destroyed\n";
  source.request_stop();
}
