// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that a stop source, its tokens and its callbacks share: a flag to poll, and registries
// elsewhere.
#ifndef CANCEL_DETAIL_STOP_STATE_HPP
#define CANCEL_DETAIL_STOP_STATE_HPP

#include <cancel/detail/stop_registry.hpp>

#include <cstddef>
#include <cstdint>

namespace cancel::detail {

/// What polls and what registers must not disturb each other.
inline constexpr std::size_t cache_line = 64;

/// One registry on a cache line of its own.
template <class Policy>
struct alignas(cache_line) registry_line {
  constexpr registry_line() noexcept = default;

  stop_registry<Policy> registry_;
};

/// The polled line. Written once, when a stop is requested; the registries stand right behind it or
/// wherever the constructor is told.
template <class Policy>
class alignas(cache_line) stop_state {
  using order = typename Policy::order;

public:
  using registry = stop_registry<Policy>;

  constexpr stop_state(registry_line<Policy> *lines, unsigned count) noexcept
      : lines_(lines), count_(count) {}

  stop_state(const stop_state &) = delete;
  stop_state &operator=(const stop_state &) = delete;

  ~stop_state() {
    if (requested_.load(order::requested)) [[unlikely]]
      for (unsigned i = 0; i < count_; ++i)
        lines_[i].registry_.close();
  }

  /// One load. What preceded the request is visible to whoever reads true.
  bool stop_requested() const noexcept { return requested_.load(order::requested); }

  /// Where this thread registers.
  registry &registry_of_this_thread() noexcept {
    const unsigned shard = count_ == 1 ? 0 : Policy::this_thread_number() % count_;
    return lines_[shard].registry_;
  }

  /// Runs everything that is registered and returns true; the first call only. Every other one
  /// returns false, not before `stop_requested()` does. O(registrations), and at most one heavy
  /// fence.
  bool request_stop() noexcept {
    if (requested_.load(order::requested))
      return false;
    // The first registry decides who stops. All are held until the flag is up: nothing runs, and
    // nothing is refused registration, while a token still denies the stop.
    lines_[0].registry_.lock();
    if (lines_[0].registry_.is_stopped()) {
      lines_[0].registry_.unlock();
      return false;
    }
    for (unsigned i = 1; i < count_; ++i)
      lines_[i].registry_.lock();
    bool any_slots = false;
    for (unsigned i = 0; i < count_; ++i)
      any_slots |= lines_[i].registry_.mark();
    requested_.store(true, order::request);
    for (unsigned i = 1; i < count_; ++i)
      lines_[i].registry_.unlock();
    if (any_slots)
      Policy::fence(order::marks);

    bool has_fenced = false;
    const unsigned count = count_;
    registry_line<Policy> *const lines = lines_;
    for (unsigned i = 0; i < count; ++i) {
      if (i != 0)
        lines[i].registry_.lock();
      if (!lines[i].registry_.fire(has_fenced))
        return true; // this state is gone
    }
    return true;
  }

private:
  typename Policy::template atomic<bool> requested_{false};
  registry_line<Policy> *const lines_;
  const unsigned count_;
};

} // namespace cancel::detail

#endif
