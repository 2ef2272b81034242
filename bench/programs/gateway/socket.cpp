// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system calls behind the awaitable sockets.

#include "socket.hpp"

#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

namespace gateway {

namespace {

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

std::error_code cancelled_error() noexcept {
  return std::make_error_code(std::errc::operation_canceled);
}

bool would_block() noexcept { return errno == EAGAIN || errno == EWOULDBLOCK; }

template <class Call>
auto retry_interrupted(Call call) noexcept {
  auto result = call();
  while (result < 0 && errno == EINTR)
    result = call();
  return result;
}

void check(int result, const char *what) {
  if (result < 0)
    throw std::system_error(last_error(), what);
}

void set_option(const unique_fd &socket, int level, int name) {
  const int on = 1;
  check(::setsockopt(socket.get(), level, name, &on, sizeof on), "setsockopt");
}

sockaddr_in loopback(std::uint16_t port) noexcept {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

} // namespace

void io_direction::on_ready() noexcept {
  ready = true;
  if (waiting != nullptr && waiting->attempt()) {
    io_operation *const done = std::exchange(waiting, nullptr);
    done->reactor_.schedule(done->waiter_);
  }
}

void io_direction::cancel() noexcept {
  cancelled = true;
  on_ready();
}

bool read_operation::attempt() noexcept {
  if (direction_.cancelled) {
    result_.error = cancelled_error();
    return true;
  }
  if (!direction_.ready)
    return false;
  const ssize_t n =
      retry_interrupted([this] { return ::recv(fd_, buffer_.data(), buffer_.size(), 0); });
  if (n < 0 && would_block()) {
    direction_.ready = false;
    return false;
  }
  if (n < 0) {
    result_.error = last_error();
    return true;
  }
  result_.bytes = static_cast<std::size_t>(n);
  // A short read has emptied the socket: the next edge will tell. Unless the peer has closed, whose
  // edge is already behind us.
  direction_.ready = direction_.hung_up || result_.bytes == buffer_.size();
  return true;
}

bool write_operation::attempt() noexcept {
  if (direction_.ready) {
    const ssize_t n = retry_interrupted(
        [this] { return ::send(fd_, bytes_.data(), bytes_.size(), MSG_NOSIGNAL); });
    if (n >= 0) {
      result_.bytes = static_cast<std::size_t>(n);
      return true;
    }
    if (!would_block()) {
      result_.error = last_error();
      return true;
    }
    direction_.ready = false;
  }
  if (direction_.cancelled)
    result_.error = cancelled_error();
  return direction_.cancelled;
}

bool accept_operation::attempt() noexcept {
  while (direction_.ready && !direction_.cancelled) {
    const int fd = retry_interrupted(
        [this] { return ::accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); });
    if (fd >= 0) {
      result_.socket = unique_fd(fd);
      return true;
    }
    if (errno == ECONNABORTED) // the client gave up while it queued
      continue;
    if (!would_block()) {
      result_.error = last_error();
      return true;
    }
    direction_.ready = false;
  }
  if (direction_.cancelled)
    result_.error = cancelled_error();
  return direction_.cancelled;
}

stream::stream(reactor &r, unique_fd fd) : reactor_(r), fd_(std::move(fd)) {
  set_option(fd_, IPPROTO_TCP, TCP_NODELAY);
  reactor_.add(fd_.get(), *this);
}

stream::~stream() { reactor_.remove(fd_.get()); }

void stream::on_ready(std::uint32_t epoll_events) noexcept {
  constexpr std::uint32_t closed = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
  if ((epoll_events & closed) != 0)
    in_.hung_up = true;
  if ((epoll_events & (EPOLLIN | closed)) != 0)
    in_.on_ready();
  if ((epoll_events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0)
    out_.on_ready();
}

listener::listener(reactor &r, unique_fd fd) : reactor_(r), fd_(std::move(fd)) {
  reactor_.add(fd_.get(), *this);
}

listener::~listener() { reactor_.remove(fd_.get()); }

void listener::on_ready(std::uint32_t) noexcept { in_.on_ready(); }

unique_fd listen_on_loopback(std::uint16_t port) {
  unique_fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  check(socket.get(), "socket");
  set_option(socket, SOL_SOCKET, SO_REUSEADDR);
  set_option(socket, SOL_SOCKET, SO_REUSEPORT);
  const sockaddr_in address = loopback(port);
  check(::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address), "bind");
  check(::listen(socket.get(), SOMAXCONN), "listen");
  return socket;
}

std::uint16_t local_port(const unique_fd &socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  check(::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &size), "getsockname");
  return ntohs(address.sin_port);
}

unique_fd connect_to_loopback(std::uint16_t port) {
  unique_fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  check(socket.get(), "socket");
  const sockaddr_in address = loopback(port);
  check(::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address),
        "connect");
  check(::fcntl(socket.get(), F_SETFL, O_NONBLOCK), "fcntl");
  return socket;
}

} // namespace gateway
