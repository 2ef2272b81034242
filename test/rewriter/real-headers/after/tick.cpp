// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cancel/stop_slot.hpp>
#include <coroutine>
#include <stop_token>

struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

task tick(std::stop_token st, int &ticks) {
  cancel::stop_slot cancel_slot(st);
  while (!st.stop_requested()) {
    cancel::stop_guard on_stop(cancel_slot, [&ticks] { ticks = 0; });
    co_await std::suspend_always();
  }
}
