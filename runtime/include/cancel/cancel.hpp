// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole library in one include.
#ifndef CANCEL_CANCEL_HPP
#define CANCEL_CANCEL_HPP

#include <cancel/config.hpp>
#include <cancel/fence.hpp>
#include <cancel/stop_slot.hpp>

#endif
