// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shipped stop state with its registry, and threads that register, deregister and stop, as
// relacy plays them.
#ifndef CANCEL_TEST_RUNTIME_RELACY_REGISTRY_STAGES_HPP
#define CANCEL_TEST_RUNTIME_RELACY_REGISTRY_STAGES_HPP

#include "simulation.hpp"

#include <cancel/detail/stop_state.hpp>

#include <memory>
#include <optional>

#include "checked_policy.hpp"
#include "slot_stages.hpp"

namespace slot_simulation {

/// As inplace_stop_source.
template <class Policy>
struct source {
  using state_type = cancel::detail::stop_state<Policy>;

  source() : state(&line, 1) {}

  cancel::detail::registry_line<Policy> line;
  state_type state;
};

/// Thread 0 owns a slot or a callback, thread 1 stops, thread 2, if any, stops too or registers as
/// well. Objects are numbered 0 and 1.
template <int Threads, class Policy = checked_policy>
struct registry_stage : rl::test_suite<registry_stage<Threads, Policy>, Threads> {
  using source = slot_simulation::source<Policy>;
  using registry = typename source::state_type::registry;
  using slot_node = typename registry::slot;
  using callback_node = typename registry::callback;
  using protocol = cancel::detail::slot_protocol<Policy>;
  using link = typename protocol::link;

  struct guard : link {
    guard(registry_stage &stage, int id) : link(&guard::run), stage(stage), id(id) {}
    ~guard() {
      this->prev_ = nullptr; // what a later use of the same memory would do to it
      this->run_ = nullptr;
    }
    static void run(link &base) noexcept {
      auto &self = static_cast<guard &>(base);
      self.stage.fired(self.id);
    }
    registry_stage &stage;
    int id;
  };

  struct callback : callback_node {
    callback(registry_stage &stage, int id) : callback_node(&callback::run), stage(stage), id(id) {}
    ~callback() { this->run_ = nullptr; }
    static void run(callback_node &base) noexcept {
      auto &self = static_cast<callback &>(base);
      self.stage.fired(self.id);
    }
    registry_stage &stage;
    int id;
  };

  /// As marked_signal.
  struct signal {
    const typename source::state_type &state;

    bool is_raised_after_light_fence(const protocol &slot) const {
      return slot.is_stopped_after_light_fence();
    }
    bool is_raised_in_order(const protocol &slot) const { return slot.is_stopped_in_order(); }
    void await(const protocol &) const {
      while (!is_weakened_by(weakening::runs_before_token_turns) && !state.stop_requested())
        rl::yield(1, $);
    }
  };

  std::optional<source> stop_source;
  std::optional<slot_node> slot;
  bool slot_enlisted = false;
  std::optional<guard> guards[2];
  std::optional<callback> callbacks[2];
  bool enlisted[2] = {false, false};
  suspension suspended;
  checked_plain<int> before_request;
  checked_plain<int> effect[2] = {0, 0};
  int runs[2] = {0, 0};
  int stops_won = 0;
  bool owner_ran_inline = false;
  bool source_was_ended = false;

  void before() {
    checked_policy::awaits_per_heavy_fence = current.mode == mode::turns_at_second ? 2 : 1;
    marks_of_the_canceller.forget();
    stop_source.emplace();
    before_request = 0;
  }

  void thread(unsigned index) {
    if (index == owner)
      return run_owner();
    if (index == 2 && current.scenario == scenario::callbacks_of_two_threads)
      return enlist_and_withdraw(1);
    request_stop();
  }

  void after() {
    if (!is_callback_scenario() || current.scenario == scenario::callback_stays)
      RL_ASSERT(stops_won == 1);
    switch (current.scenario) {
    case scenario::slot_parks:
    case scenario::slot_polls_then_arms:
    case scenario::slots_of_two_stops:
    case scenario::callback_stays:
      RL_ASSERT(runs[0] == 1);
      break;
    case scenario::slot_parks_twice:
      RL_ASSERT(runs[0] == 1 && runs[1] == 1);
      break;
    case scenario::slot_is_ended_by_callback:
      RL_ASSERT(!slot);
      break;
    case scenario::callback_ends_source:
      RL_ASSERT(source_was_ended && !stop_source && runs[0] == 1);
      break;
    default:
      break;
    }
    for (auto &guard : guards)
      guard.reset();
    slot.reset();
    for (auto &callback : callbacks)
      callback.reset();
    stop_source.reset();
  }

private:
  static bool is_callback_scenario() {
    return current.scenario == scenario::callbacks_of_two_threads ||
           current.scenario == scenario::callback_leaves ||
           current.scenario == scenario::callback_stays ||
           current.scenario == scenario::callback_ends_source;
  }

