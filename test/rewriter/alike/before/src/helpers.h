// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "task.h"

task<int> read(channel &, std::stop_token);
task<std::string> read_line(channel &, std::stop_token);
task<int> read_with_timeout(channel &, std::stop_token);
task<int> read_twice(channel &, const std::stop_token &);
