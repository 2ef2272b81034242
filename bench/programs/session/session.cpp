// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop that reads messages. It registers nothing itself. Compiled twice, as helpers.cpp is.

#include "session.hpp"

#include "helpers.hpp"

#include <utility>

namespace session::SESSION_VARIANT {

static task serve(await_loop::event &e, std::stop_token st) {
  while (!st.stop_requested())
    co_await read_message(e, st);
}

await_loop::loop run(await_loop::event &e, std::stop_token st) { co_await serve(e, std::move(st)); }

} // namespace session::SESSION_VARIANT
