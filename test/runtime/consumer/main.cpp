// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fails to build or to run if the package forgets a header, a standard or a library.
#include <cancel/cancel.hpp>

#include <stop_token>

int main() {
  std::stop_source source;
  cancel::stop_slot slot(source.get_token());
  bool stopped = false;
  cancel::stop_guard guard(slot, [&] { stopped = true; });
  source.request_stop();
  return stopped ? 0 : 1;
}