  void enlist_slot() {
    slot.emplace(cancel::detail::slot_mode::shared, 0);
    const auto policy = current.mode == mode::shared       ? cancel::stop_policy::shared
                        : current.mode == mode::asymmetric ? cancel::stop_policy::asymmetric
                                                           : cancel::stop_policy::adaptive;
    slot_enlisted = the_registry().enlist(*slot, policy);
  }
  void end_slot() {
    bool &closing = now[rl::thread_index()].closes_slot;
    closing = true;
    slot->protocol_.close();
    closing = false;
    if (slot_enlisted)
      withdraw(*slot);
    slot.reset();
  }
  template <class Node>
  void withdraw(Node &node) {
    bool &disarming = now[rl::thread_index()].disarms;
    disarming = true;
    the_registry().withdraw(node);
    disarming = false;
  }

  void enter(int id) {
    guards[id].emplace(*this, id);
    slot->protocol_.arm(*guards[id], signal{stop_source->state});
  }
  void leave(int id) {
    bool &disarming = now[rl::thread_index()].disarms;
    disarming = true;
    slot->protocol_.disarm(*guards[id]);
    disarming = false;
    static_cast<void>(static_cast<int>(effect[id])); // a data race, unless the callback is over
    guards[id].reset();
  }

  void enlist(int id) {
    callbacks[id].emplace(*this, id);
    enlisted[id] = the_registry().enlist(*callbacks[id]);
    if (!enlisted[id])
      fired(id);
  }
  void enlist_and_withdraw(int id) {
    enlist(id);
    if (enlisted[id])
      withdraw(*callbacks[id]);
    static_cast<void>(static_cast<int>(effect[id])); // a data race, unless the callback is over
    callbacks[id].reset();
  }

  registry &the_registry() { return stop_source->line.registry_; }

  void run_owner() {
    switch (current.scenario) {
    case scenario::slot_parks:
    case scenario::slots_of_two_stops:
      enlist_slot(), enter(0);
      break;
    case scenario::slot_parks_twice:
      enlist_slot(), enter(0), enter(1);
      break;
    case scenario::slot_lives:
      enlist_slot(), enter(0), leave(0), end_slot();
      break;
    case scenario::slot_arms_again:
      enlist_slot(), enter(0), leave(0), enter(1), leave(1), end_slot();
      break;
    case scenario::slot_polls_then_arms:
      enlist_slot();
      while (!stop_source->state.stop_requested())
        rl::yield(1, $);
      enter(0);
      RL_ASSERT(runs[0] == 1 && effect[0] == 1); // a data race, unless the callback is over
      break;
    case scenario::slot_is_ended_by_callback:
      enlist_slot(), enter(0);
      if (owner_ran_inline || !suspended.park())
        leave(0), end_slot();
      break;
    case scenario::callback_leaves:
    case scenario::callbacks_of_two_threads:
      enlist_and_withdraw(0);
      break;
    case scenario::callback_stays:
      enlist(0);
      break;
    default:
      break;
    }
  }

  void request_stop() {
    if (current.scenario == scenario::callback_ends_source) {
      enlist(0);
      request_and_count();
      return;
    }
    // Two requesters may both write this: it is the first one's that counts.
    if (Threads == 2 || current.scenario == scenario::callbacks_of_two_threads)
      before_request = 1;
    request_and_count();
  }

  void request_and_count() {
    if (stop_source->state.request_stop())
      ++stops_won;
    else
      RL_ASSERT(stop_source->state.stop_requested());
  }

  /// Callback `id` runs, on the canceller or, if the stop came first, while it is registered.
  void fired(int id) {
    RL_ASSERT(stop_source->state.stop_requested());
    if (Threads == 2 && current.scenario != scenario::callback_ends_source)
      RL_ASSERT(before_request == 1);
    RL_ASSERT(++runs[id] == 1);
    effect[id] = 1;
    if (rl::thread_index() == owner)
      owner_ran_inline = true;
    else if (current.scenario == scenario::slot_is_ended_by_callback) {
      if (suspended.claim())
        leave(0), end_slot();
    } else if (current.scenario == scenario::callback_ends_source) {
      callbacks[0].reset();
      bool &closing = now[rl::thread_index()].closes_slot;
      closing = true;
      stop_source.reset();
      closing = false;
      source_was_ended = true;
    }
  }
};

} // namespace slot_simulation

#endif
