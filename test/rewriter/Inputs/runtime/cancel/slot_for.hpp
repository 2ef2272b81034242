// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As stop_slot.hpp beside it.
#pragma once
#include <cancel/stop_slot.hpp>

#include <coroutine>

namespace cancel {

struct slot_reference : stop_slot {};

struct slot_for_awaiter {
  bool await_ready() const noexcept;
  bool await_suspend(std::coroutine_handle<>) noexcept;
  slot_reference await_resume() noexcept;
};
slot_for_awaiter slot_for(const std::stop_token &);

} // namespace cancel
