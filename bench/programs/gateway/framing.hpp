// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Length-prefixed frames over a byte stream.

#pragma once

#include "protocol.hpp"
#include "task.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <system_error>

namespace gateway {

/// Collects received bytes and hands out the payloads of whole frames.
class frame_buffer {
public:
  /// Where to receive the next bytes; never empty. Invalidates earlier payloads.
  std::span<std::byte> space() noexcept;

  /// `bytes` were received into space().
  void commit(std::size_t bytes) noexcept { end_ += bytes; }

  /// The next payload, if a whole frame is there. Valid until space().
  std::optional<std::span<const std::byte>> pop() noexcept;

  /// A length was 0 or above max_payload: the stream cannot be followed any further.
  bool malformed() const noexcept { return malformed_; }

private:
  std::array<std::byte, 64 * 1024> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool malformed_ = false;
};

/// Writes all of `bytes`. Once `st` is stopped it no longer waits for a slow peer.
template <class Stream>
task<std::error_code> write_all(Stream &out, std::span<const std::byte> bytes, std::stop_token st) {
  while (!bytes.empty()) {
    std::stop_callback on_stop(st, [&out] { out.cancel_writes(); });
    const auto written = co_await out.write_some(bytes);
    if (written.error)
      co_return written.error;
    bytes = bytes.subspan(written.bytes);
  }
  co_return std::error_code();
}

} // namespace gateway
