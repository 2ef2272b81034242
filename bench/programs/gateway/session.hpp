// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One client connection: reads orders, works each in a coroutine of its own, writes reports.

#pragma once

#include "framing.hpp"
#include "mailbox.hpp"
#include "order_book.hpp"
#include "reactor.hpp"
#include "socket.hpp"
#include "task.hpp"
#include "throttle.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <unordered_map>

namespace gateway {

/// What one client may ask of the gateway.
struct session_limits {
  throttle::duration message_interval = std::chrono::microseconds(1);
  throttle::duration message_burst = std::chrono::milliseconds(10);
  std::size_t unsent_reports = 100'000; ///< beyond that the client reads too slowly
};

class session {
public:
  session(reactor &r, unique_fd socket, std::span<order_book> books, const session_limits &limits);

  /// Serves the client until it disconnects, breaks the protocol, stops reading its reports, or
  /// `shutdown` is stopped. Whatever is open then is cancelled, reported, and sent if possible.
  task<> run(std::stop_token shutdown);

  std::uint64_t orders() const noexcept { return orders_received_; }

private:
  task<> read_orders(std::stop_token st);
  task<> work(new_order order, std::stop_token st);
  task<> write_reports(std::stop_token closing);

  /// False if the payload is no message that a client may send.
  bool handle(std::span<const std::byte> payload);
  void enter(const new_order &order);
  void cancel(const cancel_order &request);
  void send(const execution_report &report);
  void reject(std::uint64_t id) { send({id, 0, 0, 0, outcome::rejected}); }

  reactor &reactor_;
  std::span<order_book> books_;
  stream stream_;
  frame_buffer input_;
  throttle throttle_;
  mailbox<execution_report> reports_;
  std::size_t unsent_limit_;
  std::stop_source stop_; // ends the reading; the orders and then the writing follow
  std::unordered_map<std::uint64_t, std::stop_source> open_orders_;
  task_scope working_;
  std::uint64_t orders_received_ = 0;
};

} // namespace gateway
