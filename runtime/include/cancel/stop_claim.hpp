// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides, once, whether a wait was completed or stopped.
#ifndef CANCEL_STOP_CLAIM_HPP
#define CANCEL_STOP_CLAIM_HPP

#include <cancel/detail/claim_protocol.hpp>
#include <cancel/detail/native_policy.hpp>

#include <coroutine>
#include <cstdint>

namespace cancel {

/// Why a wait ended.
enum class wake_reason : std::uint8_t {
  none,      ///< it has not ended
  completed, ///< what was awaited has happened
  stopped,   ///< a stop was requested first
};

/// The race between a completion and a stop for one suspended coroutine: the winner alone resumes.
/// For awaiters whose operation may complete on one thread while it is stopped on another:
///
///     struct read_awaiter {
///       cancel::stop_claim claim;
///       bool await_ready() { return false; }
///       bool await_suspend(std::coroutine_handle<> coroutine) {
///         arm(...);                               // whose callback calls claim.stop()
///         start(...);                             // whose completion calls claim.complete()
///         return claim.suspend(coroutine);        // last: the awaiter may be gone
///       }
///       auto await_resume() { return claim.reason(); }
///     };
///
/// A decision that precedes `suspend` is not lost: the coroutine then does not suspend, and so it
/// may be stopped or completed while await_suspend still runs. Thread-safety: `complete`, `stop`
/// and `reason` from any thread; `suspend` and `reset` by the coroutine. Lifetime: the loser may
/// call after the coroutine has been resumed, so whoever ends the claim first ends what could still
/// call (disarms the guard, cancels the operation). Cost: one read-modify-write for the winner and
/// one for the coroutine; no heap, one handle and one byte.
class stop_claim {
public:
  /// What a party that ended the wait got.
  class [[nodiscard]] outcome {
  public:
    /// Whether this call decided.
    explicit operator bool() const noexcept { return won_; }
    /// Resumes the coroutine, if it is the winner's task to do so. Call it once, or hand the handle
    /// to an executor instead.
    void resume() const {
      if (coroutine_)
        coroutine_.resume();
    }
    /// The coroutine to resume; null if it lost, or if the coroutine has yet to suspend.
    std::coroutine_handle<> coroutine() const noexcept { return coroutine_; }

  private:
    friend class stop_claim;
    outcome(bool won, std::coroutine_handle<> coroutine) noexcept
        : won_(won), coroutine_(coroutine) {}

    bool won_;
    std::coroutine_handle<> coroutine_;
  };

  stop_claim() noexcept = default;

  /// The last act of await_suspend: returns whether the coroutine stays suspended.
  [[nodiscard]] bool suspend(std::coroutine_handle<> coroutine) noexcept {
    coroutine_ = coroutine;
    return protocol_.suspend();
  }

  outcome complete() noexcept { return decide(wake_reason::completed); }
  outcome stop() noexcept { return decide(wake_reason::stopped); }

  /// What the winner wrote before it decided is visible to the coroutine that reads its reason.
  [[nodiscard]] wake_reason reason() const noexcept {
    return static_cast<wake_reason>(protocol_.decision());
  }

  /// Opens the claim again; nobody may be about to decide it.
  void reset() noexcept { protocol_.reset(); }

private:
  using protocol = detail::claim_protocol<detail::native_policy>;

  outcome decide(wake_reason reason) noexcept {
    switch (protocol_.decide(static_cast<std::uint8_t>(reason))) {
    case protocol::verdict::lost:
      return {false, {}};
    case protocol::verdict::won_early:
      return {true, {}};
    case protocol::verdict::won_and_resumes:
      break;
    }
    return {true, coroutine_}; // written before suspend, which the decision has seen
  }

  std::coroutine_handle<> coroutine_;
  protocol protocol_;
};

} // namespace cancel

#endif
