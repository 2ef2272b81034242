// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other half: hands a slot to callee.cpp.
#include <cancel/cancel.hpp>

bool is_stopped(const cancel::stop_slot<> &slot);

int main() {
  cancel::stop_slot slot{std::stop_token()};
  return is_stopped(slot) ? 1 : 0;
}
