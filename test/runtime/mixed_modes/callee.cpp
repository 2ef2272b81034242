// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One half of a program; linked with a caller of the other mode it must not link.
#include <cancel/cancel.hpp>

bool is_stopped(const cancel::stop_slot<> &slot) { return slot.stop_requested(); }
