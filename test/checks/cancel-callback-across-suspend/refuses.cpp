// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repeated registrations that cannot be rewritten: each is reported with the reason, and --fix leaves the file alone.
// RUN: %tidy %s -- %mock | FileCheck %s
// RUN: cp %s %t.cpp && %tidy --fix %t.cpp -- %mock && diff %s %t.cpp
#include "task.h"

#include <functional>

using action = std::function<void()>;

task token_assigned_in_the_loop(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
    st = std::stop_token();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: warning: stop callback 'on_stop' is registered
// CHECK: [[#@LINE-6]]:{{.*}}: note: not rewritten: 'st' changes in the loop, at line [[#@LINE-4]]

task token_swapped_in_the_loop(std::stop_token st, std::stop_token other, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
    st.swap(other);
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: 'st' changes in the loop

void replace(std::stop_token &);

task token_handed_out(std::stop_token st, connection &peer) {
  replace(st);
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: other code may change 'st'

task token_changed_by_a_lambda(std::stop_token st, connection &peer) {
  auto renew = [&] { st = std::stop_token(); };
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
    renew();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: {{.*}}'st'

task token_by_reference(std::stop_token &st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: 'st' is a reference

std::stop_token process_token;

task token_of_the_process(connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(process_token, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: 'process_token' outlives the coroutine

struct session {
  connection peer;
  std::stop_token token;
  std::stop_source source;

  task member_token() {
    while (co_await more()) {
      std::stop_callback on_stop(token, [this] { peer.cancel(); });
      co_await peer.receive();
    }
  }
  // CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: the token is the member 'token'

  task member_source() {
    while (co_await more()) {
      std::stop_callback on_stop(source.get_token(), [this] { peer.cancel(); });
      co_await peer.receive();
    }
  }
  // CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: the token is the member 'source'
};

std::stop_token token_of_this_moment();

task unknown_call(connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(token_of_this_moment(), [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: the expression that gives the token may give another one

generator<int> awaited_before_yields(connection &peer) {
  std::stop_token st = co_await current_token();
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_yield co_await peer.receive();
  }
}
// Whoever calls next() may install another token.
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: 'st' was obtained from the caller of the generator

task goto_loop(std::stop_token st, connection &peer) {
again:
  std::stop_callback on_stop(st, [&] { peer.cancel(); });
  co_await peer.receive();
  if (!st.stop_requested())
    goto again;
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: the loop is made by goto

struct request {
  std::stop_token token;
  void renew();
};

task member_of_an_argument_assigned(request r, connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(r.token, [&] { peer.cancel(); });
    r.token = co_await current_token();
  }
}
// CHECK: [[#@LINE-4]]:{{.*}}: note: not rewritten: 'r' changes in the loop, at line [[#@LINE-3]]

task member_of_an_argument_handed_out(request r, connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(r.token, [&] { peer.cancel(); });
    co_await peer.receive();
    r.renew();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: other code may change 'r': line [[#@LINE-3]] hands it out

task array_of_callbacks(std::stop_token st, action cancel) {
  while (co_await more()) {
    std::stop_callback<action> both[] = {std::stop_callback<action>(st, cancel),
                                         std::stop_callback<action>(st, cancel)};
    co_await tick();
  }
}
// CHECK: [[#@LINE-5]]:{{.*}}: note: not rewritten: the callbacks are elements of an array
