// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "connection.h"

task<int> connection::read(const std::stop_token &st) {
  std::stop_callback on_stop(st, [this] { cancel(); });
  co_return co_await next();
}
