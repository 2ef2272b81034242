// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the promise and the awaiter may stand.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

struct resume_continuation {
  bool await_ready() noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
    return done.promise().continuation;
  }
  void await_resume() noexcept {}
};

namespace nested_in_a_template {

template <typename T>
class task {
public:
  struct promise_type {
    std::coroutine_handle<> continuation = std::noop_coroutine();
    T value{};
    task get_return_object() { return task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    resume_continuation final_suspend() noexcept { return {}; }
    void return_value(T given) { value = given; }
    void unhandled_exception() { std::terminate(); }
  };

  auto operator co_await() & noexcept { return awaiter{this}; }
  auto operator co_await() && noexcept { return awaiter{this}; }

private:
  struct awaiter {
    task *child;
    bool await_ready() const noexcept { return false; }
    auto await_suspend(std::coroutine_handle<> awaiting) noexcept -> std::coroutine_handle<> {
      child->coroutine_.promise().continuation = awaiting;
      return child->coroutine_;
    }
    T await_resume() const { return child->coroutine_.promise().value; }
  };

  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  std::coroutine_handle<promise_type> coroutine_;
};
// CHECK-LABEL: namespace nested_in_a_template
// CHECK: {{^}}  struct promise_type : cancel::stop_frame {{{$}}
// CHECK: {{^}}    template <class Promise>
// CHECK-NEXT: {{^}}    auto await_suspend(std::coroutine_handle<Promise> awaiting) noexcept -> std::coroutine_handle<> {
// CHECK-NEXT: {{^}}      child->coroutine_.promise().adopt(awaiting);

task<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
  co_return 1;
}

task<long> serve(connection &peer, std::stop_token st) {
  long all = 0;
  while (!st.stop_requested())
    all += co_await read(peer, st);
  co_return all;
}

} // namespace nested_in_a_template

namespace beside_the_task {

class task;

class task_promise final {
public:
  task get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  resume_continuation final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { std::terminate(); }
  std::coroutine_handle<> continuation = std::noop_coroutine();
};
// CHECK-LABEL: namespace beside_the_task
// CHECK: {{^}}class task_promise final : public cancel::stop_frame {{{$}}

using handle = std::coroutine_handle<task_promise>;
using any_handle = std::coroutine_handle<>;

// The task is its own awaiter.
class task {
public:
  using promise_type = task_promise;
  explicit task(handle h) : h_(h) {}
  bool await_ready() const { return h_.done(); }
  void await_suspend(any_handle parent) {
    // The recursive form.
    h_.promise().continuation = parent;
    h_.resume();
  }
  // CHECK: {{^}}  template <class Promise>
  // CHECK-NEXT: {{^}}  void await_suspend(std::coroutine_handle<Promise> parent) {
  // CHECK-NEXT: {{^}}    h_.promise().adopt(parent);
  // CHECK-NEXT: {{^}}    // The recursive form.
  void await_resume() {}

private:
  handle h_;
};

task task_promise::get_return_object() { return task(handle::from_promise(*this)); }

task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}

task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}

} // namespace beside_the_task

namespace crtp {

struct counted {
  int count = 0;
};

template <class Promise>
struct promise_base : public counted {
  std::coroutine_handle<> continuation = std::noop_coroutine();
  std::suspend_always initial_suspend() noexcept { return {}; }
  resume_continuation final_suspend() noexcept { return {}; }
  void unhandled_exception() { std::terminate(); }
  auto handle() { return std::coroutine_handle<Promise>::from_promise(static_cast<Promise &>(*this)); }
};
// CHECK-LABEL: namespace crtp
// CHECK: {{^}}template <class Promise>
// CHECK-NEXT: {{^}}struct promise_base : public counted, public cancel::stop_frame {{{$}}

struct task {
  struct promise_type : promise_base<promise_type> {
    task get_return_object() { return {this}; }
    void return_void() {}
  };
  // CHECK: {{^}}  struct promise_type : promise_base<promise_type> {{{$}}

  promise_type *promise;
};

// The awaiter knows the promise, and starts a handle that it makes.
struct task_awaiter {
  task::promise_type &child;
  bool await_ready() { return false; }
  [[nodiscard]] std::coroutine_handle<> await_suspend(const std::coroutine_handle<> &parent) {
    child.continuation = parent;
    return std::coroutine_handle<task::promise_type>::from_promise(child);
  }
  // CHECK: {{^}}  template <class Promise>
  // CHECK-NEXT: {{^}}  {{\[\[}}nodiscard]] std::coroutine_handle<> await_suspend(const std::coroutine_handle<Promise> &parent) {
  // CHECK-NEXT: {{^}}    child.adopt(parent);
  void await_resume() {}
};

task_awaiter operator co_await(task t) { return {*t.promise}; }

task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}

task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}

} // namespace crtp

namespace by_traits {

struct outcome {
  void *coroutine;
};

struct outcome_promise
{
  std::coroutine_handle<> continuation = std::noop_coroutine();
  outcome get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  resume_continuation final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { std::terminate(); }
};
// CHECK-LABEL: namespace by_traits
// CHECK: {{^}}struct outcome_promise : cancel::stop_frame{{$}}
// CHECK-NEXT: {{^}}{{{$}}

using outcome_handle = std::coroutine_handle<outcome_promise>;
outcome outcome_promise::get_return_object() { return {outcome_handle::from_promise(*this).address()}; }

struct outcome_awaiter {
  void *address;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> Promise) {
    auto child = outcome_handle::from_address(address);
    child.promise().continuation = Promise;
    return child;
  }
  // CHECK: {{^}}  template <class ParentPromise>
  // CHECK-NEXT: {{^}}  std::coroutine_handle<> await_suspend(std::coroutine_handle<ParentPromise> Promise) {
  // CHECK-NEXT: {{^}}    auto child = outcome_handle::from_address(address);
  // CHECK-NEXT: {{^}}    child.promise().adopt(Promise);
  void await_resume() {}
};

inline outcome_awaiter operator co_await(const outcome &o) { return {o.coroutine}; }

} // namespace by_traits

template <class... Args>
struct std::coroutine_traits<by_traits::outcome, Args...> {
  using promise_type = by_traits::outcome_promise;
};

namespace by_traits {

outcome read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}

outcome serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}

} // namespace by_traits
