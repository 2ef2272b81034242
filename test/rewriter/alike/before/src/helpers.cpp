// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small coroutines, each with a callback.
#include "helpers.h"

#include <functional>
#include <optional>
#include <stdexcept>

task<int> read(channel &from, std::stop_token st) {
  std::stop_callback on_stop(st, [&] { from.cancel("read"); });
  co_return co_await from.receive();
}

// Two callbacks on one token, one of which ends with a block; what it counted is read after it.
task<std::string> read_line(channel &from, std::stop_token st) {
  int cancelled = 0;
  std::string line;
  std::stop_callback outer(st, [&] { from.cancel("read_line"); });
  {
    std::stop_callback inner(st, [&] { ++cancelled; });
    line += co_await read(from, st) > 0 ? 'a' : '-';
  }
  line += std::to_string(cancelled);
  line += co_await from.receive() > 0 ? 'b' : '-';
  if (st.stop_requested() && line.back() == '-')
    throw std::runtime_error("stopped in " + line);
  co_return line;
}

// A source of its own in the middle of the stack, which a stop from outside stops as well.
task<int> read_with_timeout(channel &from, std::stop_token st) {
  std::stop_source either;
  std::stop_callback forward(st, [&] { either.request_stop(); });
  co_return co_await read(from, either.get_token());
}

// The callback is there for the first wait alone.
task<int> read_twice(channel &from, const std::stop_token &st) {
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  on_stop.emplace(st, [&from] { from.cancel("read_twice"); });
  const int first = co_await from.receive();
  on_stop.reset();
  co_return first + co_await from.receive();
}
