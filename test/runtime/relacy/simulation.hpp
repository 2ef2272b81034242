// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests may ask of the model checker; keeps relacy's macros out of every other file.
#ifndef CANCEL_TEST_RUNTIME_RELACY_SIMULATION_HPP
#define CANCEL_TEST_RUNTIME_RELACY_SIMULATION_HPP

#include <cstdint>
#include <string>

namespace slot_simulation {

/// What the owner and the callbacks do. Guards are numbered in the order in which they are armed; a
/// scenario that parks ends with a guard armed, which the stop must find.
enum class scenario {
  one_guard,            ///< arm 0, disarm 0; the slot stays
  whole_life,           ///< arm 0, disarm 0, end the slot
  parks,                ///< arm 0, park
  arms_again,           ///< arm 0, disarm 0, arm 1, disarm 1, end the slot
  arms_again_parks,     ///< arm 0, disarm 0, arm 1, park
  arms_twice_parks,     ///< arm 0, arm 1, park
  nested,               ///< arm 0, arm 1, disarm 1, disarm 0, end the slot
  nested_parks,         ///< arm 0, arm 1, disarm 1, park
  out_of_order,         ///< arm 0, arm 1, disarm 0, disarm 1, end the slot
  lower_leaves_parks,   ///< arm 0, arm 1, disarm 0, park
  middle_leaves_parks,  ///< arm 0, arm 1, arm 2, disarm 1, park
  resets_itself,        ///< arm 0, arm 1, disarm 1, park; callback 0 destroys guard 0
  resets_sibling,       ///< arm 0, arm 1, park; callback 1 destroys guard 0
  destroys_frame,       ///< arm 0, arm 1, park; a callback destroys both and the slot
  resumes_out_of_order, ///< as before, in the wrong order, and arms and disarms guard 2 first
  hands_over,      ///< arm 0, park; the callback wakes another thread, which destroys everything
  resumes_chain,   ///< as destroys_frame, but first disarms 1, then arms and disarms 2: the next
                   ///< helper
  outlives_turn,   ///< arm 0, arm 1, disarm 0, arm 2, disarm 2, disarm 1, end the slot
  slot_ends_first, ///< arm 0, arm 1, end the slot; then the guards end, which nobody disarms
  callback_ends_slot_first, ///< arm 0, arm 1, park; a callback does the same
  another_source_between, ///< arm 0, arm 1 on a slot of another source, arm 2 on the first, disarm
                          ///< 2, 1, 0, end both; both sources are stopped
  two_cancellers,         ///< arm 0, disarm 0; two threads stop, the slot outlives both
  spin_lock,              ///< no slot: two threads write a plain variable under the shipped lock
  frame_ends, ///< a slot that nothing keeps alive: arm 0, wait for the stop, disarm 0, end it

  // With the shipped stop state; the slot is enlisted first, in every one.
  slot_parks,                ///< arm 0, park
  slot_parks_twice,          ///< arm 0, arm 1, park
  slot_lives,                ///< arm 0, disarm 0, end the slot
  slot_arms_again,           ///< arm 0, disarm 0, arm 1, disarm 1, end the slot
  slot_polls_then_arms,      ///< wait until the token turns true, arm 0
  slot_is_ended_by_callback, ///< arm 0, park; the callback destroys guard and slot
  slots_of_two_stops,        ///< arm 0, park; two threads stop, one wins
  callback_leaves,           ///< register callback 0, deregister it
  callback_stays,            ///< register callback 0
  callbacks_of_two_threads,  ///< two threads register and deregister, a third one stops
  callback_ends_source,      ///< the callback destroys itself and the source

  claim, ///< one thread suspends, one completes, one stops
};

/// In which mode the slot starts, and when it turns.
enum class mode { shared, asymmetric, turns_at_first, turns_at_second };

/// What stands for the two fences: the light one is nothing and the heavy one reaches every thread,
/// as with membarrier; or both are sequentially consistent fences.
enum class fences { system_wide, sequential };

enum class search { full, bounded, random };

/// One thing taken away from the protocol or from what it relies on.
enum class weakening {
  none,
  no_light_after_arm,
  no_light_after_disarm,
  no_heavy,
  turned_arm_relaxed,
  canceller_head_relaxed,
  shared_head_release,
  shared_stopped_acquire,
  stop_acq_rel,
  turn_without_probe,
  turn_release,
  canceller_mode_acquire,
  lock_relaxed,
  unlock_relaxed,
  no_lock,
  disarm_without_lock,
  run_while_linked,
  token_relaxed,
  stop_not_claimed,
  no_wait_for_relay,
  slot_death_unnoticed,
  no_wait_for_callback,
  waits_for_itself,
  frame_ends_at_once,
  retired_relaxed,

  no_fence_after_marks,
  fence_after_marks_acq_rel,
  no_marks,
  request_relaxed,
  requested_relaxed,
  runs_before_token_turns,

  claim_suspend_relaxed,
  claim_decide_acquire,
  claim_decide_release,
  claim_decide_not_atomic,
  claim_read_relaxed,
};

struct simulation {
  slot_simulation::scenario scenario = scenario::one_guard;
  slot_simulation::mode mode = mode::asymmetric;
  slot_simulation::fences fences = fences::system_wide;
  slot_simulation::search search = search::full;
  unsigned context_bound = 4;            ///< for the bounded search
  std::uint64_t executions = 10'000'000; ///< at most
  slot_simulation::weakening weakening = weakening::none;
  bool shipped_lock = false; ///< rather than the model checker's own; with two threads
};

struct outcome {
  bool passed;
  std::uint64_t executions;
  std::string history; ///< of the failing execution
};

/// Runs the shipped slot_protocol under relacy.
outcome run(const simulation &what);

} // namespace slot_simulation

#endif
