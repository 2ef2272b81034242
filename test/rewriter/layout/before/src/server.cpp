// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stop_token>

#include "task.h"

struct Socket {
    void   cancel();     // laid out by hand, and untouched
    awaitable<int> read();
};

task serve(std::stop_token st, Socket& a_rather_long_name) {
    int  turns=0;
    while (!st.stop_requested()) {
        std::stop_callback on_stop(st, [&] { a_rather_long_name.cancel(); });
        co_await a_rather_long_name.read();
        turns  +=  1;
    }
}
