// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that register and do not suspend while registered, for reasons other than lifetime: nothing is reported.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "task.h"

#include <functional>

void not_a_coroutine(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    ++stops;
  }
}

task never_suspends_while_registered(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    ++stops;
  }
  co_return;
}

task suspend_never(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    co_await std::suspend_never();
  }
}

task only_the_lambda_suspends(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    auto later = []() -> task { co_await tick(); };
    later();
  }
  co_return;
}

task only_the_local_class_suspends(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    struct worker {
      task run() { co_await tick(); }
    };
    worker().run();
  }
  co_return;
}

task only_the_lambda_registers(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    auto once = [&] { std::stop_callback on_stop(st, [&] { ++stops; }); };
    once();
    co_await tick();
  }
}

task the_lambda_has_no_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    auto one = [&]() -> task {
      std::stop_callback on_stop(st, [&] { peer.cancel(); });
      co_await peer.receive();
    };
    one();
    co_await tick();
  }
}

task temporary(std::stop_token st, std::function<void()> cancel) {
  while (!st.stop_requested()) {
    (void)std::stop_callback(st, cancel);
    co_await tick();
  }
}

task discarded_branch(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    if constexpr (sizeof(int) == 1)
      co_await tick();
  }
  co_return;
}

task polls(std::stop_token st, connection &peer) {
  while (!st.stop_requested())
    co_await peer.receive();
}

// A class that merely shares the name registers nothing.
namespace app {
template <typename F>
struct stop_callback {
  stop_callback(std::stop_token, F) {}
};
} // namespace app

task another_stop_callback(std::stop_token st, int &stops) {
  while (!st.stop_requested()) {
    app::stop_callback on_stop(st, [&] { ++stops; });
    co_await tick();
  }
}
