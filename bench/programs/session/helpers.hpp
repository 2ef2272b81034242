// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session calls for each message: three coroutines, one within the other.

#pragma once

#include "loop.hpp"
#include "task.hpp"

#include <stop_token>

namespace session::SESSION_VARIANT {

task read_message(await_loop::event &e, const std::stop_token &st);
task read_part(await_loop::event &e, const std::stop_token &st);
task receive(await_loop::event &e, const std::stop_token &st);

} // namespace session::SESSION_VARIANT
