// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policy that puts relacy under the shipped slot_protocol and can weaken it while the program
// runs.
#ifndef CANCEL_TEST_RUNTIME_RELACY_CHECKED_POLICY_HPP
#define CANCEL_TEST_RUNTIME_RELACY_CHECKED_POLICY_HPP

#include "simulation.hpp"

#include <cancel/detail/protocol_orders.hpp>
#include <cancel/detail/slot_protocol.hpp>

#include <cstdint>
#include <iterator>

#include <relacy/relacy.hpp> // last: it defines macros with the names of keywords and std functions
#undef delete

namespace slot_simulation {

/// An order that a weakening may replace, or with it the whole access.
struct site {
  enum class access { ordinary, omitted, not_atomic };

  site(std::memory_order shipped) : order(translate(shipped)) {}

  static rl::memory_order translate(std::memory_order order) {
    switch (order) {
    case std::memory_order::relaxed:
      return rl::mo_relaxed;
    case std::memory_order::acquire:
      return rl::mo_acquire;
    case std::memory_order::release:
      return rl::mo_release;
    case std::memory_order::acq_rel:
      return rl::mo_acq_rel;
    default:
      return rl::mo_seq_cst;
    }
  }

  rl::memory_order order;
  access kind = access::ordinary;
};

/// The shipped orders under their shipped names, each of which can be weakened.
struct checked_orders {
  using shipped = cancel::detail::protocol_orders;
#define CHECKED_ORDER(name) static inline site name = shipped::name
  CHECKED_ORDER(shared_head);
  CHECKED_ORDER(shared_stopped);
  CHECKED_ORDER(stop);
  CHECKED_ORDER(canceller_head);
  CHECKED_ORDER(turned_arm);
  CHECKED_ORDER(turned_disarm);
  CHECKED_ORDER(light_after_arm);
  CHECKED_ORDER(light_after_disarm);
  CHECKED_ORDER(heavy);
  CHECKED_ORDER(turned_stopped);
  CHECKED_ORDER(turn);
  CHECKED_ORDER(probe);
  CHECKED_ORDER(canceller_mode);
  CHECKED_ORDER(own);
  CHECKED_ORDER(callback_stopped);
  CHECKED_ORDER(seen_stopped);
  CHECKED_ORDER(locked_head);
  CHECKED_ORDER(mark);
  CHECKED_ORDER(marks);
  CHECKED_ORDER(request);
  CHECKED_ORDER(requested);
  CHECKED_ORDER(lock);
  CHECKED_ORDER(lock_peek);
  CHECKED_ORDER(unlock);
  CHECKED_ORDER(retired);
  CHECKED_ORDER(claim_suspend);
  CHECKED_ORDER(claim_decide);
  CHECKED_ORDER(claim_read);
  CHECKED_ORDER(claim_peek);
#undef CHECKED_ORDER
};

/// The run in progress. The simulation runs in one thread, so that these are ordinary variables.
inline simulation current;

/// What the running simulated thread is doing, where a weakening depends on it.
struct activity {
  bool disarms = false;
  bool closes_slot = false;
};
inline activity now[3];

inline constexpr unsigned owner = 0;
inline constexpr unsigned canceller = 1;

inline bool is_weakened_by(weakening w) { return current.weakening == w; }

/// Every checked value is stored as one word, so that relacy's templates are instantiated once.
template <class T>
std::uintptr_t to_word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(value);
  else
    return static_cast<std::uintptr_t>(value);
}
template <class T>
T from_word(std::uintptr_t word) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(word);
  else
    return static_cast<T>(word);
}

/// relacy lacks one rule of [atomics.order]/4: a seq_cst load that follows a seq_cst fence in the
/// total order sees what was stored before that fence. Stores that rely on it are therefore
/// repeated as seq_cst ones when the fence has passed. This gives acquire loads an edge that the
/// fence alone does not; the protocol's readers have it from the token.
class stores_before_a_fence {
public:
  void add(rl::atomic<std::uintptr_t> &object, std::uintptr_t value) {
    RL_ASSERT(count_ < std::size(stores_));
    stores_[count_++] = {&object, value};
  }
  void repeat() {
    for (std::size_t i = 0; i < count_; ++i)
      (*stores_[i].object)($).store(stores_[i].value, rl::mo_seq_cst);
    forget();
  }
  void forget() { count_ = 0; }

private:
  struct store {
    rl::atomic<std::uintptr_t> *object;
    std::uintptr_t value;
  };
  store stores_[4]; // no container: relacy replaces the allocator
  std::size_t count_ = 0;
};
inline stores_before_a_fence marks_of_the_canceller;

template <class T>
class checked_atomic {
public:
  checked_atomic(T value) : value_(to_word(value)), newest_(value) {}

  /// The owner's loads of what only the owner writes find the newest value at any moment: they are
  /// no reason to try another schedule.
  T load(const site &at) const {
    return &at == &checked_orders::own ? newest_ : from_word<T>(value_($).load(at.order));
  }

