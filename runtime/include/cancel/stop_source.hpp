// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::stop_source, stop_token and stop_callback under the same names, on this library's registry.
#ifndef CANCEL_STOP_SOURCE_HPP
#define CANCEL_STOP_SOURCE_HPP

#include <cancel/config.hpp>
#include <cancel/inplace_stop_source.hpp>

#include <stop_token>

#if !CANCEL_USE_LEGACY_STOP_TOKEN
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#endif

namespace cancel {

using std::nostopstate;
using std::nostopstate_t;

#if CANCEL_USE_LEGACY_STOP_TOKEN
inline namespace CANCEL_MODE_NAMESPACE {

using std::stop_callback;
using std::stop_source;
using std::stop_token;

} // namespace CANCEL_MODE_NAMESPACE
#else
namespace detail {

/// A stop state on the heap, which sources, tokens and callbacks own together.
class shared_stop_state {
public:
  shared_stop_state() noexcept : state_(&line_, 1) {}

  native_stop_state &state() noexcept { return state_; }

  // Plain memory, aligned here: aligned allocation often takes several times as long. The word
  // below the object says where the memory begins.
  static void *operator new(std::size_t size) {
    void *const memory = ::operator new(size + cache_line);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    void *const aligned = static_cast<char *>(memory) + (cache_line - address % cache_line);
    static_cast<void **>(aligned)[-1] = memory;
    return aligned;
  }
  static void operator delete(void *object) noexcept {
    ::operator delete(static_cast<void **>(object)[-1]);
  }

  /// Only an owner makes owners: relaxed, as nothing is published.
  void add_owner() noexcept { line_.owners_.fetch_add(1, std::memory_order_relaxed); }
  void add_source() noexcept { line_.sources_.fetch_add(1, std::memory_order_relaxed); }

