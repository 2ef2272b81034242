// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that are reported and stay as they are, each with its reason.
// RUN: %tidy %s -- %mock | FileCheck %s
#include "lazy.h"

// The task type is in another file, which clang-tidy does not edit: without that the rewrite would be a loss.
lazy<int> read(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_return co_await peer.receive();
}
// CHECK: [[#@LINE-3]]:22: warning: stop callback 'on_stop' is registered on every call of 'read'
// CHECK: [[#@LINE-4]]:22: note: the rewrite reaches other files; run cancel-migrate
lazy<int> reads(connection &peer, std::stop_token st) {
  for (;;)
    co_await read(peer, st);
}
// CHECK: [[#@LINE-2]]:14: warning: this loop calls 'read', which registers a stop callback on every call
// CHECK: [[#@LINE-3]]:14: note: the rewrite reaches other files; run cancel-migrate

// The loop does not have the token.
struct session {
  std::stop_token token;
  connection peer;
};
lazy<int> read_in(session &s) {
  std::stop_callback on_stop(s.token, [&] { s.peer.cancel(); });
  co_return co_await s.peer.receive();
}
// CHECK: [[#@LINE-3]]:22: warning: stop callback 'on_stop' is registered on every call of 'read_in'
// CHECK: [[#@LINE-4]]:22: note: not rewritten: the loops that call it do not pass the token, so they can have no slot to share
lazy<int> reads_in(session &s) {
  for (;;)
    co_await read_in(s);
}

// The promise lets nothing be awaited that it does not know.
struct strict {
  struct promise_type {
    strict get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    awaitable<int> await_transform(awaitable<int> a) { return a; }
    strict &await_transform(strict &s) { return s; }
    void return_void() {}
    void unhandled_exception() {}
  };
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};
strict wait(connection &peer, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
}
// CHECK: [[#@LINE-3]]:22: warning: stop callback 'on_stop' is registered on every call of 'wait'
// CHECK: [[#@LINE-4]]:22: note: not rewritten: its promise's await_transform does not take cancel::slot_for
strict waits(connection &peer, std::stop_token st) {
  for (;;) {
    strict one = wait(peer, st);
    co_await one;
  }
}
