// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The session that nobody can cancel between two messages.

#define SESSION_VARIANT bare
#include "helpers.hpp"
#include "session.hpp"

#include <utility>

namespace session::bare {

task receive(await_loop::event &e, const std::stop_token &) { co_await e; }

task read_part(await_loop::event &e, const std::stop_token &st) { co_await receive(e, st); }

task read_message(await_loop::event &e, const std::stop_token &st) { co_await read_part(e, st); }

static task serve(await_loop::event &e, std::stop_token st) {
  while (!st.stop_requested())
    co_await read_message(e, st);
}

await_loop::loop run(await_loop::event &e, std::stop_token st) { co_await serve(e, std::move(st)); }

} // namespace session::bare
