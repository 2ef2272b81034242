// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages between a client and the gateway. They are their own wire format.
//
// A frame is a 4-byte length of what follows, a 1-byte type, and the message; all little-endian.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace gateway {

static_assert(std::endian::native == std::endian::little, "the wire format is the memory format");

enum class side : std::uint8_t { buy = 1, sell = 2 };
enum class outcome : std::uint8_t { accepted = 1, filled = 2, cancelled = 3, rejected = 4 };

#pragma pack(push, 1)

struct new_order {
  static constexpr std::byte type{1};
  std::uint64_t id; ///< chosen by the client, unique among its open orders
  std::int64_t price;
  std::uint32_t instrument;
  std::uint32_t quantity;
  side direction;
};

struct cancel_order {
  static constexpr std::byte type{2};
  std::uint64_t id;
};

/// An order ends with the first report that leaves nothing open.
struct execution_report {
  static constexpr std::byte type{3};
  std::uint64_t id;
  std::int64_t price;
  std::uint32_t quantity; ///< filled or cancelled by this report
  std::uint32_t open;     ///< still working after it
  outcome result;
};

#pragma pack(pop)

static_assert(sizeof(new_order) == 25 && sizeof(cancel_order) == 8);
static_assert(sizeof(execution_report) == 25);

using frame_length = std::uint32_t;
inline constexpr std::size_t max_payload = 64;

/// Appends `message` as a whole frame.
template <class Message>
void encode(std::vector<std::byte> &out, const Message &message) {
  static_assert(std::is_trivially_copyable_v<Message>);
  constexpr frame_length length = 1 + sizeof message;
  static_assert(length <= max_payload);
  const std::size_t start = out.size();
  out.resize(start + sizeof length + length);
  std::byte *const frame = out.data() + start;
  std::memcpy(frame, &length, sizeof length);
  frame[sizeof length] = Message::type;
  std::memcpy(frame + sizeof length + 1, &message, sizeof message);
}

/// The message in the payload of one frame, or nothing if it is of another type or size.
template <class Message>
std::optional<Message> decode(std::span<const std::byte> payload) {
  if (payload.size() != 1 + sizeof(Message) || payload.front() != Message::type)
    return std::nullopt;
  std::optional<Message> message(std::in_place);
  std::memcpy(&*message, payload.data() + 1, sizeof(Message));
  return message;
}

} // namespace gateway
