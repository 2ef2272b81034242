# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ that a generated tree is made of; `@` stands for the number of the file or function.

A registration says in a comment what is expected of the tools: rewrite, refuse or quiet.
"""

# What every file of the tree may count on: templates whose instantiations take the time of a unit.
STREAM = """\
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tree {

template <class... Fields>
struct row;

template <>
struct row<> {
  template <class Visitor>
  void visit(Visitor &) const {}
};

template <class First, class... Rest>
struct row<First, Rest...> : row<Rest...> {
  First first{};

  template <class Visitor>
  void visit(Visitor &visitor) const {
    visitor(first);
    row<Rest...>::visit(visitor);
  }
};

template <class Value>
struct source {
  std::vector<Value> values;

  template <class Sink>
  void run(Sink sink) const {
    for (const Value &value : values)
      sink(value);
  }
};

template <class Before, class Function>
struct mapped {
  Before before;
  Function function;

  template <class Sink>
  void run(Sink sink) const {
    before.run([this, &sink](const auto &value) { sink(function(value)); });
  }
};

template <class Before, class Predicate>
struct filtered {
  Before before;
  Predicate predicate;

  template <class Sink>
  void run(Sink sink) const {
    before.run([this, &sink](const auto &value) {
      if (predicate(value))
        sink(value);
    });
  }
};

template <class Stage>
class stream {
public:
  explicit stream(Stage stage) : stage_(std::move(stage)) {}

  template <class Function>
  auto map(Function function) && {
    return stream<mapped<Stage, Function>>({std::move(stage_), std::move(function)});
  }
  template <class Predicate>
  auto filter(Predicate predicate) && {
    return stream<filtered<Stage, Predicate>>({std::move(stage_), std::move(predicate)});
  }
  template <class Result, class Function>
  Result fold(Result result, Function function) const {
    stage_.run([&](const auto &value) { result = function(result, value); });
    return result;
  }

private:
  Stage stage_;
};

template <class Value>
stream<source<Value>> from(std::vector<Value> values) {
  return stream<source<Value>>({std::move(values)});
}

} // namespace tree
"""

# What the coroutines of the tree are made of.
CHANNEL = """\
#pragma once
#include <coroutine>
#include <exception>
#include <optional>
#include <stop_token>
#include <utility>

namespace tree {

struct job {
  struct promise_type {
    job get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

class channel {
public:
  struct receive_operation {
    channel &from;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { from.waiting_ = h; }
    int await_resume() const noexcept { return from.value_; }
  };
  receive_operation receive() noexcept { return {*this}; }
  void send(int value) {
    value_ = value;
    waiting_.resume();
  }
  void cancel() noexcept { value_ = -1; }

private:
  std::coroutine_handle<> waiting_;
  int value_ = 0;
};

struct cancel_channel {
  channel *target;
  void operator()() const noexcept { target->cancel(); }
};

} // namespace tree
"""

# A header without coroutines: its includes stand at %.
RECORD_HEADER = """\
#pragma once
%
namespace tree::record_@ {

template <int Tag>
struct field {
  int value = Tag;
  friend int weight(const field &f) { return f.value * (Tag + 1); }
};

using record = row<field<0>, field<1>, field<2>, field<3>, field<4>, field<5>>;

template <class Number>
class total {
public:
  template <class Field>
  void operator()(const Field &f) {
    sum_ += static_cast<Number>(weight(f));
  }
  Number get() const { return sum_; }

private:
  Number sum_{};
};

inline int total_of(const record &r) {
  total<int> sum;
  r.visit(sum);
  return sum.get();
}

template <class Visitor>
int count_if(const std::vector<record> &records, Visitor visitor) {
  return from(records).filter(visitor).fold(0, [](int n, const record &) { return n + 1; });
}

} // namespace tree::record_@
"""

# A header with coroutines that are well as they are.
SERVICE_HEADER = """\
#pragma once
#include "tree/channel.hpp"

namespace tree::service_@ {

class relay {
public:
  relay(channel &in, channel &out) : in_(in), out_(out) {}

