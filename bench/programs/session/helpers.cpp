// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each level has something to undo when a stop comes, so each registers a callback, on every call.
// Compiled twice: as it stands, and as the tool leaves it.

#include "helpers.hpp"

namespace session::SESSION_VARIANT {

task receive(await_loop::event &e, const std::stop_token &st) {
  std::stop_callback on_stop(st, [&e] { e.cancel(); });
  co_await e;
}

task read_part(await_loop::event &e, const std::stop_token &st) {
  std::stop_callback on_stop(st, [&e] { e.cancel(); });
  co_await receive(e, st);
}

task read_message(await_loop::event &e, const std::stop_token &st) {
  std::stop_callback on_stop(st, [&e] { e.cancel(); });
  co_await read_part(e, st);
}

} // namespace session::SESSION_VARIANT
