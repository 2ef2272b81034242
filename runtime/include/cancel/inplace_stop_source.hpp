// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++26's stop source that holds its state itself: nothing allocated, nothing counted.
#ifndef CANCEL_INPLACE_STOP_SOURCE_HPP
#define CANCEL_INPLACE_STOP_SOURCE_HPP

#include <cancel/config.hpp>

#if CANCEL_USE_LEGACY_STOP_TOKEN
#include <cancel/detail/legacy_inplace_stop_source.hpp>
#else
#include <cancel/detail/native_policy.hpp>
#include <cancel/detail/stop_state.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace cancel {
namespace detail {

using native_stop_state = stop_state<native_policy>;
using native_callback_node = callback_node<native_policy>;

/// Shows the stop state behind a token to what registers with it.
struct token_access;

/// What every stop callback of this library is: a node, and the registry it is in, if any.
template <class F>
class registered_callback : native_callback_node {
public:
  template <class Initializer>
    requires std::constructible_from<F, Initializer>
  explicit registered_callback(Initializer &&initializer) noexcept(
      std::is_nothrow_constructible_v<F, Initializer>)
      : native_callback_node(&registered_callback::run),
        callback_(std::forward<Initializer>(initializer)) {}

  registered_callback(const registered_callback &) = delete;
  registered_callback &operator=(const registered_callback &) = delete;
  ~registered_callback() = default;

  /// Runs the callback here if a stop was requested already. `state` may be null.
  void enlist(native_stop_state *state) noexcept {
    if (!state)
      return;
    // A requested stop is seen here without the lock; one that slips in between, under it.
    if (!state->stop_requested()) [[likely]] {
      auto &registry = state->registry_of_this_thread();
      registry_ = &registry; // before a stop can run the callback, which may end this object
      if (registry.enlist(static_cast<native_callback_node &>(*this)))
        return;
      registry_ = nullptr;
    }
    run(*this);
  }

  void withdraw() noexcept {
    if (registry_)
      registry_->withdraw(static_cast<native_callback_node &>(*this));
  }

private:
  static void run(native_callback_node &node) noexcept {
    std::forward<F>(static_cast<registered_callback &>(node).callback_)();
  }

  native_stop_state::registry *registry_ = nullptr;
  [[no_unique_address]] F callback_;
};

/// What the sources of this header have in common.
template <unsigned Shards>
class inplace_source;

/// A stop state with its registries.
template <unsigned Shards>
struct stop_state_with_registries {
  constexpr stop_state_with_registries() noexcept : state(lines.data(), Shards) {}

  std::array<registry_line<native_policy>, Shards> lines;
  native_stop_state state; // last, because its destructor uses the registries
};

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

template <class F>
class inplace_stop_callback;

/// Polls an inplace source and registers with it ([stoptoken.inplace]). Eight bytes that own
/// nothing: copying costs nothing, and the source must outlive every use.
class inplace_stop_token {
public:
  template <class F>
  using callback_type = inplace_stop_callback<F>;

  constexpr inplace_stop_token() noexcept = default;

  /// What preceded the request is visible to whoever reads true. Cost: one load.
  [[nodiscard]] bool stop_requested() const noexcept { return state_ && state_->stop_requested(); }
  [[nodiscard]] constexpr bool stop_possible() const noexcept { return state_ != nullptr; }

  constexpr void swap(inplace_stop_token &other) noexcept { std::swap(state_, other.state_); }
  friend constexpr void swap(inplace_stop_token &a, inplace_stop_token &b) noexcept { a.swap(b); }

  friend constexpr bool operator==(inplace_stop_token, inplace_stop_token) noexcept = default;

private:
  template <class F>
  friend class inplace_stop_callback;
  template <unsigned Shards>
  friend class detail::inplace_source;
  friend struct detail::token_access;

  constexpr explicit inplace_stop_token(detail::native_stop_state *state) noexcept
      : state_(state) {}