  void store(T value, const site &at) {
    if (at.kind == site::access::omitted)
      return;
    value_($).store(to_word(value), at.order);
    newest_ = value;
    if (&at == &checked_orders::mark)
      marks_of_the_canceller.add(value_, to_word(value));
  }

  T exchange(T value, const site &at) {
    if (at.kind == site::access::not_atomic) {
      const T old = from_word<T>(value_($).load(rl::mo_acquire));
      value_($).store(to_word(value), rl::mo_seq_cst);
      return old;
    }
    return from_word<T>(value_($).exchange(to_word(value), at.order));
  }

  bool compare_exchange_strong(T &expected, T value, const site &success, const site &failure) {
    if (success.kind == site::access::not_atomic) {
      const T old = from_word<T>(value_($).load(rl::mo_acquire));
      if (old != expected)
        return expected = old, false;
      value_($).store(to_word(value), rl::mo_seq_cst);
      return true;
    }
    std::uintptr_t word = to_word(expected);
    const bool changed =
        value_($).compare_exchange_strong(word, to_word(value), success.order, failure.order);
    expected = from_word<T>(word);
    return changed;
  }

private:
  rl::atomic<std::uintptr_t> value_;
  T newest_; ///< not maintained by what reads and writes at once
};

/// Reports a data race where two accesses are not ordered, and any access after the end of its
/// life.
template <class T>
class checked_plain {
public:
  checked_plain() = default;
  checked_plain(T value) : value_(to_word(value)) {}
  checked_plain(const checked_plain &other) : checked_plain(static_cast<T>(other)) {}
  checked_plain &operator=(T value) {
    value_($) = to_word(value);
    return *this;
  }
  checked_plain &operator=(const checked_plain &other) { return *this = static_cast<T>(other); }
  operator T() const { return from_word<T>(value_($).load()); }

private:
  rl::var<std::uintptr_t> value_;
};

/// In place of the spin lock: a thread that waits for it is not scheduled, which leaves far fewer
/// executions to search. The spin lock itself is checked on its own.
class checked_mutex {
public:
  void lock() {
    if (!is_skipped())
      mutex_.lock($);
  }
  void unlock() {
    if (!is_skipped())
      mutex_.unlock($);
  }

  // The hint is never taken here: the shipped lock, which gives it, is simulated elsewhere.
  void retire() { unlock(); }
  bool is_retired() const { return false; }

private:
  static bool is_skipped() {
    return is_weakened_by(weakening::no_lock) ||
           (is_weakened_by(weakening::disarm_without_lock) && now[rl::thread_index()].disarms);
  }
  rl::mutex mutex_;
};

/// A function pointer whose call through null is a finding rather than a crash.
template <class Link>
class checked_callback {
public:
  using function = void (*)(Link &) noexcept;

  checked_callback(function run) : run_(run) {}
  checked_callback(std::nullptr_t) : run_(nullptr) {}
  explicit checked_callback(std::uintptr_t word) : run_(reinterpret_cast<function>(word)) {}
  explicit operator std::uintptr_t() const { return reinterpret_cast<std::uintptr_t>(run_); }
  explicit operator bool() const { return run_ != nullptr; }
  void operator()(Link &guard) const {
    RL_ASSERT(run_ != nullptr);
    run_(guard);
  }

private:
  function run_;
};

struct checked_policy {
  template <class T>
  using atomic = checked_atomic<T>;
  template <class T>
  using plain = checked_plain<T>;
  template <class Link>
  using callback = checked_callback<Link>;
  using mutex = checked_mutex;
  using order = checked_orders;
  using thread_id = unsigned;

  /// Set by each stage for its mode.
  static inline std::uint16_t awaits_per_heavy_fence = 1;

  static unsigned this_thread() {
    const unsigned self = rl::thread_index();
    constexpr unsigned nobody = 99;
    if (is_weakened_by(weakening::slot_death_unnoticed) && now[self].closes_slot)
      return nobody;
    if (is_weakened_by(weakening::waits_for_itself) && now[self].disarms)
      return nobody;
    if (is_weakened_by(weakening::no_wait_for_callback) && now[self].disarms)
      return canceller;
    return self;
  }
  static void wait(unsigned) { rl::yield(1, $); }
  static void back_off(unsigned round) { wait(round); }
  static unsigned this_thread_number() { return rl::thread_index(); }
  static bool can_turn() { return true; }
  static bool can_start_turned() { return true; }

  static void light(const site &at) {
    if (at.kind != site::access::omitted && current.fences == fences::sequential)
      rl::atomic_thread_fence(at.order, $);
  }
  static void fence(const site &at) {
    if (at.kind == site::access::omitted)
      return;
    rl::atomic_thread_fence(at.order, $);
    if (at.order == rl::mo_seq_cst)
      marks_of_the_canceller.repeat();
  }
  static void heavy(const site &at) {
    if (at.kind == site::access::omitted)
      return;
    if (current.fences == fences::sequential) {
      rl::atomic_thread_fence(at.order, $);
    } else {
      rl::ctx().sched(); // membarrier may come at any moment of the other threads
      rl::systemwide_fence($);
    }
  }
};

} // namespace slot_simulation

#endif
