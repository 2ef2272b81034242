// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "task.h"

#include <stop_token>
#include <utility>

class connection {
public:
  /// Gives the next number, or -1 once it is cancelled.
  task<int> read(const std::stop_token &st);

  void arrive(int number) {
    number_ = number;
    if (waiting_)
      std::exchange(waiting_, nullptr).resume();
  }
  void cancel() { arrive(-1); }

private:
  auto next() {
    struct awaiter {
      connection &from;
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> reader) { from.waiting_ = reader; }
      int await_resume() const { return from.number_; }
    };
    return awaiter{*this};
  }

  std::coroutine_handle<> waiting_;
  int number_ = 0;
};
