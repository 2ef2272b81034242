// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one scenario of any protocol under relacy, with or without a weakening.
#include "simulation.hpp"

#include <optional>

#include "claim_stages.hpp"
#include "registry_stages.hpp"
#include "slot_stages.hpp"

namespace slot_simulation {
namespace {

rl::scheduler_type_e scheduler(search how) {
  switch (how) {
  case search::full:
    return rl::sched_full;
  case search::bounded:
    return rl::sched_bound;
  default:
    return rl::sched_random;
  }
}

template <class Stage>
outcome simulate() {
  rl::ostringstream history;
  rl::test_params params;
  params.search_type = scheduler(current.search);
  params.context_bound = current.context_bound;
  params.iteration_count = current.executions;
  params.execution_depth_limit = 4'000;
  params.output_stream = &history;
  params.progress_stream = &history;
  const bool passed = rl::simulate<Stage>(params);
  return {passed, params.stop_iteration, history.str().c_str()};
}

/// What a weakening does to one access.
struct change {
  slot_simulation::weakening weakening;
  site &at;
  rl::memory_order order;
  site::access kind = site::access::ordinary;
};

using order = checked_orders;
using enum site::access;

const change changes[] = {
    {weakening::no_light_after_arm, order::light_after_arm, rl::mo_relaxed, omitted},
    {weakening::no_light_after_disarm, order::light_after_disarm, rl::mo_relaxed, omitted},
    {weakening::no_heavy, order::heavy, rl::mo_relaxed, omitted},
    {weakening::turned_arm_relaxed, order::turned_arm, rl::mo_relaxed},
    {weakening::canceller_head_relaxed, order::canceller_head, rl::mo_relaxed},
    {weakening::shared_head_release, order::shared_head, rl::mo_release},
    {weakening::shared_stopped_acquire, order::shared_stopped, rl::mo_acquire},
    {weakening::stop_acq_rel, order::stop, rl::mo_acq_rel},
    {weakening::turn_without_probe, order::probe, rl::mo_relaxed},
    {weakening::turn_release, order::turn, rl::mo_release},
    {weakening::canceller_mode_acquire, order::canceller_mode, rl::mo_acquire},
    {weakening::lock_relaxed, order::lock, rl::mo_relaxed},
    {weakening::unlock_relaxed, order::unlock, rl::mo_relaxed},
    {weakening::run_while_linked, order::locked_head, rl::mo_relaxed, omitted},
    {weakening::stop_not_claimed, order::stop, rl::mo_seq_cst, not_atomic},
    {weakening::retired_relaxed, order::retired, rl::mo_relaxed},
    {weakening::no_fence_after_marks, order::marks, rl::mo_relaxed, omitted},
    {weakening::fence_after_marks_acq_rel, order::marks, rl::mo_acq_rel},
    {weakening::no_marks, order::mark, rl::mo_relaxed, omitted},
    {weakening::request_relaxed, order::request, rl::mo_relaxed},
    {weakening::requested_relaxed, order::requested, rl::mo_relaxed},
    {weakening::claim_suspend_relaxed, order::claim_suspend, rl::mo_relaxed},
    {weakening::claim_decide_acquire, order::claim_decide, rl::mo_acquire},
    {weakening::claim_decide_release, order::claim_decide, rl::mo_release},
    {weakening::claim_decide_not_atomic, order::claim_decide, rl::mo_acq_rel, not_atomic},
    {weakening::claim_read_relaxed, order::claim_read, rl::mo_relaxed},
};

/// Makes the changes of a weakening for the length of a scope. A weakening without any is one that
/// a scenario or the policy knows how to make.
class weakened {
public:
  explicit weakened(weakening chosen) {
    for (const change &change : changes)
      if (change.weakening == chosen) {
        at_ = &change.at;
        shipped_ = change.at;
        change.at.order = change.order;
        change.at.kind = change.kind;
      }
  }
  ~weakened() {
    if (at_)
      *at_ = *shipped_;
  }
  weakened(const weakened &) = delete;
  weakened &operator=(const weakened &) = delete;

private:
  site *at_ = nullptr;
  std::optional<site> shipped_;
};

outcome simulate_weakened() {
  const weakened changed(current.weakening);
  switch (current.scenario) {
  case scenario::spin_lock:
    return simulate<spin_lock_stage>();
  case scenario::hands_over:
  case scenario::two_cancellers:
    return simulate<stage<3>>();
  case scenario::slots_of_two_stops:
  case scenario::callbacks_of_two_threads:
    return simulate<registry_stage<3>>();
  case scenario::slot_parks:
  case scenario::slot_parks_twice:
  case scenario::slot_lives:
  case scenario::slot_arms_again:
  case scenario::slot_polls_then_arms:
  case scenario::slot_is_ended_by_callback:
  case scenario::callback_leaves:
  case scenario::callback_stays:
  case scenario::callback_ends_source:
    return current.shipped_lock ? simulate<registry_stage<2, checked_policy_with_shipped_lock>>()
                                : simulate<registry_stage<2>>();
  case scenario::claim:
    return simulate<claim_stage>();
  default:
    return current.shipped_lock ? simulate<stage<2, checked_policy_with_shipped_lock>>()
                                : simulate<stage<2>>();
  }
}

} // namespace

outcome run(const simulation &what) {
  current = what;
  return simulate_weakened();
}

} // namespace slot_simulation
