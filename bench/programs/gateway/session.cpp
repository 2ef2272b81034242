// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a session: read, work, write, and end in that order.

#include "session.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace gateway {

namespace {

struct withdraw {
  order_book *book;
  order_ref order;
  void operator()() const { book->withdraw(order); }
};

struct close {
  mailbox<execution_report> *reports;
  void operator()() const { reports->close(); }
};

// A batch is written when there is no more to say, or at this size.
constexpr std::size_t batch_bytes = 64 * 1024;

} // namespace

session::session(reactor &r, unique_fd socket, std::span<order_book> books,
                 const session_limits &limits)
    : reactor_(r), books_(books), stream_(r, std::move(socket)),
      throttle_(r, limits.message_interval, limits.message_burst), reports_(r),
      unsent_limit_(limits.unsent_reports) {}

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
  if (reports_.size() >= unsent_limit_)
    stop_.request_stop();
  reports_.send(report);
}

task<> session::write_reports(std::stop_token closing) {
  std::vector<std::byte> batch;
  std::optional<std::stop_callback<close>> on_close;
  for (;;) {
    on_close.emplace(closing, close{&reports_});
    const std::optional<execution_report> report = co_await reports_.receive();
    on_close.reset();
    if (!report)
      co_return; // the last one was written: receive() had found the mailbox empty
    encode(batch, *report);
    if (!reports_.empty() && batch.size() < batch_bytes)
      continue;
    if (co_await write_all(stream_, batch, closing)) {
      stop_.request_stop();
      co_return; // what is sent to the mailbox from here on goes nowhere
    }
    batch.clear();
  }
}

} // namespace gateway
