// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accepting clients, and an orderly end.

#include "server.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace gateway {

using namespace std::chrono_literals;

server::server(reactor &r, unique_fd socket, std::size_t instruments, const session_limits &limits)
    : reactor_(r), listener_(r, std::move(socket)), retry_(r), limits_(limits) {
  books_.reserve(instruments); // the books' coroutines and their senders keep pointers into it
  for (std::size_t i = 0; i < instruments; ++i)
    books_.emplace_back(r);
}

task<> server::run(std::stop_token st) {
  std::stop_source no_more_orders;
  task_scope matching;
  for (order_book &book : books_)
    matching.spawn(book.run(no_more_orders.get_token()));

  co_await accept_clients(std::move(st));
  co_await sessions_.join();
  no_more_orders.request_stop();
  co_await matching.join();
}

task<> server::accept_clients(std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback stop_accepting(st, [this] { listener_.cancel(); });
    std::stop_callback stop_pausing(st, [this] { retry_.cancel(); });
    accepted client = co_await listener_.accept();
    if (!client.error)
      sessions_.spawn(serve_client(std::move(client.socket), st));
    else if (client.error != std::errc::operation_canceled) // out of descriptors or memory
      co_await retry_.until(reactor_.now() + 10ms);
  }
}

task<> server::serve_client(unique_fd socket, std::stop_token st) {
  try {
    session client(reactor_, std::move(socket), books_, limits_);
    co_await client.run(std::move(st));
    ++served_.sessions;
    served_.orders += client.orders();
  } catch (const std::system_error &) {
    // The kernel has no room to watch one more socket: this client is dropped, the others stay.
  }
}

} // namespace gateway
