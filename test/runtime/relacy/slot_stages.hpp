// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One coroutine with a slot, guards and the threads around it, as relacy plays them.
#ifndef CANCEL_TEST_RUNTIME_RELACY_SLOT_STAGES_HPP
#define CANCEL_TEST_RUNTIME_RELACY_SLOT_STAGES_HPP

#include "simulation.hpp"

#include <cancel/detail/slot_protocol.hpp>
#include <cancel/detail/spin_lock.hpp>

#include <optional>

#include "checked_policy.hpp"

namespace slot_simulation {

using protocol = cancel::detail::slot_protocol<checked_policy>;

/// The shipped lock in place of the model checker's: more executions, and its hint is taken.
struct checked_policy_with_shipped_lock : checked_policy {
  using mutex = cancel::detail::spin_lock<checked_policy>;
};

/// As std::stop_source, with the one std::stop_callback that is the slot's relay: the relay is
/// called at most once, after the token has turned true, and the end of its registration waits for
/// a call in progress unless it comes from within that call.
class stop_state {
public:
  bool stop_requested() const {
    const std::uintptr_t now =
        state_($).load(is_weakened_by(weakening::token_relaxed) ? rl::mo_relaxed : rl::mo_acquire);
    return now == calling || now == returned;
  }

  /// Requests the stop; returns whether to call the relay.
  bool begin_call() {
    caller_ = rl::thread_index();
    return registered_becomes(calling);
  }
  void end_call() { state_($).store(returned, rl::mo_release); }

  void deregister() {
    if (registered_becomes(removed) || caller_ == rl::thread_index() ||
        is_weakened_by(weakening::no_wait_for_relay))
      return;
    while (state_($).load(rl::mo_acquire) != returned)
      rl::yield(1, $);
  }

private:
  enum : std::uintptr_t { registered, removed, calling, returned };

  bool registered_becomes(std::uintptr_t next) {
    std::uintptr_t expected = registered;
    return state_($).compare_exchange_strong(expected, next, rl::mo_acq_rel, rl::mo_acquire);
  }

  rl::atomic<std::uintptr_t> state_{registered};
  unsigned caller_ = owner;
};

/// As relayed_signal.
struct relayed_stop {
  const stop_state &state;

  template <class Slot>
  bool is_raised_after_light_fence(const Slot &) const {
    return state.stop_requested();
  }
  template <class Slot>
  bool is_raised_in_order(const Slot &slot) const {
    return slot.is_stopped_in_order() || state.stop_requested();
  }
  template <class Slot>
  void await(const Slot &) const {}
};

/// Whom a suspended coroutine belongs to: whoever claims it may resume or destroy it.
class suspension {
public:
  /// The owner stops running, unless a callback was there before it.
  bool park() {
    std::uintptr_t expected = running;
    return state_($).compare_exchange_strong(expected, parked, rl::mo_acq_rel, rl::mo_acquire);
  }
  bool claim() { return state_($).exchange(claimed, rl::mo_acq_rel) == parked; }

private:
  enum : std::uintptr_t { running, parked, claimed };
  rl::atomic<std::uintptr_t> state_{running};
};

/// One coroutine with a slot and up to three guards, and the threads around it.
template <int Threads, class Policy = checked_policy>
struct stage : rl::test_suite<stage<Threads, Policy>, Threads> {
  using protocol = cancel::detail::slot_protocol<Policy>;
  using link = typename protocol::link;

  class guard : public link {
  public:
    guard(stage &stage, int id) : link(&guard::run), stage_(stage), id_(id) {}

    /// What a later use of the same memory would do to it.
    ~guard() {
      this->prev_ = nullptr;
      this->run_ = nullptr;
      id_ = -1;
    }

  private:
    static void run(link &base) noexcept {
      auto &self = static_cast<guard &>(base);
      self.stage_.fired(self.id_);
    }
    stage &stage_;
    checked_plain<int> id_;
  };

