#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a source tree of any size with known registrations in loops, to try the tools at scale.

The translation units share headers, and the headers hold coroutines of their own, so that the same
finding is seen by many units. Lines say what is expected of them:

    // rewrite   a registration that the tool hoists
    // refuse    a registration that it reports but must leave
    // quiet     a registration that is none of its business

The totals, one per line of source however many units see it, go to standard output as JSON. The
tree has a compilation database, and the same content for the same arguments.
"""

import argparse
import json
import pathlib
import random
import re

PRELUDE = """\
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
    std::exchange(waiting_, nullptr).resume();
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

HEADER = """\
#pragma once
#include "tree/channel.hpp"

namespace tree::service_@ {

inline job drain(channel &in, int &sum, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // rewrite
    sum += co_await in.receive();
  }
}

template <class Handler>
job for_each(channel &in, Handler handle, std::stop_token st) {
  for (;;) {
    std::stop_callback<cancel_channel> on_stop(st, cancel_channel{&in}); // rewrite
    const int value = co_await in.receive();
    if (value < 0)
      co_return;
    handle(value);
  }
}

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

} // namespace tree::service_@
"""

# What a unit may contain besides its instantiations; each takes the unit's number for @.
FUNCTIONS = [
    """\
job pump_@(channel &in, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // rewrite
    co_await in.receive();
  }
}
""",
    """\
job merge_@(channel &left, channel &right, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback stop_left(st, [&left] { left.cancel(); }); // rewrite
    std::stop_callback stop_right(st, [&right] { right.cancel(); }); // rewrite
    co_await left.receive();
    co_await right.receive();
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
job until_negative_@(channel &in, std::stop_token st) {
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
job per_source_@(channel &in, std::stop_source *sources, int count) {
  for (int i = 0; i < count; ++i) {
    std::stop_token st = sources[i].get_token();
    std::stop_callback on_stop(st, [&in] { in.cancel(); }); // quiet: each turn has a token of its own
    co_await in.receive();
  }
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


def unit_source(number, services, functions):
    includes = "".join(f'#include "tree/service_{s}.hpp"\n' for s in services)
    uses = "".join(
        f"  service_{s}::drain(in, sum, st);\n"
        f"  service_{s}::for_each(in, [&sum](int value) {{ sum += value; }}, st);\n"
        for s in services
    )
    body = "\n".join(functions)
    start = f"void start_@(channel &in, int &sum, std::stop_token st) {{\n{uses}}}\n"
    text = f"{includes}\nnamespace tree {{\n\n{body}\n{start}\n}} // namespace tree\n"
    return text.replace("@", str(number))


def tree_files(units, services, chance):
    """Each file's path and text."""
    yield "include/tree/channel.hpp", PRELUDE
    services = min(services, units)  # so that each is included somewhere
    for s in range(services):
        yield f"include/tree/service_{s}.hpp", HEADER.replace("@", str(s))
    for u in range(units):
        included = sorted({u % services, *chance.sample(range(services), min(services, 3))})
        functions = chance.sample(FUNCTIONS, 3)
        yield f"src/unit_{u}.cpp", unit_source(u, included, functions)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--units", type=int, default=200)
    parser.add_argument("--services", type=int, default=20, help="the shared headers")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    root = options.directory.resolve()
    expected = {"rewrite": 0, "refuse": 0, "quiet": 0}
    database = []
    for path, text in tree_files(options.units, options.services, random.Random(options.seed)):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for kind in re.findall(r"// (rewrite|refuse|quiet)\b", text):
            expected[kind] += 1
        if file.suffix == ".cpp":
            arguments = ["c++", "-std=c++20", f"-I{root}/include", "-c", str(file)]
            database.append({"directory": str(root), "file": str(file), "arguments": arguments})
    (root / "compile_commands.json").write_text(json.dumps(database, indent=1) + "\n")
    print(json.dumps({"units": options.units, **expected}))


if __name__ == "__main__":
    main()
