// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many bytes of its frame a coroutine pays for cancellation, as this compiler lays frames out.
#include <cancel/cancel.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <new>
#include <stop_token>

namespace {

std::size_t frame_size = 0;

struct nothing {};

template <class Base>
struct measured {
  struct promise_type : Base {
    static void *operator new(std::size_t size) {
      frame_size = size;
      return ::operator new(size);
    }
    static void operator delete(void *memory) { ::operator delete(memory); }
    measured get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {}
  };
};
using plain = measured<nothing>;
using stoppable = measured<cancel::stop_frame>;

struct wait {
  std::coroutine_handle<> &waiter;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) const noexcept { waiter = handle; }
  void await_resume() const noexcept {}
};

// The tokens come by reference, so that only what the line adds is measured.

plain awaits(std::coroutine_handle<> &waiter, void *) {
  for (int i = 0; i < 2; ++i)
    co_await wait{waiter};
}

template <class Token>
plain registers_each_time(std::coroutine_handle<> &waiter, const Token &token, void *captured) {
  for (int i = 0; i < 2; ++i) {
    const auto on_stop = [captured] { static_cast<void>(captured); };
    cancel::stop_callback_for_t<Token, decltype(on_stop)> callback(token, on_stop);
    co_await wait{waiter};
  }
}

template <class Token>
plain has_a_slot(std::coroutine_handle<> &waiter, const Token &token, void *) {
  cancel::stop_slot slot(token);
  for (int i = 0; i < 2; ++i)
    co_await wait{waiter};
}

template <class Token>
plain arms_each_time(std::coroutine_handle<> &waiter, const Token &token, void *captured) {
  cancel::stop_slot slot(token);
  for (int i = 0; i < 2; ++i) {
    cancel::stop_guard guard(slot, [captured] { static_cast<void>(captured); });
    co_await wait{waiter};
  }
}

template <class Token>
stoppable finds_a_slot(std::coroutine_handle<> &waiter, const Token &token, void *captured) {
  auto &&slot = co_await cancel::slot_for(token);
  for (int i = 0; i < 2; ++i) {
    cancel::stop_guard guard(slot, [captured] { static_cast<void>(captured); });
    co_await wait{waiter};
  }
}

stoppable arms_on_its_frame(std::coroutine_handle<> &waiter, void *captured) {
  cancel::stop_frame &frame = co_await cancel::this_stop_frame();
  for (int i = 0; i < 2; ++i) {
    cancel::stop_guard guard(frame, [captured] { static_cast<void>(captured); });
    co_await wait{waiter};
  }
}

template <class F>
std::size_t size_of_frame(F start) {
  std::coroutine_handle<> waiter;
  start(waiter);
  const std::size_t size = frame_size;
  waiter.resume();
  waiter.resume();
  return size;
}

bool within_bounds = true;
void report(const char *what, std::size_t size, std::size_t bare, std::size_t bound) {
  const std::size_t growth = size - bare;
  std::printf("%-44s %4zu  +%zu (at most %zu)\n", what, size, growth, bound);
  within_bounds &= growth <= bound;
}

template <class Source>
void report_slots(const char *source_name, std::size_t bare, std::size_t slot, std::size_t guard) {
  Source source;
  const auto token = source.get_token();
  std::printf("%s\n", source_name);
  report("  a callback for each await",
         size_of_frame([&](auto &waiter) { registers_each_time(waiter, token, &source); }), bare,
         200);
  report("  a slot", size_of_frame([&](auto &waiter) { has_a_slot(waiter, token, &source); }), bare,
         slot);
  report("  a slot, and a guard for each await",
         size_of_frame([&](auto &waiter) { arms_each_time(waiter, token, &source); }), bare,
         slot + guard);
  report("  slot_for, and a guard for each await",
         size_of_frame([&](auto &waiter) { finds_a_slot(waiter, token, &source); }), bare,
         sizeof(cancel::stop_frame) + sizeof(cancel::slot_reference<decltype(source.get_token())>) +
             4 * sizeof(void *) + guard);
}

} // namespace

int main() {
  // Beside the objects: the token's address, the captured pointer, and padding.
  constexpr std::size_t around = 24;
  constexpr std::size_t guard = sizeof(void *) * 4 + 24;
  const std::size_t bare = size_of_frame([](auto &waiter) { awaits(waiter, nullptr); });
  std::printf("%-44s %4zu\n", "awaits without cancellation", bare);
  report_slots<std::stop_source>("std::stop_token", bare,
                                 sizeof(cancel::stop_slot<std::stop_token>) + around, guard);
  report_slots<cancel::stop_source>("cancel::stop_token", bare,
                                    sizeof(cancel::stop_slot<cancel::stop_token>) + around, guard);
  report_slots<cancel::inplace_stop_source>(
      "cancel::inplace_stop_token", bare,
      sizeof(cancel::stop_slot<cancel::inplace_stop_token>) + around, guard);
  report("a stop_frame, and a guard for each await",
         size_of_frame([](auto &waiter) { arms_on_its_frame(waiter, nullptr); }), bare,
         sizeof(cancel::stop_frame) + guard + around);
  return within_bounds ? 0 : 1;
}
