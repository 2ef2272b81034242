// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stop's part in a wait that a claim decides: what the runtime's own awaiters arm.
#ifndef CANCEL_DETAIL_STOP_SIDE_HPP
#define CANCEL_DETAIL_STOP_SIDE_HPP

#include <cancel/slot_for.hpp>
#include <cancel/stop_claim.hpp>
#include <cancel/stop_slot.hpp>

#include <coroutine>
#include <memory>
#include <new>
#include <utility>

namespace cancel::detail {

/// Between `arm` and `disarm` a stop decides the claim, and resumes the coroutine if that is the
/// stop's to do. Both belong to the coroutine.
template <class Token>
class stop_side {
public:
  explicit stop_side(Token token) noexcept : token_(std::move(token)) {}
  stop_side(const stop_side &) = delete;
  stop_side &operator=(const stop_side &) = delete;
  ~stop_side() { disarm(); }

  const Token &token() const noexcept { return token_; }

  /// If the stop has come already, the claim is decided when this returns.
  template <class Promise>
  void arm(std::coroutine_handle<Promise> coroutine,
           stop_claim &claim) noexcept(!use_legacy_stop_token) {
    slot_for_awaiter<Token, const Token &> request(token_);
    static_cast<void>(request.await_suspend(coroutine));
    ::new (static_cast<void *>(std::addressof(slot_)))
        slot_reference<Token>(request.await_resume());
    ::new (static_cast<void *>(std::addressof(guard_))) guard(slot_, wake{claim});
    is_armed_ = true;
  }

  /// If a stop is deciding the claim on another thread, it has when this returns.
  void disarm() noexcept {
    if (!is_armed_)
      return;
    is_armed_ = false;
    std::destroy_at(std::addressof(guard_));
    std::destroy_at(std::addressof(slot_));
  }

private:
  struct wake {
    stop_claim &claim;
    void operator()() const noexcept { claim.stop().resume(); }
  };
  using guard = stop_guard<wake>;

  Token token_;
  bool is_armed_ = false;
  union {
    slot_reference<Token> slot_;
  };
  union {
    guard guard_;
  };
};

} // namespace cancel::detail

#endif
