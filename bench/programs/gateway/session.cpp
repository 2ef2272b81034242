// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a session: read, work, write, and end in that order.

#include "session.hpp"

#include <optional>
#include <utility>

namespace gateway {

namespace {

struct withdraw {
  order_book *book;
  order_ref order;
  void operator()() const { book->withdraw(order); }
};

struct wake {
  event *sleeping_on;
  void operator()() const { sleeping_on->set(); }
};

} // namespace

session::session(reactor &r, unique_fd socket, std::span<order_book> books,
                 const session_limits &limits)
    : reactor_(r), books_(books), stream_(r, std::move(socket)),
      throttle_(r, limits.message_interval, limits.message_burst), output_filled_(r),
      output_limit_(limits.unread_reports) {}

task<> session::run(std::stop_token shutdown) {
  const std::stop_callback on_shutdown(shutdown, [this] { stop_.request_stop(); });
  std::stop_source closing;
  task_scope writer;
  writer.spawn(write_reports(closing.get_token()));

  co_await read_orders(stop_.get_token());
  for (auto &[id, order] : open_orders_)
    order.request_stop();
  co_await working_.join();
  closing.request_stop();
  co_await writer.join();
}

task<> session::read_orders(std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback stop_reading(st, [this] { stream_.cancel_reads(); });
    const io_result got = co_await stream_.read_some(input_.space());
    if (got.error || got.bytes == 0)
      break;
    input_.commit(got.bytes);
    while (const auto payload = input_.pop()) {
      std::stop_callback stop_waiting(st, [this] { throttle_.cancel(); });
      co_await throttle_.admit();
      if (st.stop_requested() || !handle(*payload))
        co_return;
    }
    if (input_.malformed())
      break;
  }
}

bool session::handle(std::span<const std::byte> payload) {
  if (const auto order = decode<new_order>(payload))
    enter(*order);
  else if (const auto request = decode<cancel_order>(payload))
    cancel(*request);
  else
    return false;
  return true;
}

void session::enter(const new_order &order) {
  ++orders_received_;
  const bool sound = order.instrument < books_.size() && order.quantity > 0 &&
                     (order.direction == side::buy || order.direction == side::sell);
  if (!sound)
    return reject(order.id);
  const auto [entry, is_new] = open_orders_.try_emplace(order.id);
  if (!is_new)
    return reject(order.id);
  working_.spawn(work(order, entry->second.get_token()));
}

void session::cancel(const cancel_order &request) {
  const auto order = open_orders_.find(request.id);
  if (order == open_orders_.end())
    return reject(request.id);
  order->second.request_stop();
}

task<> session::work(new_order order, std::stop_token st) {
  order_book &book = books_[order.instrument];
  mailbox<execution> executions(reactor_);
  const order_ref ref = book.submit(order, executions);
  for (std::uint32_t open = order.quantity; open > 0;) {
    std::stop_callback<withdraw> on_cancel(st, withdraw{&book, ref});
    const std::optional<execution> e = co_await executions.receive();
    send({order.id, e->price, e->quantity, e->open, e->result});
    open = e->open;
  }
  open_orders_.erase(order.id);
}

void session::send(const execution_report &report) {
  if (output_broken_)
    return;
  if (output_.size() >= output_limit_)
    stop_.request_stop();
  encode(output_, report);
  output_filled_.set();
}

task<> session::write_reports(std::stop_token closing) {
  std::vector<std::byte> sending;
  std::optional<std::stop_callback<wake>> on_close;
  while (!output_.empty() || !closing.stop_requested()) {
    if (output_.empty()) {
      output_filled_.reset();
      on_close.emplace(closing, wake{&output_filled_});
      co_await output_filled_.wait();
      on_close.reset();
    }
    sending.swap(output_);
    if (co_await write_all(stream_, sending, closing)) {
      output_broken_ = true;
      stop_.request_stop();
      co_return;
    }
    sending.clear();
  }
}

} // namespace gateway