  stop_state stop;
  suspension suspended;
  std::optional<protocol> slot;
  stop_state other_stop;              ///< of another source
  std::optional<protocol> other_slot; ///< if the scenario has one
  std::optional<guard> guards[3];
  checked_plain<int> before_request;         ///< written before the request, read by callbacks
  checked_plain<int> effect[3] = {0, 0, 0};  ///< written by callbacks, read after disarming
  rl::atomic<std::uintptr_t> handed_over{0}; ///< to thread 2: 1 the frame, 2 nothing
  rl::atomic<std::uintptr_t> constructed{0}; ///< guard 0: its callback may destroy it
  int runs[3] = {0, 0, 0};
  bool ran_inline = false;

  void before() {
    begin(slot);
    if (current.scenario == scenario::another_source_between)
      begin(other_slot);
    before_request = 0;
  }

  void thread(unsigned index) {
    if (index == owner)
      run_owner();
    else if (index == canceller || current.scenario == scenario::two_cancellers)
      request_stop();
    else
      take_over();
  }

  void after() {
    const auto fired_once = [&](int id) { return guards[id] && runs[id] == 1; };
    switch (current.scenario) {
    case scenario::parks:
    case scenario::nested_parks:
      RL_ASSERT(fired_once(0));
      break;
    case scenario::arms_again_parks:
    case scenario::lower_leaves_parks:
      RL_ASSERT(fired_once(1));
      break;
    case scenario::arms_twice_parks:
      RL_ASSERT(fired_once(0) && fired_once(1));
      break;
    case scenario::middle_leaves_parks:
      RL_ASSERT(fired_once(0) && fired_once(2));
      break;
    case scenario::resets_itself:
      RL_ASSERT(runs[0] == 1);
      break;
    case scenario::resets_sibling:
      RL_ASSERT(runs[1] == 1 && (ran_inline || !guards[0]));
      break;
    case scenario::one_guard:
    case scenario::two_cancellers:
      break;
    default:
      RL_ASSERT(!slot && !other_slot);
    }
    for (auto &guard : guards)
      guard.reset();
    slot.reset();
  }

private:
  static void begin(std::optional<protocol> &slot) {
    switch (current.mode) {
    case mode::shared:
      slot.emplace(cancel::detail::slot_mode::shared, 0);
      break;
    case mode::asymmetric:
      slot.emplace(cancel::detail::slot_mode::asymmetric, 0);
      break;
    case mode::turns_at_first:
      slot.emplace(cancel::detail::slot_mode::shared, 1);
      break;
    case mode::turns_at_second:
      slot.emplace(cancel::detail::slot_mode::shared, 2);
      break;
    }
  }

  void enter(int id) { enter(id, *slot, stop); }
  void enter(int id, protocol &on, const stop_state &state) {
    guards[id].emplace(*this, id);
    on.arm(*guards[id], relayed_stop{state});
  }

  void leave(int id) { leave(id, *slot); }
  void leave(int id, protocol &on) {
    bool &disarming = now[rl::thread_index()].disarms;
    disarming = true;
    on.disarm(*guards[id]);
    disarming = false;
    drop(id);
  }

  /// The guard ends as it is: disarmed, or with its slot gone.
  void drop(int id) {
    static_cast<void>(static_cast<int>(effect[id])); // a data race, unless the callback is over
    guards[id].reset();
  }

  void end_slot() { end_slot(slot, stop); }
  void end_slot(std::optional<protocol> &ended, stop_state &state) {
    bool &closing = now[rl::thread_index()].closes_slot;
    closing = true;
    ended->close();
    closing = false;
    state.deregister();
    ended.reset();
  }

