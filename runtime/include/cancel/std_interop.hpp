// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::stop_token that any other stop token drives, for what takes nothing else.
#ifndef CANCEL_STD_INTEROP_HPP
#define CANCEL_STD_INTEROP_HPP

#include <cancel/config.hpp>
#include <cancel/stoppable_token.hpp>

#include <stop_token>
#include <utility>

namespace cancel {

/// Passes a stop on to a std::stop_source of its own, so that std::condition_variable_any, and
/// functions and libraries that take a std::stop_token, are stopped by a token of another type:
///
///     cancel::std_stop_bridge bridge(token);
///     condition.wait(lock, bridge.get_token(), [&] { return ready; });
///
/// Thread-safety: that of std::stop_source. Lifetime: passes stops on while it lives; tokens that
/// it gave stay valid afterwards and are then never stopped. Cost: one std::stop_source, that is
/// one allocation, and one registration.
template <stoppable_token Token>
class std_stop_bridge {
public:
  /// Throws std::bad_alloc.
  explicit std_stop_bridge(Token token) : pass_on_(std::move(token), request{source_}) {}

  std_stop_bridge(const std_stop_bridge &) = delete;
  std_stop_bridge &operator=(const std_stop_bridge &) = delete;
  ~std_stop_bridge() = default;

  [[nodiscard]] std::stop_token get_token() const noexcept { return source_.get_token(); }

private:
  struct request {
    std::stop_source &source;
    void operator()() const noexcept {
      std::stop_source kept = source; // a callback may end the bridge
      kept.request_stop();
    }
  };

  std::stop_source source_;
  stop_callback_for_t<Token, request> pass_on_; // last: a stop may arrive as soon as it is there
};

/// The opposite: requests the stop of `Source` when a std::stop_token is stopped, as a
/// std::jthread's.
///
///     std::jthread worker([](std::stop_token token) {
///       cancel::inplace_stop_source source;
///       cancel::stop_on_std_token pass_on(token, source);
///       ...
///     });
template <class Source>
class stop_on_std_token {
public:
  /// `source` outlives this object.
  stop_on_std_token(std::stop_token token, Source &source) noexcept
      : pass_on_(std::move(token), request{source}) {}

private:
  struct request {
    Source &source;
    void operator()() const noexcept { source.request_stop(); }
  };

  std::stop_callback<request> pass_on_;
};

} // namespace cancel

#endif
