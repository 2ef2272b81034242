// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a level of helper coroutines cost that can be cancelled? A loop calls one three levels
// down, each with a callback of its own; "bare" has the same frames and none. A call, not a level,
// is what a row gives: a third of the difference to "bare" is a level's.

#include "programs/await_loop/loop.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <stop_token>

namespace {

using await_loop::event;
using bench::turns;
using cancel::task;

constexpr int levels = 3;

template <class Source>
using token_of = decltype(std::declval<const Source &>().get_token());

/// Calls helpers of its kind for ever.
template <class Kind>
struct caller {
  template <class Token>
  static task<> run(Token st, event &e) {
    for (;;)
      co_await Kind::help(st, e, levels - 1);
  }
};

/// Each is a type, so that a helper calls helpers of its own kind.
struct nothing : caller<nothing> {
  template <class Token>
  static task<> help(const Token &st, event &e, int below) {
    if (below == 0)
      co_await e;
    else
      co_await help(st, e, below - 1);
  }
};

struct callbacks : caller<callbacks> {
  template <class Token>
  static task<> help(const Token &st, event &e, int below) {
    const auto cancel = [&e] { e.cancel(); };
    cancel::stop_callback_for_t<Token, decltype(cancel)> on_stop(st, cancel);
    if (below == 0)
      co_await e;
    else
      co_await help(st, e, below - 1);
  }
};

struct slots {
  template <class Token>
  static task<> help(const Token &st, event &e, int below) {
    auto &&cancel_slot = co_await cancel::slot_for(st);
    cancel::stop_guard on_stop(cancel_slot, [&e] { e.cancel(); });
    if (below == 0)
      co_await e;
    else
      co_await help(st, e, below - 1);
  }
  template <class Token>
  static task<> run(Token st, event &e) {
    auto &&cancel_slot = co_await cancel::slot_for(st);
    static_cast<void>(cancel_slot);
    for (;;)
      co_await help(st, e, levels - 1);
  }
};

template <class Kind, class Source>
void call(turns &row, const Source &source) {
  event e;
  const task<> running = Kind::run(source.get_token(), e);
  running.start();
  for (int i = 0; i < 6'000; ++i) // slots turn
    e.fire();
  row.measure([&e] { e.fire(); });
}

template <class Kind, class Source>
void call_alone(turns &row) {
  const Source source;
  call<Kind>(row, source);
}

/// Each thread has a loop; all loops have one source.
template <class Kind, class Source>
void call_shared(turns &row) {
  static const Source source;
  call<Kind>(row, source);
}

using std_source = std::stop_source;
using inplace = cancel::inplace_stop_source;

} // namespace

void bench::add_helper_rows() {
  constexpr auto one = "call 3 helpers";
  add_row(one, "bare", call_alone<nothing, std_source>);
  add_row(one, "std::stop_callback", call_alone<callbacks, std_source>);
  add_row(one, "inplace_stop_callback", call_alone<callbacks, inplace>);
  add_row(one, "slot_for and guard, std", call_alone<slots, std_source>);
  add_row(one, "slot_for and guard, inplace", call_alone<slots, inplace>);

  constexpr auto two = "call 3 helpers, 2 threads, one source";
  add_row(two, "bare", call_shared<nothing, std_source>, 2);
  add_row(two, "std::stop_callback", call_shared<callbacks, std_source>, 2);
  add_row(two, "inplace_stop_callback", call_shared<callbacks, inplace>, 2);
  add_row(two, "slot_for and guard, std", call_shared<slots, std_source>, 2);
  add_row(two, "slot_for and guard, inplace", call_shared<slots, inplace>, 2);
}
