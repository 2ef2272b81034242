// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one reactor serves: a listening socket, its sessions, and a book per instrument.

#pragma once

#include "order_book.hpp"
#include "reactor.hpp"
#include "session.hpp"
#include "socket.hpp"
#include "task.hpp"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace gateway {

class server {
public:
  struct counts {
    std::uint64_t sessions = 0;
    std::uint64_t orders = 0;
  };

  /// Takes a listening socket.
  server(reactor &r, unique_fd socket, std::size_t instruments, const session_limits &limits);

  /// Accepts until `st` is stopped, then ends the sessions and, after them, the books.
  task<> run(std::stop_token st);

  const counts &served() const noexcept { return served_; }

private:
  task<> accept_clients(std::stop_token st);
  task<> serve_client(unique_fd socket, std::stop_token st);

  reactor &reactor_;
  listener listener_;
  timer retry_;
  session_limits limits_;
  std::vector<order_book> books_;
  task_scope sessions_;
  counts served_;
};

} // namespace gateway
