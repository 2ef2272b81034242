// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of stop_slot.hpp over std::stop_callback, for programs that want to compare or to
// retreat.
#ifndef CANCEL_DETAIL_LEGACY_STOP_SLOT_HPP
#define CANCEL_DETAIL_LEGACY_STOP_SLOT_HPP

#include <cancel/config.hpp>

#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {
inline namespace CANCEL_MODE_NAMESPACE {

template <class F>
class stop_guard;

/// Only names the token: each guard registers by itself.
/// Contract: that of the embedded mode; every use that is right there is right here.
class stop_slot {
public:
  explicit stop_slot(const std::stop_token &token) noexcept : token_(token) {}

  stop_slot(const stop_slot &) = delete;
  stop_slot &operator=(const stop_slot &) = delete;
  ~stop_slot() = default;

  [[nodiscard]] const std::stop_token &token() const noexcept { return token_; }
  [[nodiscard]] bool stop_requested() const noexcept { return token_.stop_requested(); }

private:
  std::stop_token token_;
};

/// A std::stop_callback on the slot's token.
template <class F>
class [[nodiscard]] stop_guard {
public:
  using callback_type = F;

  template <class C>
    requires std::is_constructible_v<F, C>
  explicit stop_guard(stop_slot &slot, C &&callback) noexcept(std::is_nothrow_constructible_v<F, C>)
      : callback_(slot.token(), std::forward<C>(callback)) {}

  template <class C>
  stop_guard(stop_slot &&, C &&) = delete;

  stop_guard(const stop_guard &) = delete;
  stop_guard &operator=(const stop_guard &) = delete;
  ~stop_guard() = default;

private:
  std::stop_callback<F> callback_;
};

template <class F>
stop_guard(stop_slot &, F) -> stop_guard<F>;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
