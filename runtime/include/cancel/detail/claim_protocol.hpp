// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several parties race to end one wait; one of them wins, and the coroutine is resumed once.
#ifndef CANCEL_DETAIL_CLAIM_PROTOCOL_HPP
#define CANCEL_DETAIL_CLAIM_PROTOCOL_HPP

#include <cstdint>

namespace cancel::detail {

/// `suspend` belongs to the coroutine that waits, `decide` to any thread.
///
/// One word holds the decision and whether the coroutine is suspended. Whoever changes it second,
/// of the winner and the coroutine, goes on with the coroutine: the winner resumes it, or the
/// coroutine does not stay suspended.
template <class Policy>
class claim_protocol {
  using order = typename Policy::order;

public:
  enum class verdict : std::uint8_t { lost, won_early, won_and_resumes };

  claim_protocol() noexcept = default;
  claim_protocol(const claim_protocol &) = delete;
  claim_protocol &operator=(const claim_protocol &) = delete;

  /// From here on the winner may resume the coroutine, and end this object. Returns false if the
  /// decision has been made: then the coroutine goes on by itself.
  bool suspend() noexcept {
    std::uint8_t open = 0;
    return word_.compare_exchange_strong(open, suspended, order::claim_suspend, order::claim_read);
  }

  /// `decision`: 1 to 3. Only the first call wins.
  verdict decide(std::uint8_t decision) noexcept {
    std::uint8_t seen = word_.load(order::claim_peek);
    while ((seen & decisions) == 0)
      if (word_.compare_exchange_strong(seen, static_cast<std::uint8_t>(seen | decision),
                                        order::claim_decide, order::claim_peek))
        return seen == suspended ? verdict::won_and_resumes : verdict::won_early;
    return verdict::lost;
  }

  /// 0 while it is open. What preceded the winner's call is visible to whoever reads its decision.
  std::uint8_t decision() const noexcept {
    return static_cast<std::uint8_t>(word_.load(order::claim_read) & decisions);
  }

  /// For the coroutine, when nobody else can call: a claim for the next wait.
  void reset() noexcept { word_.store(0, order::own); }

private:
  static constexpr std::uint8_t decisions = 3;
  static constexpr std::uint8_t suspended = 4;

  typename Policy::template atomic<std::uint8_t> word_{0};
};

} // namespace cancel::detail

#endif
