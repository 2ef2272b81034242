// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shipped claim between a coroutine that suspends, its completion and its stop, as relacy plays
// it.
#ifndef CANCEL_TEST_RUNTIME_RELACY_CLAIM_STAGES_HPP
#define CANCEL_TEST_RUNTIME_RELACY_CLAIM_STAGES_HPP

#include "simulation.hpp"

#include <cancel/detail/claim_protocol.hpp>

#include "checked_policy.hpp"

namespace slot_simulation {

/// Thread 0 suspends; threads 1 and 2 decide. Whoever goes on with the coroutine reads what the
/// winner brought and writes what the coroutine would write next.
struct claim_stage : rl::test_suite<claim_stage, 3> {
  using claim = cancel::detail::claim_protocol<checked_policy>;

  claim wait;
  checked_plain<int> frame = 0;          ///< the coroutine's
  checked_plain<int> result[2] = {0, 0}; ///< a winner's
  int resumptions = 0;
  int winners = 0;

  void thread(unsigned index) {
    if (index == owner) {
      frame = 1;
      if (!wait.suspend())
        go_on();
      return;
    }
    result[index - 1] = 1;
    switch (wait.decide(static_cast<std::uint8_t>(index))) {
    case claim::verdict::lost:
      return;
    case claim::verdict::won_and_resumes:
      go_on();
      break;
    case claim::verdict::won_early:
      break;
    }
    ++winners;
  }

  void after() { RL_ASSERT(resumptions == 1 && winners == 1); }

private:
  void go_on() {
    frame = frame + 1;
    RL_ASSERT(frame == 2);
    const unsigned decision = wait.decision();
    RL_ASSERT(decision == 1 || decision == 2);
    RL_ASSERT(result[decision - 1] == 1);
    RL_ASSERT(++resumptions == 1);
  }
};

} // namespace slot_simulation

#endif
