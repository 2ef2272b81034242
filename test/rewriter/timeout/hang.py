# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a unit that keeps the compiler busy for ever, as far as anybody waits, and one that does not.
import json
import pathlib

pathlib.Path("slow.cpp").write_text("""constexpr int forever(int n) {
  for (unsigned long i = 0; i != ~0ul; ++i)
    n ^= i;
  return n;
}
constexpr int never = forever(1);
""")
pathlib.Path("quick.cpp").write_text("""// The usual case.
#include "task.h"

task serve(std::stop_token st, connection &sock) {
  while (co_await more()) {
    std::stop_callback   on_stop(st, [&] { sock.cancel(); });
    co_await sock.receive();
  }
}
""")
names = ["slow.cpp", "quick.cpp"]
pathlib.Path("build/compile_commands.json").write_text(json.dumps(
    [{"directory": "..", "arguments": ["c++", "-std=c++20", "-fconstexpr-steps=2147483647", "-c", name], "file": name}
     for name in names]))
