// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epoll loop: resume what is ready, sleep until something is.

#include "reactor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>

namespace gateway {

namespace {

unique_fd checked(int fd, const char *what) {
  if (fd < 0)
    throw std::system_error(errno, std::generic_category(), what);
  return unique_fd(fd);
}

} // namespace

reactor::reactor()
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wakeup_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  epoll_event ev{};
  ev.events = EPOLLIN | EPOLLET; // the counter itself is never read: each write is a new edge
  ev.data.ptr = nullptr;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wakeup_.get(), &ev) < 0)
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

void reactor::run(task<void> root, const std::stop_token &outside) {
  const std::stop_callback wake(outside, [this] { ::eventfd_write(wakeup_.get(), 1); });
  task_scope running;
  running.spawn(std::move(root));
  for (;;) {
    resume_ready();
    if (running.empty())
      return;
    poll();
    if (outside.stop_requested())
      stop_.request_stop();
  }
}

void reactor::resume_ready() {
  // Until nothing is left, not one round: work begets work only as far as the input that poll()
  // brought, and a system call between two steps of one order would cost more than the steps.
  while (!ready_.empty()) {
    resuming_.swap(ready_);
    for (const std::coroutine_handle<> h : resuming_)
      h.resume();
    resuming_.clear();
  }
}

void reactor::poll() {
  std::array<epoll_event, 64> events;
  const int n = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                             milliseconds_to_next_timer());
  if (n < 0 && errno != EINTR)
    throw std::system_error(errno, std::generic_category(), "epoll_wait");
  now_ = clock::now();
  // Handlers only schedule coroutines, so none of this batch can be destroyed while we walk it.
  for (const epoll_event &ev : std::span(events).first(static_cast<std::size_t>(std::max(n, 0))))
    if (ev.data.ptr != nullptr)
      static_cast<io_handler *>(ev.data.ptr)->on_ready(ev.events);
  expire_timers();
}

void reactor::expire_timers() {
  while (!timers_.empty() && timers_.begin()->first <= now_) {
    timer *const due = timers_.begin()->second;
    due->disarm();
    due->expired_.set();
  }
}

int reactor::milliseconds_to_next_timer() const {
  if (timers_.empty())
    return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void reactor::add(int fd, io_handler &handler) {
  epoll_event ev{};
  ev.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  ev.data.ptr = &handler;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &ev) < 0)
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

void reactor::remove(int fd) noexcept { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

event::awaiter timer::until(reactor::clock::time_point when) {
  disarm();
  if (cancelled_ || when <= reactor_.now()) {
    expired_.set();
    return expired_.wait();
  }
  expired_.reset();
  when_ = when;
  armed_ = reactor_.timers_.insert({when_, this}).second;
  return expired_.wait();
}

void timer::cancel() {
  cancelled_ = true;
  disarm();
  expired_.set();
}

} // namespace gateway
