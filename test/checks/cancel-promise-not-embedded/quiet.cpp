// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promises that nobody misses a slot in, and those that hand it down already.
// RUN: %flags %s -- %cxx
#include <cancel/cancel.hpp>

#include <coroutine>
#include <stop_token>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

/// Made here for each case, so that none speaks for another.
#define TASK(NAME)                                                                                                     \
  struct NAME {                                                                                                        \
    struct promise_type {                                                                                              \
      std::coroutine_handle<> continuation;                                                                            \
      NAME get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }                  \
      std::suspend_always initial_suspend() noexcept { return {}; }                                                    \
      std::suspend_always final_suspend() noexcept { return {}; }                                                      \
      void return_void() {}                                                                                            \
      void unhandled_exception() {}                                                                                    \
    };                                                                                                                 \
    std::coroutine_handle<promise_type> coroutine;                                                                     \
    bool await_ready() { return false; }                                                                               \
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) {                                            \
      coroutine.promise().continuation = parent;                                                                       \
      return coroutine;                                                                                                \
    }                                                                                                                  \
    void await_resume() {}                                                                                             \
  };

namespace nothing_registers {
TASK(task)
task read(connection &peer, std::stop_token) { co_await peer.receive(); }
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}
} // namespace nothing_registers

namespace no_loop_calls {
TASK(task)
task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  co_await read(peer, st);
  co_await read(peer, st);
}
} // namespace no_loop_calls

namespace not_across_a_suspension {
TASK(task)
task read(connection &peer, std::stop_token st) {
  {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
  }
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}
} // namespace not_across_a_suspension

namespace registers_with_a_token_of_its_own {
TASK(task)
task read(connection &peer) {
  std::stop_source source;
  std::stop_callback on_stop(source.get_token(), [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer);
}
} // namespace registers_with_a_token_of_its_own

namespace another_token_on_each_turn {
TASK(task)
task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_source *sources, int n) {
  for (int i = 0; i < n; ++i)
    co_await read(peer, sources[i].get_token());
}
} // namespace another_token_on_each_turn

namespace the_runtimes_task {
cancel::task<> read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
cancel::task<> serve(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  while (!slot.stop_requested())
    co_await read(peer, st);
}
} // namespace the_runtimes_task

namespace hands_it_down_already {
struct promise_base : cancel::stop_frame {
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
};
struct task {
  struct promise_type : promise_base {
    std::coroutine_handle<> continuation;
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) {
    auto &promise = coroutine.promise();
    promise.adopt(parent);
    promise.continuation = parent;
    return coroutine;
  }
  void await_resume() {}
};
task read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  while (!slot.stop_requested())
    co_await read(peer, st);
}
} // namespace hands_it_down_already

namespace embedded_and_only_at_the_top {
struct detached {
  struct promise_type : cancel::stop_frame {
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
cancel::task<> read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
detached serve(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  while (!slot.stop_requested())
    co_await read(peer, st);
}
} // namespace embedded_and_only_at_the_top

// A generator never uses the slots of others, so those below it and above it gain nothing.
namespace through_a_generator {
struct generator {
  struct promise_type {
    std::coroutine_handle<> continuation;
    generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int) { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> parent) {
    coroutine.promise().continuation = parent;
    coroutine.resume();
  }
  void await_resume() {}
};
TASK(task)
task read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
generator numbers(connection &peer, std::stop_token st) {
  while (!st.stop_requested()) {
    co_await read(peer, st);
    co_yield 1;
  }
}
} // namespace through_a_generator

// What is started and not awaited runs beside its starter.
namespace started_elsewhere {
TASK(task)
void spawn(task);
task read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested()) {
    spawn(read(peer, st));
    co_await peer.receive();
  }
}
} // namespace started_elsewhere

namespace silenced {
struct task {
  struct promise_type { // NOLINT(cancel-promise-not-embedded)
    std::coroutine_handle<> continuation;
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> parent) {
    coroutine.promise().continuation = parent;
    coroutine.resume();
  }
  void await_resume() {}
};
task read(connection &peer, std::stop_token st) {
  auto &&slot = co_await cancel::slot_for(st);
  cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}
} // namespace silenced