  void run_owner() {
    switch (current.scenario) {
    case scenario::one_guard:
    case scenario::two_cancellers:
      enter(0), leave(0);
      break;
    case scenario::whole_life:
      enter(0), leave(0), end_slot();
      break;
    case scenario::parks:
      enter(0);
      break;
    case scenario::arms_again:
      enter(0), leave(0), enter(1), leave(1), end_slot();
      break;
    case scenario::arms_again_parks:
      enter(0), leave(0), enter(1);
      break;
    case scenario::arms_twice_parks:
    case scenario::resets_sibling:
      enter(0), enter(1);
      break;
    case scenario::nested:
      enter(0), enter(1), leave(1), leave(0), end_slot();
      break;
    case scenario::nested_parks:
      enter(0), enter(1), leave(1);
      break;
    case scenario::resets_itself:
      enter(0);
      constructed($).store(1, rl::mo_release);
      enter(1), leave(1);
      break;
    case scenario::out_of_order:
      enter(0), enter(1), leave(0), leave(1), end_slot();
      break;
    case scenario::lower_leaves_parks:
      enter(0), enter(1), leave(0);
      break;
    case scenario::middle_leaves_parks:
      enter(0), enter(1), enter(2), leave(1);
      break;
    case scenario::destroys_frame:
    case scenario::resumes_out_of_order:
    case scenario::resumes_chain:
    case scenario::callback_ends_slot_first:
      enter(0), enter(1);
      if (ran_inline || !suspended.park())
        leave(1), leave(0), end_slot();
      break;
    case scenario::outlives_turn:
      enter(0), enter(1), leave(0), enter(2), leave(2), leave(1), end_slot();
      break;
    case scenario::slot_ends_first:
      enter(0), enter(1), end_slot(), drop(1), drop(0);
      break;
    case scenario::another_source_between:
      enter(0), enter(1, *other_slot, other_stop), enter(2);
      leave(2), leave(1, *other_slot), leave(0);
      end_slot(other_slot, other_stop), end_slot();
      break;
    case scenario::hands_over:
      enter(0);
      if (ran_inline || !suspended.park()) {
        leave(0), end_slot();
        handed_over($).store(2, rl::mo_release);
      }
      break;
    case scenario::frame_ends:
      enter(0);
      while (!slot->stop_requested())
        rl::yield(1, $);
      leave(0);
      if (!is_weakened_by(weakening::frame_ends_at_once))
        slot->close_and_wait();
      slot.reset();
      break;
    default:
      break;
    }
  }

  void request_stop() {
    if (current.scenario == scenario::frame_ends) {
      before_request = 1;
      stop.begin_call(); // before the frame, which has no token, learns of it
      slot->stop();
      return;
    }
    if (current.scenario == scenario::two_cancellers) {
      stop.begin_call();
      slot->stop();
      return;
    }
    before_request = 1;
    if (current.scenario == scenario::another_source_between)
      call(other_slot, other_stop);
    call(slot, stop);
  }

  static void call(std::optional<protocol> &relayed, stop_state &state) {
    if (!state.begin_call())
      return;
    relayed->stop();
    state.end_call();
  }

  void take_over() {
    std::uintptr_t what;
    while ((what = handed_over($).load(rl::mo_acquire)) == 0)
      rl::yield(1, $);
    if (what == 1)
      leave(0), end_slot();
  }

  /// Callback `id` runs, on the canceller or, if the stop came first, in the owner's `enter`.
  void fired(int id) {
    RL_ASSERT(id >= 0);
    RL_ASSERT(current.scenario == scenario::two_cancellers || before_request == 1);
    RL_ASSERT(++runs[id] == 1);
    effect[id] = 1;
    if (rl::thread_index() == owner)
      ran_inline = true;
    else
      act(id);
  }

  void act(int id) {
    switch (current.scenario) {
    case scenario::resets_itself:
      if (id == 0 && constructed($).load(rl::mo_acquire))
        leave(0);
      break;
    case scenario::resets_sibling:
      if (id == 1)
        leave(0);
      break;
    case scenario::destroys_frame:
      if (suspended.claim())
        leave(1), leave(0), end_slot();
      break;
    case scenario::resumes_out_of_order:
      if (suspended.claim())
        leave(0), leave(1), enter(2), leave(2), end_slot();
      break;
    case scenario::resumes_chain:
      if (suspended.claim())
        leave(1), enter(2), leave(2), leave(0), end_slot();
      break;
    case scenario::callback_ends_slot_first:
      if (suspended.claim())
        end_slot(), drop(1), drop(0);
      break;
    case scenario::hands_over:
      if (suspended.claim())
        handed_over($).store(1, rl::mo_release);
      break;
    default:
      break;
    }
  }
};

struct spin_lock_stage : rl::test_suite<spin_lock_stage, 2> {
  cancel::detail::spin_lock<checked_policy> lock;
  checked_plain<int> guarded = 0;

  void thread(unsigned) {
    lock.lock();
    guarded = guarded + 1;
    lock.unlock();
  }
  void after() { RL_ASSERT(guarded == 2); }
};

} // namespace slot_simulation

#endif
