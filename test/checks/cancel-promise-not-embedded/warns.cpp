// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One finding for each promise on the way from a loop to a registration, and one for each awaiter that starts a task without
// handing the slot down.
// RUN: %flags %s -- %mock
// RUN: %tidy %s -- %mock | FileCheck %s
#include <coroutine>
#include <stop_token>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

struct task {
  struct promise_type { // FLAG
    std::coroutine_handle<> continuation;
    task get_return_object();
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  // CHECK: [[#@LINE-8]]:10: warning: promise 'task::promise_type' hands no slot down, so 'read', which a loop calls, registers on every call; derive it from cancel::stop_frame, and call adopt where its coroutines are awaited [cancel-promise-not-embedded]
  // CHECK: [[#READ:]]:{{.*}}: note: 'read' registers here
  // CHECK: [[#WRITE:]]:{{.*}}: note: 'write' registers here
  // CHECK: [[#LOOP:]]:{{.*}}: note: this loop calls 'session' on every turn

  struct awaiter {
    std::coroutine_handle<promise_type> child;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) { // FLAG
      child.promise().continuation = parent;
      return child;
    }
    void await_resume() {}
  };
  // CHECK: [[#@LINE-6]]:29: warning: await_suspend of 'task::awaiter' starts a coroutine without handing it the slots of the one that awaits it; call adopt before [cancel-promise-not-embedded]
  // CHECK: note: fixed with line 15

  std::coroutine_handle<promise_type> coroutine;
  awaiter operator co_await() const { return {coroutine}; }
};

struct detached {
  struct promise_type { // FLAG
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
// CHECK: [[#@LINE-8]]:10: warning: promise 'detached::promise_type' has no slot to hand down, so 'read', which a loop of its coroutines calls, registers on every call; derive it from cancel::stop_frame [cancel-promise-not-embedded]

// CHECK: [[#READ]]:{{.*}}: warning: stop callback 'on_stop' is registered on every call
task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
  co_await peer.receive();
}

task write(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); }); // FLAG
  co_await peer.receive();
}

task session(connection &peer, std::stop_token st) {
  co_await read(peer, st);
  co_await write(peer, st);
}

detached serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await session(peer, st); // FLAG
}
// CHECK: [[#LOOP]]:{{.*}}: warning: this loop calls 'session'
