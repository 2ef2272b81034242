// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both programs need from the process around them: numbers in, CPU time out.

#pragma once

#include <charconv>
#include <cstring>
#include <sys/resource.h>
#include <sys/time.h>
#include <system_error>

namespace gateway {

/// True if all of `text` is a number, which is then in `value`.
template <class Number>
bool parse(const char *text, Number &value) noexcept {
  const char *const end = text + std::strlen(text);
  const auto [last, error] = std::from_chars(text, end, value);
  return error == std::errc() && last == end;
}

/// What all threads of this process have used so far.
struct cpu_time {
  double user_seconds;
  double system_seconds;
};

inline cpu_time process_cpu_time() noexcept {
  const auto seconds = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return {seconds(used.ru_utime), seconds(used.ru_stime)};
}

} // namespace gateway