  job run(std::stop_token st) {
    std::stop_callback on_stop(st, [this] { in_.cancel(); }); // quiet: registered once
    while (!st.stop_requested())
      out_.send(co_await in_.receive());
  }

private:
  channel &in_;
  channel &out_;
};

template <class Handler>
job for_each(channel &in, Handler handle, std::stop_token st) {
  while (!st.stop_requested()) {
    const int value = co_await in.receive();
    if (value < 0)
      co_return;
    handle(value);
  }
}
%
} // namespace tree::service_@
"""

# What a service header may hold besides; two registrations, as is said at the head of `Plan`.
SERVICE_FINDINGS = """
inline job drain(channel &in, int &sum, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // rewrite
    sum += co_await in.receive();
  }
}

template <class Handler>
job until_negative(channel &in, Handler handle, std::stop_token st) {
  for (;;) {
    std::stop_callback<cancel_channel> on_stop(st, cancel_channel{&in}); // rewrite
    const int value = co_await in.receive();
    if (value < 0)
      co_return;
    handle(value);
  }
}
"""

# One registration each.
FINDINGS = [
    """\
job pump_@(channel &in, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // rewrite
    co_await in.receive();
  }
}
""",
    """\
job batches_@(channel &in, int batches, std::stop_token st) {
  for (int batch = 0; batch < batches; ++batch)
    for (int item = 0; item < 16; ++item) {
      std::stop_callback on_stop(st, [&in] { in.cancel(); }); // rewrite
      if (co_await in.receive() < 0)
        break;
    }
}
""",
    """\
job optional_@(channel &in, std::stop_token st) {
  std::optional<std::stop_callback<cancel_channel>> on_stop;
  int value = 0;
  do {
    on_stop.emplace(st, cancel_channel{&in}); // rewrite
    value = co_await in.receive();
    on_stop.reset();
  } while (value >= 0);
}
""",
    """\
job latest_source_@(channel &in, std::stop_source *sources, int count) {
  std::stop_token st;
  for (int i = 0; i < count; ++i) {
    st = sources[i].get_token();
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // refuse: the token changes in the loop
    co_await in.receive();
  }
}
""",
]

# Coroutines, and a function, that are none of the tools' business.
QUIET = [
    """\
job per_source_@(channel &in, std::stop_source *sources, int count) {
  for (int i = 0; i < count; ++i) {
    std::stop_token st = sources[i].get_token();
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // quiet: each turn has a token of its own
    co_await in.receive();
  }
}
""",
    """\
job forward_@(channel &in, channel &out, std::stop_token st) {
  auto polls = [&st](int value) { return value >= 0 && !st.stop_requested(); };
  for (int value = co_await in.receive(); polls(value); value = co_await in.receive())
    out.send(value);
}
""",
    """\
int blocking_@(channel &in, int turns, std::stop_token st) {
  int sum = 0;
  for (int i = 0; i < turns; ++i) {
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // quiet: nothing is awaited
    in.send(i);
    sum += i;
  }
  return sum;
}
""",
]

# Work for the parser: ten function templates for each lambda.
CALCULATION = """\
int calculation_@(std::vector<int> values, int limit) {
  return from(std::move(values))
      .map([](int value) { return row<int, long>{{{}, static_cast<long>(value)}, value}; })
      .filter([limit](const row<int, long> &pair) { return pair.first < limit; })
      .map([](const row<int, long> &pair) { return static_cast<long>(pair.first) + pair.row<long>::first; })
      .filter([](long value) { return value % 3 != 0; })
      .map([limit](long value) { return static_cast<double>(value) / limit; })
      .map([](double value) { return value > 1 ? 1 : static_cast<int>(value); })
      .fold(0, [](int sum, int value) { return sum + value; });
}
"""
