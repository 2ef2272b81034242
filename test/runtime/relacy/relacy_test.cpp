// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shipped slot protocol holds in every searched execution, and each thing taken away from it is
// missed.
#include "simulation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

namespace slot_simulation {
namespace {

/// CANCEL_SLOW_TESTS=1 searches further than fits a quick run.
bool searches_further() {
  const char *const slow = std::getenv("CANCEL_SLOW_TESTS");
  return slow && *slow == '1';
}

constexpr mode every_mode[] = {mode::shared, mode::asymmetric, mode::turns_at_first,
                               mode::turns_at_second};
constexpr fences both_fences[] = {fences::system_wide, fences::sequential};

void expect_holds(const simulation &what) {
  const outcome result = run(what);
  EXPECT_TRUE(result.passed) << "scenario " << static_cast<int>(what.scenario) << ", mode "
                             << static_cast<int>(what.mode) << ", fences "
                             << static_cast<int>(what.fences) << '\n'
                             << result.history;
}

struct small_scenario {
  slot_simulation::scenario scenario;
  slot_simulation::mode mode;
};

class full_search : public testing::TestWithParam<small_scenario> {};

TEST_P(full_search, holds_with_either_fence) {
  for (fences f : both_fences)
    expect_holds({.scenario = GetParam().scenario, .mode = GetParam().mode, .fences = f});
}

INSTANTIATE_TEST_SUITE_P(one_guard, full_search,
                         testing::Values(small_scenario{scenario::one_guard, mode::shared},
                                         small_scenario{scenario::one_guard, mode::asymmetric},
                                         small_scenario{scenario::one_guard, mode::turns_at_first},
                                         small_scenario{scenario::parks, mode::shared},
                                         small_scenario{scenario::parks, mode::asymmetric},
                                         small_scenario{scenario::parks, mode::turns_at_first}));
INSTANTIATE_TEST_SUITE_P(a_claim, full_search,
                         testing::Values(small_scenario{scenario::claim, mode::shared}));
INSTANTIATE_TEST_SUITE_P(callbacks_of_a_source, full_search,
                         testing::Values(small_scenario{scenario::callback_leaves, mode::shared},
                                         small_scenario{scenario::callback_stays, mode::shared},
                                         small_scenario{scenario::callback_ends_source,
                                                        mode::shared}));
INSTANTIATE_TEST_SUITE_P(turn_then_arm, full_search,
                         testing::Values(small_scenario{scenario::arms_twice_parks,
                                                        mode::turns_at_first}));
INSTANTIATE_TEST_SUITE_P(the_lock, full_search,
                         testing::Values(small_scenario{scenario::spin_lock, mode::shared}));

/// A third thread, or a second slot, multiplies the executions.
unsigned context_bound(scenario s) {
  switch (s) {
  case scenario::two_cancellers:
    return 2;
  case scenario::hands_over:
  case scenario::slots_of_two_stops:
  case scenario::callbacks_of_two_threads:
  case scenario::another_source_between:
    return 3;
  default:
    return 4;
  }
}

class partial_search : public testing::TestWithParam<scenario> {};

TEST_P(partial_search, holds_up_to_the_context_bound) {
  const unsigned bound = context_bound(GetParam());
  for (mode m : every_mode)
    for (fences f : both_fences)
      expect_holds({.scenario = GetParam(),
                    .mode = m,
                    .fences = f,
                    .search = search::bounded,
                    .context_bound = bound + (searches_further() ? 1 : 0)});
}

TEST_P(partial_search, holds_in_random_executions) {
  for (mode m : every_mode)
    for (fences f : both_fences)
      expect_holds({.scenario = GetParam(),
                    .mode = m,
                    .fences = f,
                    .search = search::random,
                    .executions = searches_further() ? 200'000u : 10'000u});
}

class with_the_shipped_lock : public testing::TestWithParam<scenario> {};

TEST_P(with_the_shipped_lock, holds_up_to_the_context_bound) {
  for (mode m : every_mode)
    expect_holds({.scenario = GetParam(),
                  .mode = m,
                  .search = search::bounded,
                  .context_bound = 4,
                  .shipped_lock = true});
}

INSTANTIATE_TEST_SUITE_P(a_slot, with_the_shipped_lock,
                         testing::Values(scenario::whole_life, scenario::frame_ends,
                                         scenario::destroys_frame, scenario::nested));
INSTANTIATE_TEST_SUITE_P(a_source, with_the_shipped_lock,
                         testing::Values(scenario::slot_lives, scenario::slot_is_ended_by_callback,
                                         scenario::callback_leaves, scenario::callback_stays,
                                         scenario::callback_ends_source));

INSTANTIATE_TEST_SUITE_P(every_scenario, partial_search,
                         testing::Values(scenario::whole_life, scenario::arms_again,
                                         scenario::arms_again_parks, scenario::arms_twice_parks,
                                         scenario::nested, scenario::nested_parks,
                                         scenario::out_of_order, scenario::lower_leaves_parks,
                                         scenario::middle_leaves_parks, scenario::resets_itself,
                                         scenario::resets_sibling, scenario::destroys_frame,
                                         scenario::resumes_out_of_order, scenario::hands_over,
                                         scenario::two_cancellers, scenario::frame_ends));
INSTANTIATE_TEST_SUITE_P(every_scenario_of_several_frames, partial_search,
                         testing::Values(scenario::resumes_chain, scenario::outlives_turn,
                                         scenario::slot_ends_first,
                                         scenario::callback_ends_slot_first,
                                         scenario::another_source_between));
INSTANTIATE_TEST_SUITE_P(every_scenario_of_a_source, partial_search,
                         testing::Values(scenario::slot_parks, scenario::slot_parks_twice,
                                         scenario::slot_lives, scenario::slot_arms_again,
                                         scenario::slot_polls_then_arms,
                                         scenario::slot_is_ended_by_callback,
                                         scenario::slots_of_two_stops,
                                         scenario::callbacks_of_two_threads));

/// Where a weakening shows.
struct found_weakening {
  const char *name;
  slot_simulation::weakening weakening;
  slot_simulation::scenario scenario;
  slot_simulation::mode mode;
  slot_simulation::fences fences;
  bool shipped_lock = false;
};

std::ostream &operator<<(std::ostream &out, const found_weakening &what) {
  return out << what.name;
}

class weakened_protocol : public testing::TestWithParam<found_weakening> {};

TEST_P(weakened_protocol, is_found_out) {
  const found_weakening &what = GetParam();
  simulation attempt{.scenario = what.scenario,
                     .mode = what.mode,
                     .fences = what.fences,
                     .search = search::bounded,
                     .weakening = what.weakening,
                     .shipped_lock = what.shipped_lock};
  bool found = !run(attempt).passed;
  if (!found) { // a turn takes more switches than the bound allows
    attempt.search = search::random;
    attempt.executions = 300'000;
    found = !run(attempt).passed;
  }
  EXPECT_TRUE(found) << "nothing went wrong without it";
  attempt.weakening = weakening::none;
  EXPECT_TRUE(run(attempt).passed) << "the scenario fails anyway";
}

constexpr found_weakening weakenings[] = {
    // Dekker's pattern in turned mode; a missing light fence hides behind a system-wide heavy one.
    {"no_light_after_arm", weakening::no_light_after_arm, scenario::parks, mode::asymmetric,
     fences::sequential},
    {"no_light_after_disarm", weakening::no_light_after_disarm, scenario::one_guard,
     mode::asymmetric, fences::sequential},
    {"no_heavy_sequential", weakening::no_heavy, scenario::parks, mode::asymmetric,
     fences::sequential},
    {"no_heavy_system_wide", weakening::no_heavy, scenario::parks, mode::asymmetric,
     fences::system_wide},
    {"turned_arm_relaxed", weakening::turned_arm_relaxed, scenario::parks, mode::asymmetric,
     fences::system_wide},
    {"canceller_head_relaxed", weakening::canceller_head_relaxed, scenario::parks, mode::asymmetric,
     fences::system_wide},
    // In shared mode.
    {"canceller_mode_acquire_shared", weakening::canceller_mode_acquire, scenario::parks,
     mode::shared, fences::system_wide},
    {"shared_head_release", weakening::shared_head_release, scenario::parks, mode::shared,
     fences::system_wide},
    {"shared_stopped_acquire", weakening::shared_stopped_acquire, scenario::parks, mode::shared,
     fences::system_wide},
    {"stop_acq_rel", weakening::stop_acq_rel, scenario::parks, mode::shared, fences::system_wide},
    // Turning.
    {"turn_without_probe", weakening::turn_without_probe, scenario::arms_twice_parks,
     mode::turns_at_first, fences::system_wide},
    {"turn_release", weakening::turn_release, scenario::arms_twice_parks, mode::turns_at_first,
     fences::system_wide},
    {"canceller_mode_acquire_turning", weakening::canceller_mode_acquire,
     scenario::arms_twice_parks, mode::turns_at_first, fences::system_wide},
    // The lock.
    {"lock_relaxed", weakening::lock_relaxed, scenario::spin_lock, mode::shared,
     fences::system_wide},
    {"unlock_relaxed", weakening::unlock_relaxed, scenario::spin_lock, mode::shared,
     fences::system_wide},
    {"no_lock", weakening::no_lock, scenario::nested, mode::shared, fences::system_wide},
    {"lower_guard_without_lock", weakening::disarm_without_lock, scenario::lower_leaves_parks,
     mode::shared, fences::system_wide},
    // The steps.
    {"run_while_linked", weakening::run_while_linked, scenario::nested, mode::shared,
     fences::system_wide},
    {"token_relaxed", weakening::token_relaxed, scenario::parks, mode::asymmetric,
     fences::system_wide},
    {"stop_not_claimed", weakening::stop_not_claimed, scenario::two_cancellers, mode::shared,
     fences::system_wide},
    {"no_wait_for_relay", weakening::no_wait_for_relay, scenario::whole_life, mode::shared,
     fences::system_wide},
    {"slot_death_unnoticed", weakening::slot_death_unnoticed, scenario::destroys_frame,
     mode::shared, fences::system_wide},
    {"slot_ends_first_no_wait_for_relay", weakening::no_wait_for_relay, scenario::slot_ends_first,
     mode::shared, fences::system_wide},
    {"callback_ends_slot_first_unnoticed", weakening::slot_death_unnoticed,
     scenario::callback_ends_slot_first, mode::shared, fences::system_wide},
    {"no_wait_for_callback", weakening::no_wait_for_callback, scenario::one_guard, mode::shared,
     fences::system_wide},
    {"waits_for_itself", weakening::waits_for_itself, scenario::resets_itself, mode::shared,
     fences::system_wide},
    {"frame_ends_at_once", weakening::frame_ends_at_once, scenario::frame_ends, mode::shared,
     fences::system_wide},
    {"retired_relaxed", weakening::retired_relaxed, scenario::whole_life, mode::shared,
     fences::system_wide, true},
    {"registry_retired_relaxed", weakening::retired_relaxed, scenario::callback_leaves,
     mode::shared, fences::system_wide, true},
    // One stop for many slots: the marks, one fence, the looks at the heads.
    {"no_marks", weakening::no_marks, scenario::slot_parks, mode::shared, fences::system_wide},
    {"no_fence_after_marks", weakening::no_fence_after_marks, scenario::slot_parks, mode::shared,
     fences::system_wide},
    {"fence_after_marks_acq_rel", weakening::fence_after_marks_acq_rel, scenario::slot_parks,
     mode::shared, fences::system_wide},
    {"source_no_heavy", weakening::no_heavy, scenario::slot_parks, mode::asymmetric,
     fences::system_wide},
    {"source_no_light_after_arm", weakening::no_light_after_arm, scenario::slot_parks,
     mode::asymmetric, fences::sequential},
    {"source_turn_without_probe", weakening::turn_without_probe, scenario::slot_parks_twice,
     mode::turns_at_first, fences::system_wide},
    {"source_turn_release", weakening::turn_release, scenario::slot_parks_twice,
     mode::turns_at_first, fences::system_wide},
    {"source_shared_head_release", weakening::shared_head_release, scenario::slot_parks,
     mode::shared, fences::system_wide},
    {"runs_before_token_turns", weakening::runs_before_token_turns, scenario::slot_lives,
     mode::shared, fences::system_wide},
    {"request_relaxed", weakening::request_relaxed, scenario::slot_polls_then_arms, mode::shared,
     fences::system_wide},
    {"requested_relaxed", weakening::requested_relaxed, scenario::slot_polls_then_arms,
     mode::shared, fences::system_wide},
    // The registry.
    {"registry_no_lock", weakening::no_lock, scenario::callback_leaves, mode::shared,
     fences::system_wide},
    {"registry_withdraws_without_lock", weakening::disarm_without_lock,
     scenario::callbacks_of_two_threads, mode::shared, fences::system_wide},
    {"registry_no_wait_for_callback", weakening::no_wait_for_callback, scenario::callback_leaves,
     mode::shared, fences::system_wide},
    {"registry_death_unnoticed", weakening::slot_death_unnoticed, scenario::callback_ends_source,
     mode::shared, fences::system_wide},
    {"enlisted_slot_death_unnoticed", weakening::slot_death_unnoticed,
     scenario::slot_is_ended_by_callback, mode::shared, fences::system_wide},
    // The claim between completion and stop.
    {"claim_suspend_relaxed", weakening::claim_suspend_relaxed, scenario::claim, mode::shared,
     fences::system_wide},
    {"claim_decide_acquire", weakening::claim_decide_acquire, scenario::claim, mode::shared,
     fences::system_wide},
    {"claim_decide_release", weakening::claim_decide_release, scenario::claim, mode::shared,
     fences::system_wide},
    {"claim_decide_not_atomic", weakening::claim_decide_not_atomic, scenario::claim, mode::shared,
     fences::system_wide},
};

INSTANTIATE_TEST_SUITE_P(table, weakened_protocol, testing::ValuesIn(weakenings),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace slot_simulation
