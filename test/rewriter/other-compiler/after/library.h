// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks for the compiler by its name, as Asio 1.22 does.
#pragma once
#include "task.h"

#if defined(__clang__) && !defined(LIBRARY_HAS_CO_AWAIT)
#define LIBRARY_HAS_CO_AWAIT 0
#elif !defined(LIBRARY_HAS_CO_AWAIT)
#define LIBRARY_HAS_CO_AWAIT 1
#endif

namespace library {
#if LIBRARY_HAS_CO_AWAIT
using awaitable = task;
#endif
} // namespace library