  void remove_owner() noexcept {
    // Acquire and release: the last owner ends what the others used before.
    if (line_.owners_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  void remove_source() noexcept {
    line_.sources_.fetch_sub(1, std::memory_order_release); // with the load in has_sources
  }
  bool has_sources() const noexcept {
    return line_.sources_.load(std::memory_order_acquire) != 0; // with remove_source
  }

private:
  ~shared_stop_state() = default;

  /// The counts are written when tokens are copied: they keep the registry company, not the flag.
  struct counted_line : registry_line<native_policy> {
    std::atomic<std::uint32_t> owners_{1};
    std::atomic<std::uint32_t> sources_{1};
  };
  counted_line line_;
  native_stop_state state_; // last, because its destructor uses the registry
};

static_assert(sizeof(void *) != 8 || sizeof(shared_stop_state) <= 128);

/// Shows the stop state behind a token to what registers with it.
struct shared_token_access;

/// Owns a part of a shared stop state; empty or not.
class stop_state_owner {
public:
  stop_state_owner() noexcept = default;
  explicit stop_state_owner(shared_stop_state *adopted) noexcept : state_(adopted) {}
  stop_state_owner(const stop_state_owner &other) noexcept : state_(other.state_) {
    if (state_)
      state_->add_owner();
  }
  stop_state_owner(stop_state_owner &&other) noexcept
      : state_(std::exchange(other.state_, nullptr)) {}
  stop_state_owner &operator=(stop_state_owner other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~stop_state_owner() {
    if (state_)
      state_->remove_owner();
  }

  shared_stop_state *get() const noexcept { return state_; }
  native_stop_state *state() const noexcept { return state_ ? &state_->state() : nullptr; }
  bool operator==(const stop_state_owner &) const noexcept = default;

private:
  shared_stop_state *state_ = nullptr;
};

} // namespace detail

inline namespace CANCEL_MODE_NAMESPACE {

template <class F>
class stop_callback;

/// Polls a shared stop state and registers with it ([stoptoken]). Owns a part of the state: copying
/// counts, which costs an atomic read-modify-write; moving and references cost nothing.
class stop_token {
public:
  template <class F>
  using callback_type = stop_callback<F>;

  stop_token() noexcept = default;

  /// What preceded the request is visible to whoever reads true. Cost: one load.
  [[nodiscard]] bool stop_requested() const noexcept {
    detail::native_stop_state *const state = owner_.state();
    return state && state->stop_requested();
  }
  [[nodiscard]] bool stop_possible() const noexcept {
    detail::shared_stop_state *const shared = owner_.get();
    return shared && (shared->has_sources() || shared->state().stop_requested());
  }

  void swap(stop_token &other) noexcept { std::swap(owner_, other.owner_); }
  friend void swap(stop_token &a, stop_token &b) noexcept { a.swap(b); }

  [[nodiscard]] bool operator==(const stop_token &) const noexcept = default;

private:
  template <class F>
  friend class stop_callback;
  friend class stop_source;
  friend struct detail::shared_token_access;

  explicit stop_token(detail::stop_state_owner owner) noexcept : owner_(std::move(owner)) {}

  detail::stop_state_owner owner_;
};

/// Requests the stop ([stopsource]). Thread-safety, order of callbacks and cost of a stop are those
/// of `inplace_stop_source`; the state lives on the heap until its last owner, be it source, token
/// or callback, has ended: a callback may end all of them.
class stop_source {
public:
  /// Allocates the state: 128 bytes and what aligns them. Throws std::bad_alloc.
  stop_source() : owner_(new detail::shared_stop_state) {}
  explicit stop_source(nostopstate_t) noexcept {}

  stop_source(const stop_source &other) noexcept : owner_(other.owner_) {
    if (detail::shared_stop_state *const shared = owner_.get())
      shared->add_source();
  }
  stop_source(stop_source &&) noexcept = default;
  stop_source &operator=(const stop_source &other) noexcept {
    if (owner_ != other.owner_)
      stop_source(other).swap(*this);
    return *this;
  }
  stop_source &operator=(stop_source &&other) noexcept {
    stop_source(std::move(other)).swap(*this);
    return *this;
  }
  ~stop_source() {
    if (detail::shared_stop_state *const shared = owner_.get())
      shared->remove_source();
  }

  [[nodiscard]] stop_token get_token() const noexcept { return stop_token(owner_); }
  [[nodiscard]] bool stop_possible() const noexcept { return owner_.get() != nullptr; }
  [[nodiscard]] bool stop_requested() const noexcept {
    detail::native_stop_state *const state = owner_.state();
    return state && state->stop_requested();
  }

  /// Runs what is registered and returns true; every call but the first, and every call without a
  /// state, returns false.
  bool request_stop() const noexcept {
    // A callback may end this source and with it the last owner of the state.
    const detail::stop_state_owner kept = owner_;
    return kept.get() && kept.state()->request_stop();
  }

  void swap(stop_source &other) noexcept { std::swap(owner_, other.owner_); }
  friend void swap(stop_source &a, stop_source &b) noexcept { a.swap(b); }

  [[nodiscard]] bool operator==(const stop_source &) const noexcept = default;

private:
  detail::stop_state_owner owner_;
};

/// Runs a callback when the token's source is stopped ([stopcallback]); the meaning and the cost
/// are those of `inplace_stop_callback`. Owns a part of the state: construct it from a token that
/// is no longer needed, and nothing is counted.
template <class F>
class stop_callback {
  static_assert(std::invocable<F> && std::destructible<F>);

public:
  using callback_type = F;

  /// Throws what constructing the callback throws; nothing is registered then.
  template <class Initializer>
    requires std::constructible_from<F, Initializer>
  explicit stop_callback(const stop_token &token, Initializer &&initializer) noexcept(
      std::is_nothrow_constructible_v<F, Initializer>)
      : owner_(token.owner_), registered_(std::forward<Initializer>(initializer)) {
    registered_.enlist(owner_.state());
  }
  template <class Initializer>
    requires std::constructible_from<F, Initializer>
  explicit stop_callback(stop_token &&token, Initializer &&initializer) noexcept(
      std::is_nothrow_constructible_v<F, Initializer>)
      : owner_(std::move(token.owner_)), registered_(std::forward<Initializer>(initializer)) {
    registered_.enlist(owner_.state());
  }

  stop_callback(const stop_callback &) = delete;
  stop_callback &operator=(const stop_callback &) = delete;
  ~stop_callback() { registered_.withdraw(); }

private:
  detail::stop_state_owner owner_;
  detail::registered_callback<F> registered_;
};

template <class F>
stop_callback(stop_token, F) -> stop_callback<F>;

} // namespace CANCEL_MODE_NAMESPACE

namespace detail {

struct shared_token_access {
  static native_stop_state *state(const stop_token &token) noexcept { return token.owner_.state(); }
};

} // namespace detail
#endif

} // namespace cancel

#endif
