// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concepts of C++26 for stop tokens and stop sources, for std::stop_token of C++20 too.
#ifndef CANCEL_STOPPABLE_TOKEN_HPP
#define CANCEL_STOPPABLE_TOKEN_HPP

#include <concepts>
#include <stop_token>
#include <type_traits>

namespace cancel {

/// The type that registers a `F` with a `Token`: `Token::callback_type<F>` ([stoptoken.concepts]).
/// Specialise it for a token type that has no such member.
template <class Token, class F>
struct stop_callback_for {};

template <class Token, class F>
  requires requires { typename Token::template callback_type<F>; }
struct stop_callback_for<Token, F> {
  using type = typename Token::template callback_type<F>;
};

/// C++20's std::stop_token lacks the member.
template <class F>
struct stop_callback_for<std::stop_token, F> {
  using type = std::stop_callback<F>;
};

/// [stoptoken.concepts] `stop_callback_for_t`.
template <class Token, class F>
using stop_callback_for_t = typename stop_callback_for<Token, F>::type;

namespace detail {
struct any_callback {
  void operator()() const noexcept;
};
} // namespace detail

/// [stoptoken.concepts] `stoppable-token`: something to poll and to register callbacks with.
template <class Token>
concept stoppable_token = std::copyable<Token> && std::equality_comparable<Token> &&
                          std::swappable<Token> && requires(const Token token) {
                            typename stop_callback_for_t<Token, detail::any_callback>;
                            { token.stop_requested() } noexcept -> std::same_as<bool>;
                            { token.stop_possible() } noexcept -> std::same_as<bool>;
                            { Token(token) } noexcept;
                          };

/// [stoptoken.concepts] `unstoppable-token`: one of which the compiler knows that nothing stops it.
template <class Token>
concept unstoppable_token = stoppable_token<Token> && requires {
  requires std::bool_constant<(!Token::stop_possible())>::value;
};

/// [stoptoken.concepts] `stoppable-source`.
template <class Source>
concept stoppable_source = requires(Source &source, const Source &constant) {
  { constant.get_token() } -> stoppable_token;
  { constant.stop_possible() } noexcept -> std::same_as<bool>;
  { constant.stop_requested() } noexcept -> std::same_as<bool>;
  { source.request_stop() } -> std::same_as<bool>;
};

/// [stoptoken.never]: the token of what is never stopped. Everything about it costs nothing.
class never_stop_token {
  struct nothing {
    explicit nothing(never_stop_token, auto &&) noexcept {}
  };

public:
  template <class>
  using callback_type = nothing;

  [[nodiscard]] static constexpr bool stop_requested() noexcept { return false; }
  [[nodiscard]] static constexpr bool stop_possible() noexcept { return false; }

  bool operator==(const never_stop_token &) const = default;
};

} // namespace cancel

#endif
