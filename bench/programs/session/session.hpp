// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session whose helpers can each be cancelled: a message is one fire() of the event.

#pragma once

#include "loop.hpp"

#include <stop_token>

namespace session {

/// The same coroutines without a callback.
namespace bare {
await_loop::loop run(await_loop::event &e, std::stop_token st);
}
/// As written with std::stop_callback ...
namespace original {
await_loop::loop run(await_loop::event &e, std::stop_token st);
}
/// ... and the same sources after cancel-migrate.
namespace rewritten {
await_loop::loop run(await_loop::event &e, std::stop_token st);
}

} // namespace session
