// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole library in one include.
#ifndef CANCEL_CANCEL_HPP
#define CANCEL_CANCEL_HPP

#include <cancel/await.hpp>
#include <cancel/config.hpp>
#include <cancel/fence.hpp>
#include <cancel/inplace_stop_source.hpp>
#include <cancel/local_stop_queue.hpp>
#include <cancel/resume.hpp>
#include <cancel/slot_for.hpp>
#include <cancel/std_interop.hpp>
#include <cancel/stop_claim.hpp>
#include <cancel/stop_flag.hpp>
#include <cancel/stop_frame.hpp>
#include <cancel/stop_policy.hpp>
#include <cancel/stop_slot.hpp>
#include <cancel/stop_source.hpp>
#include <cancel/stoppable_token.hpp>
#include <cancel/task.hpp>
#include <cancel/wait_list.hpp>
#include <cancel/when.hpp>

#endif
