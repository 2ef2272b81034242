// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promises that share a base and an awaiter, as cppcoro has them: one base clause serves all. Several awaiters derive from one.
// RUN: %fixed %s -o %t.cpp -- %cxx
// RUN: FileCheck %s < %t.cpp
#include <coroutine>
#include <exception>
#include <stop_token>
#include <utility>

template <typename T>
class task;

namespace detail {

class task_promise_base {
  friend struct final_awaitable;

  struct final_awaitable {
    bool await_ready() const noexcept { return false; }
    template <typename PROMISE>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<PROMISE> coroutine) noexcept {
      return coroutine.promise().m_continuation;
    }
    void await_resume() noexcept {}
  };

public:
  task_promise_base() noexcept {}
  auto initial_suspend() noexcept { return std::suspend_always{}; }
  auto final_suspend() noexcept { return final_awaitable{}; }
  void set_continuation(std::coroutine_handle<> continuation) noexcept { m_continuation = continuation; }

private:
  std::coroutine_handle<> m_continuation;
};

template <typename T>
class task_promise final : public task_promise_base {
public:
  task<T> get_return_object() noexcept;
  void unhandled_exception() noexcept { std::terminate(); }
  template <typename VALUE>
  void return_value(VALUE &&value) { m_value = static_cast<VALUE &&>(value); }
  T &result() & { return m_value; }
  T &&result() && { return std::move(m_value); }

private:
  T m_value{};
};

template <>
class task_promise<void> : public task_promise_base {
public:
  task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  void unhandled_exception() noexcept { std::terminate(); }
  void result() {}
};

} // namespace detail
// CHECK: {{^}}class task_promise_base : public cancel::stop_frame {{{$}}
// CHECK: {{^}}class task_promise final : public task_promise_base {{{$}}
// CHECK: {{^}}class task_promise<void> : public task_promise_base {{{$}}

template <typename T = void>
class [[nodiscard]] task {
public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;

private:
  struct awaitable_base {
    std::coroutine_handle<promise_type> m_coroutine;

    awaitable_base(std::coroutine_handle<promise_type> coroutine) noexcept : m_coroutine(coroutine) {}

    bool await_ready() const noexcept { return !m_coroutine || m_coroutine.done(); }

    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaitingCoroutine) noexcept {
      m_coroutine.promise().set_continuation(awaitingCoroutine);
      return m_coroutine;
    }
    // CHECK: {{^}}    template <typename Promise>
    // CHECK-NEXT: {{^}}    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> awaitingCoroutine) noexcept {
    // CHECK-NEXT: {{^}}      m_coroutine.promise().adopt(awaitingCoroutine);
    // CHECK-NEXT: {{^}}      m_coroutine.promise().set_continuation(awaitingCoroutine);
  };

public:
  explicit task(std::coroutine_handle<promise_type> coroutine) : m_coroutine(coroutine) {}
  task(task &&t) noexcept : m_coroutine(std::exchange(t.m_coroutine, nullptr)) {}
  ~task() {
    if (m_coroutine)
      m_coroutine.destroy();
  }

  auto operator co_await() const & noexcept {
    struct awaitable : awaitable_base {
      using awaitable_base::awaitable_base;
      decltype(auto) await_resume() { return this->m_coroutine.promise().result(); }
    };
    return awaitable{m_coroutine};
  }

  auto operator co_await() const && noexcept {
    struct awaitable : awaitable_base {
      using awaitable_base::awaitable_base;
      decltype(auto) await_resume() { return std::move(this->m_coroutine.promise()).result(); }
    };
    return awaitable{m_coroutine};
  }

private:
  std::coroutine_handle<promise_type> m_coroutine;
};

namespace detail {

template <typename T>
task<T> task_promise<T>::get_return_object() noexcept {
  return task<T>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

inline task<void> task_promise<void>::get_return_object() noexcept {
  return task<void>{std::coroutine_handle<task_promise>::from_promise(*this)};
}

} // namespace detail

struct connection {
  void cancel() {}
  std::suspend_always receive() { return {}; }
};

task<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
  co_return 1;
}

task<> serve(connection &peer, std::stop_token st) {
  while (!st.stop_requested())
    co_await read(peer, st);
}
