// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses every part of the library, for compilers and options that the tests do not run under. It
// also runs, without a test framework.
#include <cancel/cancel.hpp>

#include <coroutine>
#include <optional>
#include <stop_token>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

int failures = 0;
void expect(bool holds) { failures += !holds; }

struct session {
  struct promise_type : cancel::stop_frame {
    session get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct claimed_wait {
  cancel::stop_claim &claim;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> coroutine) const noexcept {
    return claim.suspend(coroutine);
  }
  cancel::wake_reason await_resume() const noexcept { return claim.reason(); }
};

session waits_on_its_frame(cancel::stop_claim &claim, int &runs) {
  cancel::stop_frame &frame = co_await cancel::this_stop_frame();
  cancel::stop_guard guard(frame, [&] { ++runs; });
  const cancel::wake_reason reason = co_await claimed_wait{claim};
  runs += reason == cancel::wake_reason::completed;
}

session waits_in_a_list(cancel::wait_list &waiters, int &runs) {
  const cancel::wake_reason reason = co_await waiters.wait();
  runs += reason == cancel::wake_reason::stopped;
}

template <class Token>
cancel::task<int> helps(Token token, cancel::poll_event &wanted, int &runs) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  cancel::stop_guard guard(cancel_slot, [&] { ++runs; });
  const cancel::wake_reason reason = co_await wanted.wait(token);
  co_return reason == cancel::wake_reason::stopped;
}

template <class Token>
cancel::task<> awaits_everything(Token token, cancel::poll_event &wanted, int &runs) {
  auto &&cancel_slot = co_await cancel::slot_for(token);
  cancel::stop_guard guard(cancel_slot, [&] { ++runs; });
  int &same = runs;
  same += co_await helps(token, wanted, runs); // by the event: 0
  const auto both = co_await cancel::when_all(
      helps(token, wanted, runs), [](int &ref) -> cancel::task<int &> { co_return ref; }(runs));
  expect(&std::get<1>(both).get() == &runs);
  const auto first = co_await cancel::when_any(
      token, [&](cancel::inplace_stop_token st) { return helps(st, wanted, runs); });
  expect(std::get<0>(first) == 1); // stopped
  const std::optional<int> stopped = co_await cancel::stop_or(helps(token, wanted, runs), token);
  expect(!stopped);
  co_await cancel::until_stopped(token);
}

template <class Source>
void use_tasks() {
  Source source;
  cancel::poll_event wanted;
  int runs = 0;
  const cancel::task<> whole = awaits_everything(source.get_token(), wanted, runs);
  whole.start();
  wanted.set();
  wanted.set();
  expect(!whole.done());
  source.request_stop();
  expect(whole.done());
}

template <class Source>
void use_source() {
  use_tasks<Source>();
  static_assert(cancel::stoppable_source<Source>);
  Source source;
  const auto token = source.get_token();
  using token_type = decltype(source.get_token());
  static_assert(cancel::stoppable_token<token_type>);
  int runs = 0;
  const auto count = [&] { ++runs; };
  cancel::stop_callback_for_t<token_type, decltype(count)> callback(token, count);
  auto wake = []() noexcept {};
  cancel::local_stop_queue queue(wake);
  cancel::stop_slot local(token, queue);
  cancel::stop_slot slot(token);
  cancel::stop_slot shared(token, cancel::stop_policy::shared);
  cancel::stop_slot asymmetric(token, cancel::stop_policy::asymmetric);
  for (int i = 0; i < 6'000; ++i)
    cancel::stop_guard passing(slot, [] {});
  cancel::stop_guard on_local(local, count);
  cancel::stop_guard on_slot(slot, count);
  cancel::stop_guard on_shared(shared, count);
  cancel::stop_guard on_asymmetric(asymmetric, count);
  cancel::std_stop_bridge bridge(token);
  std::stop_source foreign;
  cancel::stop_on_std_token pass_on(foreign.get_token(), source);
  expect(!slot.stop_requested());
  foreign.request_stop();
  expect(queue.run() == 0);
  expect(runs == 5);
  expect(token.stop_requested() && token.stop_possible() && bridge.get_token().stop_requested());
}

} // namespace

int main() {
  use_source<std::stop_source>();
  use_source<cancel::stop_source>();
  use_source<cancel::inplace_stop_source>();
  use_source<cancel::sharded_stop_source<2>>();

  int runs = 0;
  cancel::stop_claim claim;
  const session task = waits_on_its_frame(claim, runs);
  expect(cancel::request_stop(task.handle));
  claim.complete().resume();
  cancel::wait_list waiters;
  waits_in_a_list(waiters, runs);
  expect(waiters.request_stop());
  expect(runs == 3);

  cancel::stop_flag flag;
  expect(!flag.should_stop() && flag.request_stop() && flag.stop_requested() && flag.should_stop());
  std::vector<std::coroutine_handle<>> batch(20, std::noop_coroutine());
  cancel::resume_all(batch);
  expect(batch.empty());
  cancel::stop_slot never{cancel::never_stop_token()};
  cancel::stop_guard guard(never, [] {});
  cancel::asymmetric_thread_fence_light(std::memory_order_seq_cst);
  cancel::asymmetric_thread_fence_heavy(std::memory_order_seq_cst);
  return failures;
}
