// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of stop_slot.hpp over std::stop_callback, for programs that want to compare or to
// retreat.
#ifndef CANCEL_DETAIL_LEGACY_STOP_SLOT_HPP
#define CANCEL_DETAIL_LEGACY_STOP_SLOT_HPP

#include <cancel/config.hpp>
#include <cancel/inplace_stop_source.hpp>
#include <cancel/local_stop_queue.hpp>
#include <cancel/std_interop.hpp>
#include <cancel/stop_policy.hpp>
#include <cancel/stoppable_token.hpp>

#include <concepts>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {
namespace detail {

/// The std::stop_token that stands for any other one.
template <class Token>
class legacy_registration {
public:
  explicit legacy_registration(const Token &token) : bridge_(token) {}
  std::stop_token std_token() const noexcept { return bridge_.get_token(); }

private:
  std_stop_bridge<Token> bridge_;
};
template <>
class legacy_registration<std::stop_token> {
public:
  explicit legacy_registration(const std::stop_token &token) noexcept : token_(token) {}
  const std::stop_token &std_token() const noexcept { return token_; }

private:
  std::stop_token token_;
};
template <>
class legacy_registration<inplace_stop_token> {
public:
  explicit legacy_registration(const inplace_stop_token &token) noexcept : token_(token.legacy()) {}
  const std::stop_token &std_token() const noexcept { return token_; }

private:
  std::stop_token token_;
};
template <>
class legacy_registration<never_stop_token> {
public:
  explicit legacy_registration(never_stop_token) noexcept {}
  std::stop_token std_token() const noexcept { return {}; }
};

/// What a guard may see of the slot that it is armed on.
struct slot_access {
  template <class Slot>
  static decltype(auto) std_token(const Slot &slot) noexcept {
    return slot.std_token();
  }
};

} // namespace detail

/// Something to arm a guard on: a `stop_slot`, a `slot_reference` or a `stop_frame`.
template <class Slot>
concept armable = requires(const Slot &slot) { detail::slot_access::std_token(slot); };

inline namespace CANCEL_MODE_NAMESPACE {

/// Only names the token: each guard registers by itself.
/// Contract: that of the embedded mode; every use that is right there is right here.
template <stoppable_token Token = std::stop_token, class Queue = void>
class stop_slot {
public:
  using token_type = Token;

  explicit stop_slot(Token token, stop_policy = stop_policy::adaptive)
      : token_(std::move(token)), registration_(token_) {}

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;
  ~stop_slot() = default;

  [[nodiscard]] const Token &token() const noexcept { return token_; }
  [[nodiscard]] bool stop_requested() const noexcept { return token_.stop_requested(); }

private:
  friend struct detail::slot_access;
  std::stop_token std_token() const noexcept { return registration_.std_token(); }

  Token token_;
  detail::legacy_registration<Token> registration_;
};

/// The most frequent slot holds one token and nothing else.
template <>
class stop_slot<std::stop_token, void> {
public:
  using token_type = std::stop_token;

  explicit stop_slot(std::stop_token token, stop_policy = stop_policy::adaptive) noexcept
      : token_(std::move(token)) {}

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;
  ~stop_slot() = default;

  [[nodiscard]] const std::stop_token &token() const noexcept { return token_; }
  [[nodiscard]] bool stop_requested() const noexcept { return token_.stop_requested(); }

private:
  friend struct detail::slot_access;
  const std::stop_token &std_token() const noexcept { return token_; }

  std::stop_token token_;
};

/// A source of its own, which a stop from elsewhere reaches through the queue.
template <stoppable_token Token>
class stop_slot<Token, local_stop_queue> : local_stop_queue::entry {
public:
  using token_type = Token;

  stop_slot(Token token, local_stop_queue &queue)
      : entry(queue, &stop_slot::request_own_stop), token_(std::move(token)),
        relay_(token_, relay{*this}) {}

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;
  ~stop_slot() = default;

  [[nodiscard]] const Token &token() const noexcept { return token_; }
  [[nodiscard]] bool stop_requested() const noexcept { return token_.stop_requested(); }

private:
  friend struct detail::slot_access;

  struct relay {
    entry &posted;
    void operator()() const noexcept { posted.stop(); }
  };
  static void request_own_stop(entry &posted) noexcept {
    std::stop_source kept = static_cast<stop_slot &>(posted).source_;
    kept.request_stop();
  }

  /// A guard that is armed after the request, but before the queue has run, runs at once.
  std::stop_token std_token() const noexcept {
    if (token_.stop_requested())
      std::stop_source(source_).request_stop();
    return source_.get_token();
  }

  std::stop_source source_;
  Token token_;
  stop_callback_for_t<Token, relay> relay_; // last: a stop may arrive as soon as it is there
};

template <class Token>
stop_slot(Token) -> stop_slot<Token>;
template <class T>
  requires(!stoppable_token<T> && std::convertible_to<T, std::stop_token>)
stop_slot(T) -> stop_slot<std::stop_token>;
template <class Token>
stop_slot(Token, stop_policy) -> stop_slot<Token>;
template <class Token>
stop_slot(Token, local_stop_queue &) -> stop_slot<Token, local_stop_queue>;

/// A std::stop_callback on the slot's token.
template <class F>
class [[nodiscard]] stop_guard {
public:
  using callback_type = F;

  template <armable Slot, class C>
    requires std::is_constructible_v<F, C>
  explicit stop_guard(Slot &slot, C &&callback) noexcept(std::is_nothrow_constructible_v<F, C>)
      : callback_(detail::slot_access::std_token(slot), std::forward<C>(callback)) {}

  template <armable Slot, class C>
  stop_guard(const Slot &&, C &&) = delete;

  stop_guard(const stop_guard &) = delete;
  stop_guard &operator=(const stop_guard &) = delete;
  ~stop_guard() = default;

private:
  std::stop_callback<F> callback_;
};

template <class Slot, class F>
stop_guard(Slot &, F) -> stop_guard<F>;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
