// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "lazy.h"

lazy<int> read(connection &, std::stop_token);
lazy<int> write(connection &, std::stop_token);
lazy<int> read_frame(connection &, std::stop_token);
