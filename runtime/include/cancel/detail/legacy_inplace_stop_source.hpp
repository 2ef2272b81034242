// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of inplace_stop_source.hpp over std::stop_source, for programs that want to compare
// or to retreat.
#ifndef CANCEL_DETAIL_LEGACY_INPLACE_STOP_SOURCE_HPP
#define CANCEL_DETAIL_LEGACY_INPLACE_STOP_SOURCE_HPP

#include <cancel/config.hpp>

#include <concepts>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace cancel {
inline namespace CANCEL_MODE_NAMESPACE {

template <class F>
class inplace_stop_callback;

/// A std::stop_token that behaves as if it owned nothing.
class inplace_stop_token {
public:
  template <class F>
  using callback_type = inplace_stop_callback<F>;

  inplace_stop_token() noexcept = default;

  [[nodiscard]] bool stop_requested() const noexcept { return token_.stop_requested(); }
  [[nodiscard]] bool stop_possible() const noexcept { return token_.stop_possible(); }

  void swap(inplace_stop_token &other) noexcept { token_.swap(other.token_); }
  friend void swap(inplace_stop_token &a, inplace_stop_token &b) noexcept { a.swap(b); }
  bool operator==(const inplace_stop_token &) const noexcept = default;

  /// For the library's own use.
  [[nodiscard]] const std::stop_token &legacy() const noexcept { return token_; }

private:
  template <unsigned Shards>
  friend class sharded_stop_source;

  explicit inplace_stop_token(std::stop_token token) noexcept : token_(std::move(token)) {}

  std::stop_token token_;
};

/// A std::stop_source under another name.
template <unsigned Shards>
class sharded_stop_source {
public:
  sharded_stop_source() = default;
  sharded_stop_source(const sharded_stop_source &) = delete;
  sharded_stop_source &operator=(const sharded_stop_source &) = delete;
  ~sharded_stop_source() = default;

  [[nodiscard]] inplace_stop_token get_token() const noexcept {
    return inplace_stop_token(source_.get_token());
  }
  [[nodiscard]] static constexpr bool stop_possible() noexcept { return true; }
  [[nodiscard]] bool stop_requested() const noexcept { return source_.stop_requested(); }

  bool request_stop() noexcept {
    // A callback may end this source.
    std::stop_source kept = source_;
    return kept.request_stop();
  }

private:
  std::stop_source source_;
};

class inplace_stop_source : public sharded_stop_source<1> {};

/// A std::stop_callback under another name.
template <class F>
class inplace_stop_callback {
public:
  using callback_type = F;

  template <class Initializer>
    requires std::constructible_from<F, Initializer>
  explicit inplace_stop_callback(
      const inplace_stop_token &token,
      Initializer &&initializer) noexcept(std::is_nothrow_constructible_v<F, Initializer>)
      : callback_(token.legacy(), std::forward<Initializer>(initializer)) {}

  inplace_stop_callback(const inplace_stop_callback &) = delete;
  inplace_stop_callback &operator=(const inplace_stop_callback &) = delete;
  ~inplace_stop_callback() = default;

private:
  std::stop_callback<F> callback_;
};

template <class F>
inplace_stop_callback(inplace_stop_token, F) -> inplace_stop_callback<F>;

} // namespace CANCEL_MODE_NAMESPACE
} // namespace cancel

#endif
