// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Latencies of any range in fixed memory, so that recording one disturbs the measurement little.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gateway {

/// Nanoseconds in buckets that are at most 1/64 of their value wide.
class latency_histogram {
public:
  void record(std::chrono::nanoseconds latency) noexcept {
    ++buckets_[bucket(static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0)))];
    ++count_;
  }

  std::uint64_t count() const noexcept { return count_; }

  /// The upper end of the bucket that holds the value at `quantile` (0 to 1); 0 if there is none.
  std::chrono::nanoseconds at(double quantile) const noexcept {
    const auto rank = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b)
      if ((seen += buckets_[b]) >= rank)
        return std::chrono::nanoseconds(upper_end(b));
    return std::chrono::nanoseconds(0);
  }

private:
  // Below 128 ns each value has a bucket; above, each power of two is cut into 64.
  static constexpr unsigned steps_log2 = 6;
  static constexpr std::uint64_t steps = 1u << steps_log2;

  static std::size_t bucket(std::uint64_t ns) noexcept {
    const int excess =
        std::max(static_cast<int>(std::bit_width(ns)) - static_cast<int>(steps_log2) - 1, 0);
    return static_cast<std::size_t>(static_cast<std::uint64_t>(excess) * steps + (ns >> excess));
  }

  static std::int64_t upper_end(std::size_t b) noexcept {
    const std::size_t excess = b < 2 * steps ? 0 : b / steps - 1;
    const std::uint64_t first = (b - excess * steps) << excess;
    return static_cast<std::int64_t>(first + (std::uint64_t{1} << excess) - 1);
  }

  std::array<std::uint64_t, (64 - steps_log2 + 1) * steps> buckets_{};
  std::uint64_t count_ = 0;
};

} // namespace gateway
