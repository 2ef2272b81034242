// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive buffer: linear, compacted when it is asked for space.

#include "framing.hpp"

#include <cstring>

namespace gateway {

std::span<std::byte> frame_buffer::space() noexcept {
  // What is left is less than one frame, so moving it is cheaper than a ring's two-part frames.
  std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  return std::span(bytes_).subspan(end_);
}

std::optional<std::span<const std::byte>> frame_buffer::pop() noexcept {
  frame_length length;
  if (malformed_ || end_ - begin_ < sizeof length)
    return std::nullopt;
  std::memcpy(&length, bytes_.data() + begin_, sizeof length);
  malformed_ = length == 0 || length > max_payload;
  if (malformed_ || end_ - begin_ - sizeof length < length)
    return std::nullopt;
  const auto payload = std::span(bytes_).subspan(begin_ + sizeof length, length);
  begin_ += sizeof length + length;
  return payload;
}

} // namespace gateway
