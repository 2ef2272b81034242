// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-blocking TCP sockets whose operations are awaited.

#pragma once

#include "reactor.hpp"
#include "unique_fd.hpp"

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>

namespace gateway {

struct io_result {
  std::error_code error;
  std::size_t bytes = 0; ///< 0 without an error: the peer has closed
};

class io_operation;

/// One direction of a descriptor: what epoll last said about it and the operation that waits.
struct io_direction {
  io_operation *waiting = nullptr;
  bool ready = true; // until the kernel says otherwise, trying is worth it
  bool hung_up = false;
  bool cancelled = false;

  void on_ready() noexcept;
  void cancel() noexcept;
};

/// What all operations share: try now, else wait for an edge and try again.
class io_operation {
public:
  io_operation(reactor &r, io_direction &d) noexcept : direction_(d), reactor_(r) {}

  bool await_ready() noexcept { return attempt(); }
  void await_suspend(std::coroutine_handle<> h) noexcept {
    waiter_ = h;
    direction_.waiting = this;
  }

protected:
  ~io_operation() = default;

  /// True once there is a result.
  virtual bool attempt() noexcept = 0;

  io_direction &direction_;

private:
  friend struct io_direction;

  reactor &reactor_;
  std::coroutine_handle<> waiter_;
};

class read_operation final : public io_operation {
public:
  read_operation(reactor &r, io_direction &d, int fd, std::span<std::byte> buffer) noexcept
      : io_operation(r, d), fd_(fd), buffer_(buffer) {}
  io_result await_resume() const noexcept { return result_; }

private:
  bool attempt() noexcept override;

  int fd_;
  std::span<std::byte> buffer_;
  io_result result_;
};

class write_operation final : public io_operation {
public:
  write_operation(reactor &r, io_direction &d, int fd, std::span<const std::byte> bytes) noexcept
      : io_operation(r, d), fd_(fd), bytes_(bytes) {}
  io_result await_resume() const noexcept { return result_; }

private:
  bool attempt() noexcept override;

  int fd_;
  std::span<const std::byte> bytes_;
  io_result result_;
};

/// A connected socket. One read and one write at a time, on the reactor's thread.
class stream final : private io_handler {
public:
  stream(reactor &r, unique_fd fd);
  ~stream();
  stream(const stream &) = delete;
  stream &operator=(const stream &) = delete;

  /// `buffer` must not be empty.
  read_operation read_some(std::span<std::byte> buffer) noexcept {
    return {reactor_, in_, fd_.get(), buffer};
  }
  write_operation write_some(std::span<const std::byte> bytes) noexcept {
    return {reactor_, out_, fd_.get(), bytes};
  }

  /// From now on every read fails with operation_canceled, the waiting one included.
  void cancel_reads() noexcept { in_.cancel(); }

  /// From now on a write sends what the kernel takes at once and fails rather than wait.
  void cancel_writes() noexcept { out_.cancel(); }

private:
  void on_ready(std::uint32_t epoll_events) noexcept override;

  reactor &reactor_;
  unique_fd fd_;
  io_direction in_;
  io_direction out_;
};

struct accepted {
  std::error_code error;
  unique_fd socket;
};

class accept_operation final : public io_operation {
public:
  accept_operation(reactor &r, io_direction &d, int fd) noexcept : io_operation(r, d), fd_(fd) {}
  accepted await_resume() noexcept { return std::move(result_); }

private:
  bool attempt() noexcept override;

  int fd_;
  accepted result_;
};

/// A listening socket.
class listener final : private io_handler {
public:
  listener(reactor &r, unique_fd fd);
  ~listener();
  listener(const listener &) = delete;
  listener &operator=(const listener &) = delete;

  accept_operation accept() noexcept { return {reactor_, in_, fd_.get()}; }

  /// From now on every accept fails with operation_canceled, the waiting one included.
  void cancel() noexcept { in_.cancel(); }

private:
  void on_ready(std::uint32_t epoll_events) noexcept override;

  reactor &reactor_;
  unique_fd fd_;
  io_direction in_;
};

/// A socket that listens on 127.0.0.1. Several may share a port, one per reactor. Port 0 picks one.
/// Throws std::system_error.
unique_fd listen_on_loopback(std::uint16_t port);
std::uint16_t local_port(const unique_fd &socket);

/// Blocks until connected to 127.0.0.1:port. Throws std::system_error.
unique_fd connect_to_loopback(std::uint16_t port);

} // namespace gateway
