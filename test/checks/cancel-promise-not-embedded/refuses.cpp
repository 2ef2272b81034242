// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task types that cannot be rewritten: each is reported with the reason, and --fix leaves them alone.
// RUN: %tidy %s --checks='-*,cancel-promise-not-embedded' -- %cxx | FileCheck %s
// RUN: cp %s %t.cpp && %tidy --checks='-*,cancel-promise-not-embedded' --fix %t.cpp -- %cxx && diff %s %t.cpp
#include <cancel/slot_for.hpp>

#include <coroutine>
#include <stop_token>

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

template <class Self>
struct lazy {
  std::coroutine_handle<> continuation;
  Self get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};

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

namespace goes_on_beside_the_task {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: [[#@LINE-1]]:10: warning: promise 'goes_on_beside_the_task::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend returns 'bool', so the awaiting coroutine may go on beside the task
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    coroutine.resume();
    return !coroutine.done();
  }
  // CHECK: [[#@LINE-5]]:8: warning: await_suspend of 'goes_on_beside_the_task::task' starts a coroutine without
  // CHECK: note: not rewritten: await_suspend returns 'bool'
  void await_resume() {}
};
CHAIN
} // namespace goes_on_beside_the_task

namespace runs_before_it_is_awaited {
struct task {
  struct promise_type {
    std::coroutine_handle<> continuation;
    task get_return_object();
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  // CHECK: [[#@LINE-8]]:10: warning: promise 'runs_before_it_is_awaited::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: its coroutines may run before they are awaited: initial_suspend does not give std::suspend_always
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { coroutine.promise().continuation = h; }
  // CHECK: note: not rewritten: await_suspend neither resumes nor returns the task's handle, so the task may be running already or run elsewhere
  void await_resume() {}
};
CHAIN
} // namespace runs_before_it_is_awaited

namespace runs_elsewhere {
void post(std::coroutine_handle<>);
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'runs_elsewhere::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend neither resumes nor returns the task's handle
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    post(coroutine);
  }
  void await_resume() {}
};
CHAIN
} // namespace runs_elsewhere

namespace class_in_a_function {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'class_in_a_function::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: the awaiter is a class in a function, which can have no member template: take it out of the function
  std::coroutine_handle<promise_type> coroutine;
  auto operator co_await() {
    struct awaiter {
      std::coroutine_handle<promise_type> child;
      bool await_ready() { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
        child.promise().continuation = h;
        return child;
      }
      void await_resume() {}
    };
    return awaiter{coroutine};
  }
};
CHAIN
} // namespace class_in_a_function

namespace virtual_function {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'virtual_function::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend is virtual, so it cannot take the handle of any promise
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  virtual std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
CHAIN
} // namespace virtual_function

namespace defined_outside {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'defined_outside::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend is defined outside of its class
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h);
  void await_resume() {}
};
std::coroutine_handle<> task::await_suspend(std::coroutine_handle<> h) {
  coroutine.promise().continuation = h;
  return coroutine;
}
CHAIN
} // namespace defined_outside

namespace defined_elsewhere {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'defined_elsewhere::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: the body of its await_suspend is not seen here
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h);
  void await_resume() {}
};
CHAIN
} // namespace defined_elsewhere

