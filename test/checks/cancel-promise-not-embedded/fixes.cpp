// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base and the adoption, in the usual shapes of a task type.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>

// CHECK-DAG: #include <cancel/slot_for.hpp>
// CHECK-DAG: #include <cancel/stop_frame.hpp>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

/// Started at once, awaited by nobody: the top of a chain.
struct detached {
  struct promise_type {
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};
// CHECK-LABEL: struct detached {
// CHECK-NEXT: {{^}}  struct promise_type : cancel::stop_frame {{{$}}

namespace nested_in_a_plain_class {

class task {
public:
  struct promise_type {
    std::coroutine_handle<> continuation = std::noop_coroutine();
    task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct awaiter {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
          return done.promise().continuation;
        }
        void await_resume() noexcept {}
      };
      return awaiter{};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  task(task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  ~task() {
    if (coroutine_)
      coroutine_.destroy();
  }

  struct awaiter {
    std::coroutine_handle<promise_type> child;
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) const noexcept {
      child.promise().continuation = parent;
      return child;
    }
    void await_resume() const noexcept {}
  };
  awaiter operator co_await() const noexcept { return {coroutine_}; }

private:
  std::coroutine_handle<promise_type> coroutine_;
};
// CHECK-LABEL: namespace nested_in_a_plain_class
// CHECK: {{^}}  struct promise_type : cancel::stop_frame {{{$}}
// CHECK: {{^}}    bool await_ready() const noexcept { return false; }
// CHECK-NEXT: {{^}}    template <class Promise>{{$}}
// CHECK-NEXT: {{^}}    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> parent) const noexcept {{{$}}
// CHECK-NEXT: {{^}}      child.promise().adopt(parent);{{$}}
// CHECK-NEXT: {{^}}      child.promise().continuation = parent;{{$}}

task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
// CHECK-LABEL: task read
// CHECK-NEXT: auto &&cancel_slot = co_await cancel::slot_for(st);
// CHECK-NEXT: cancel::stop_guard on_stop(cancel_slot,

task session(connection &peer, std::stop_token st) { co_await read(peer, st); }

detached serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await session(peer, st);
}
// CHECK-LABEL: detached serve
// CHECK-NEXT: {{\[\[}}maybe_unused]] auto &&cancel_slot = co_await cancel::slot_for(st);

} // namespace nested_in_a_plain_class
