// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stop_token>

bool is_over(const std::stop_token &st) { return st.stop_requested(); }