namespace members_of_its_own {
struct with_flag {
  bool stop_requested() const { return false; }
};
struct task {
  struct promise_type : lazy<task>, with_flag {};
  // CHECK: warning: promise 'members_of_its_own::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: 'members_of_its_own::with_flag' has a member 'stop_requested' of its own, as cancel::stop_frame has
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) {
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
CHAIN
} // namespace members_of_its_own

namespace transforms_what_it_awaits {
struct task {
  struct promise_type : lazy<task> {
    task &await_transform(task &&t) { return t; }
    std::suspend_always await_transform(std::suspend_always) { return {}; }
  };
  // CHECK: warning: promise 'transforms_what_it_awaits::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: its await_transform does not take what cancel::slot_for returns
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) {
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
task serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}
} // namespace transforms_what_it_awaits

namespace made_by_macros {
#define PROMISE(BASE) struct promise_type : BASE {}
struct task {
  PROMISE(lazy<task>);
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
#define AWAIT_SUSPEND                                                                                                  \
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {                                                   \
    coroutine.promise().continuation = h;                                                                              \
    return coroutine;                                                                                                  \
  }
  AWAIT_SUSPEND
  // CHECK: [[#@LINE-1]]:3: warning: await_suspend of 'made_by_macros::task' starts a coroutine
  // CHECK: note: not rewritten: its await_suspend is made by a macro
  void await_resume() {}
};
CHAIN
} // namespace made_by_macros

namespace promise_made_by_a_macro {
#define WHOLE_PROMISE                                                                                                  \
  struct promise_type {                                                                                                \
    task get_return_object();                                                                                          \
    std::suspend_always initial_suspend() noexcept { return {}; }                                                      \
    std::suspend_always final_suspend() noexcept { return {}; }                                                        \
    void return_void() {}                                                                                              \
    void unhandled_exception() {}                                                                                      \
    std::coroutine_handle<> continuation;                                                                              \
  };
struct task {
  WHOLE_PROMISE
  // CHECK: [[#@LINE-1]]:3: warning: promise 'promise_made_by_a_macro::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: 'promise_made_by_a_macro::task::promise_type' is made by a macro
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    return coroutine;
  }
  // CHECK: [[#@LINE-4]]:27: warning: await_suspend
  // CHECK: note: not rewritten: 'promise_made_by_a_macro::task::promise_type' is made by a macro
  void await_resume() {}
};
CHAIN
} // namespace promise_made_by_a_macro

namespace needs_the_erased_handle {
void swap_in(std::coroutine_handle<> &);
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'needs_the_erased_handle::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: what line [[#@LINE+5]] does with 'h' needs a std::coroutine_handle<>
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    swap_in(h);
    return coroutine;
  }
  void await_resume() {}
};
CHAIN
} // namespace needs_the_erased_handle

namespace tests_where_it_starts {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'tests_where_it_starts::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend tests whether there is a task where it starts it
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) {
    if (coroutine.address()) // says nothing
      h.done();
    if (coroutine != std::coroutine_handle<promise_type>()) {
      coroutine.promise().continuation = h;
      return coroutine;
    }
    return h;
  }
  void await_resume() {}
};
CHAIN
} // namespace tests_where_it_starts

namespace names_no_promise {
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'names_no_promise::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend names no promise of the task that it starts
  std::coroutine_handle<> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type>) { return coroutine; }
  void await_resume() {}
};
CHAIN
} // namespace names_no_promise

namespace sets_its_handle {
std::coroutine_handle<lazy<int>> make();
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'sets_its_handle::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: await_suspend sets the task's handle itself
  std::coroutine_handle<promise_type> coroutine;
  static std::coroutine_handle<promise_type> start();
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) {
    coroutine = start();
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
CHAIN
} // namespace sets_its_handle

namespace behind_one_that_is_not_rewritten {
struct eager {
  struct promise_type {
    std::coroutine_handle<> continuation;
    eager get_return_object();
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  promise_type *promise;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { promise->continuation = h; }
  void await_resume() {}
};
struct task {
  struct promise_type : lazy<task> {};
  // CHECK: warning: promise 'behind_one_that_is_not_rewritten::task::promise_type' hands no slot down
  // CHECK: note: not rewritten: no slot would come this far: each way leads through 'behind_one_that_is_not_rewritten::eager::promise_type', which is not rewritten
  std::coroutine_handle<promise_type> coroutine;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
    coroutine.promise().continuation = h;
    return coroutine;
  }
  void await_resume() {}
};
task read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
eager session(connection &peer, std::stop_token st) { co_await read(peer, st); }
eager serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await session(peer, st);
}
} // namespace behind_one_that_is_not_rewritten