  detail::native_stop_state *state_ = nullptr;
};

} // namespace CANCEL_MODE_NAMESPACE

namespace detail {

template <unsigned Shards>
class inplace_source {
  static_assert(Shards > 0);

public:
  inplace_source(const inplace_source &) = delete;
  inplace_source &operator=(const inplace_source &) = delete;

  [[nodiscard]] constexpr inplace_stop_token get_token() const noexcept {
    return inplace_stop_token(&shared_.state);
  }
  [[nodiscard]] static constexpr bool stop_possible() noexcept { return true; }
  [[nodiscard]] bool stop_requested() const noexcept { return shared_.state.stop_requested(); }

  /// Runs what is registered and returns true; every call but the first returns false.
  bool request_stop() noexcept { return shared_.state.request_stop(); }

protected:
  constexpr inplace_source() noexcept = default;
  ~inplace_source() = default;

private:
  // Tokens of a constant source register with it: the state is not part of its value.
  mutable stop_state_with_registries<Shards> shared_;
};

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

/// A stop source that is its own stop state ([stopsource.inplace]): no heap, no reference counts.
///
/// Thread-safety: `get_token`, `stop_requested` and `request_stop` may be called from any thread at
/// any time. Lifetime: outlives its tokens' and callbacks' use; a callback may end it all the same,
/// on the thread that is in `request_stop`, even before other callbacks have run, which must then
/// have ended too. Callbacks run on the thread that requests the stop: slots first, then callbacks,
/// the newest of each first. Cost: two cache lines; the flag that tokens poll does not share one
/// with anything that registration writes. A stop is O(registrations) and makes at most one heavy
/// fence.
class inplace_stop_source : public detail::inplace_source<1> {
public:
  constexpr inplace_stop_source() noexcept = default;
};

static_assert(sizeof(inplace_stop_source) <= 128);

/// An inplace source whose registrations spread over `Shards` lists, for many threads that register
/// with one source. Each thread keeps to one list, so that threads do not contend until there are
/// more of them than lists; a stop visits all lists. `Shards + 1` cache lines.
///
/// The rest is as with `inplace_stop_source`, whose tokens and callbacks it shares, except that no
/// thread but the one in `request_stop` may end its lifetime during that call.
template <unsigned Shards>
class sharded_stop_source : public detail::inplace_source<Shards> {
public:
  constexpr sharded_stop_source() noexcept = default;
};

/// Runs a callback when an inplace source is stopped ([stopcallback.inplace]).
///
/// If the stop was requested before, the constructor runs it. The destructor takes it out; if it is
/// running on another thread, the destructor returns when it has run. A callback may end its own
/// object, any other one, and the source. It must not throw: std::terminate is called. Cost: one
/// lock each for registering and deregistering; O(1), no heap.
template <class F>
class inplace_stop_callback {
  static_assert(std::invocable<F> && std::destructible<F>);

public:
  using callback_type = F;

  /// Throws what constructing the callback throws; nothing is registered then.
  template <class Initializer>
    requires std::constructible_from<F, Initializer>
  explicit inplace_stop_callback(inplace_stop_token token, Initializer &&initializer) noexcept(
      std::is_nothrow_constructible_v<F, Initializer>)
      : registered_(std::forward<Initializer>(initializer)) {
    registered_.enlist(token.state_);
  }

  inplace_stop_callback(const inplace_stop_callback &) = delete;
  inplace_stop_callback &operator=(const inplace_stop_callback &) = delete;
  ~inplace_stop_callback() { registered_.withdraw(); }

private:
  detail::registered_callback<F> registered_;
};

template <class F>
inplace_stop_callback(inplace_stop_token, F) -> inplace_stop_callback<F>;

} // namespace CANCEL_MODE_NAMESPACE

namespace detail {

struct token_access {
  static native_stop_state *state(const inplace_stop_token &token) noexcept { return token.state_; }
};

} // namespace detail
} // namespace cancel

#endif // CANCEL_USE_LEGACY_STOP_TOKEN

#endif
