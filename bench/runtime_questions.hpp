// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions of the runtime's table; each is answered in the file of its name.

#pragma once

namespace bench {

void add_poll_rows();       // runtime_poll_bench.cpp
void add_token_rows();      // runtime_token_bench.cpp
void add_register_rows();   // runtime_register_bench.cpp
void add_guard_rows();      // runtime_guard_bench.cpp
void add_await_rows();      // runtime_await_bench.cpp
void add_helper_rows();     // runtime_helper_bench.cpp
void add_cancel_rows();     // runtime_cancel_bench.cpp
void add_stop_rows();       // runtime_stop_bench.cpp
void add_stop_slots_rows(); // runtime_stop_slots_bench.cpp
void add_resume_rows();     // runtime_resume_bench.cpp

} // namespace bench
