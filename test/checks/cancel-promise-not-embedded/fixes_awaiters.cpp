// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What await_suspend may do with the task and with the handle that it is given.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>
#include <vector>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

template <class Self>
struct promise_of {
  std::coroutine_handle<> continuation = std::noop_coroutine();
  Self get_return_object() {
    return Self{std::coroutine_handle<typename Self::promise_type>::from_promise(
        static_cast<typename Self::promise_type &>(*this))};
  }
  struct lazily {
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) noexcept {}
    void await_resume() noexcept {}
  };
  lazily initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { std::terminate(); }
};
// CHECK: struct promise_of : cancel::stop_frame {

#define CHAIN                                                                                                          \
  task read(connection &peer, std::stop_token st) {                                                                    \
    auto &&slot = co_await cancel::slot_for(st);                                                                       \
    cancel::stop_guard on_stop(slot, [&] { peer.cancel(); });                                                          \
    co_await peer.receive();                                                                                           \
  }                                                                                                                    \
  task serve(connection &peer, std::stop_token st) {                                                                   \
    [[maybe_unused]] auto &&slot = co_await cancel::slot_for(st);                                                      \
    while (!st.stop_requested())                                                                                       \
      co_await read(peer, st);                                                                                         \
  }

#include <cancel/slot_for.hpp>

namespace tests_whether_there_is_a_task {
struct task {
  struct promise_type : promise_of<task> {};
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
    if (!coroutine)
      return h;
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
// CHECK-LABEL: namespace tests_whether
// CHECK: {{^}}  template <class Promise>
// CHECK-NEXT: std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
// CHECK-NEXT: if (!coroutine)
// CHECK-NEXT: return h;
// CHECK-NEXT: {{^}}    coroutine.promise().adopt(h);
CHAIN
} // namespace tests_whether_there_is_a_task

namespace deduces_from_the_handle {
template <class Handle>
Handle keep(const Handle &h) { return h; }
struct waiter {
  std::coroutine_handle<> handle;
  int n;
};
struct task {
  struct promise_type : promise_of<task> {};
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  auto await_suspend(std::coroutine_handle<void> h) {
    auto copy = h;
    copy = std::noop_coroutine();
    const std::coroutine_handle<> same = h;
    waiter w{h, 1};
    std::vector<std::coroutine_handle<>> all;
    all.push_back(h);
    all.emplace_back(h);
    copy = coroutine ? h : std::noop_coroutine();
    copy = keep(h);
    coroutine.promise().continuation = std::move(h);
    if (!coroutine || h.done() || h == same || !h.address())
      return h;
    return std::coroutine_handle<>(std::exchange(coroutine, {}));
  }
  void await_resume() {}
};
// CHECK-LABEL: namespace deduces_from_the_handle
// CHECK: {{^}}  template <class Promise>
// CHECK-NEXT: auto await_suspend(std::coroutine_handle<Promise> h) {
// CHECK-NEXT: auto copy = std::coroutine_handle<void>(h);
// CHECK-NEXT: copy = std::noop_coroutine();
// CHECK-NEXT: const std::coroutine_handle<> same = h;
// CHECK-NEXT: waiter w{h, 1};
// CHECK-NEXT: std::vector<std::coroutine_handle<>> all;
// CHECK-NEXT: all.push_back(h);
// CHECK-NEXT: all.emplace_back(std::coroutine_handle<void>(h));
// CHECK-NEXT: copy = coroutine ? std::coroutine_handle<void>(h) : std::noop_coroutine();
// CHECK-NEXT: {{^}}    coroutine.promise().adopt(h);
// CHECK-NEXT: copy = keep(std::coroutine_handle<void>(h));
// CHECK-NEXT: coroutine.promise().continuation = std::move(h);
// CHECK-NEXT: if (!coroutine || h.done() || h == same || !h.address())
// CHECK-NEXT: return std::coroutine_handle<void>(h);
CHAIN
} // namespace deduces_from_the_handle

namespace one_line {
struct task {
  struct promise_type : promise_of<task> {};
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { coroutine.promise().continuation = h; coroutine(); }
  void await_resume() {}
};
// CHECK-LABEL: namespace one_line
// CHECK: {{^}}  template <class Promise>
// CHECK-NEXT: void await_suspend(std::coroutine_handle<Promise> h) { coroutine.promise().adopt(h); coroutine.promise().continuation = h; coroutine(); }
CHAIN
} // namespace one_line

namespace tells_its_promise_already {
struct task {
  struct promise_type : promise_of<task> {};
  std::coroutine_handle<promise_type> coroutine;
  auto operator co_await() {
    struct awaiter { // a local class, but there is nothing to deduce
      std::coroutine_handle<promise_type> child;
      bool await_ready() { return false; }
      auto await_suspend(std::coroutine_handle<promise_type> h) noexcept {
        child.promise().continuation = h;
        return child;
      }
      void await_resume() {}
    };
    return awaiter{coroutine};
  }
};
// CHECK-LABEL: namespace tells_its_promise_already
// CHECK-NOT: template
// CHECK: auto await_suspend(std::coroutine_handle<promise_type> h) noexcept {
// CHECK-NEXT: {{^}}        child.promise().adopt(h);
// CHECK-NEXT: child.promise().continuation = h;
CHAIN
} // namespace tells_its_promise_already

namespace defined_outside {
struct task {
  struct promise_type : promise_of<task> {};
  std::coroutine_handle<promise_type> coroutine;
  struct awaiter {
    promise_type *promise;
    std::coroutine_handle<> start;
    bool await_ready() { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P>);
    void await_resume() {}
  };
  awaiter operator co_await() { return {&coroutine.promise(), coroutine}; }
};

template <class P>
std::coroutine_handle<> task::awaiter::await_suspend(std::coroutine_handle<P>) {
  return start;
}
// CHECK-LABEL: namespace defined_outside
// CHECK: std::coroutine_handle<> task::awaiter::await_suspend(std::coroutine_handle<P> parent) {
// CHECK-NEXT: {{^}}  promise->adopt(parent);
CHAIN
} // namespace defined_outside

namespace embedded_but_not_adopting {
struct task {
  struct promise_type : cancel::stop_frame {
    std::coroutine_handle<> continuation;
    task get_return_object() { return {this}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  promise_type *promise;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<promise_type> h) {
    promise->continuation = h;
    std::coroutine_handle<promise_type>::from_promise(*promise).resume();
  }
  void await_resume() {}
};
// CHECK-LABEL: namespace embedded_but_not_adopting
// CHECK: struct promise_type : cancel::stop_frame {
// CHECK: void await_suspend(std::coroutine_handle<promise_type> h) {
// CHECK-NEXT: {{^}}    promise->adopt(h);
CHAIN
} // namespace embedded_but_not_adopting
