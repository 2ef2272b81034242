// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue between coroutines of one reactor, and the loop that serves one.

#pragma once

#include "reactor.hpp"
#include "task.hpp"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace gateway {

/// Any number of senders, one receiver, all on the reactor's thread.
template <class T>
class mailbox {
public:
  explicit mailbox(reactor &r) noexcept : filled_(r) {}

  void send(T item) {
    items_.push_back(std::move(item));
    filled_.set();
  }

  bool empty() const noexcept { return first_ == items_.size(); }
  std::size_t size() const noexcept { return items_.size() - first_; }

  /// What was sent before is still received.
  void close() {
    closed_ = true;
    filled_.set();
  }

  /// `co_await box.receive()`: the oldest item, or nothing once closed and empty.
  auto receive() noexcept {
    struct awaiter : event::awaiter {
      mailbox &box;
      std::optional<T> await_resume() const { return box.take(); }
    };
    return awaiter{filled_.wait(), *this};
  }

private:
  std::optional<T> take() {
    if (empty())
      return std::nullopt;
    std::optional<T> item(std::move(items_[first_++]));
    if (empty() && !closed_)
      filled_.reset();
    // Received items go once they are the larger part: a constant cost per item, and no growth.
    if (2 * first_ >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return item;
  }

  event filled_; // set while there are items, and for good once closed
  std::vector<T> items_;
  std::size_t first_ = 0;
  bool closed_ = false;
};

/// Calls `handle` for each item, until the box is closed or `st` is stopped.
template <class T, class Handler>
task<> serve(mailbox<T> &box, Handler handle, std::stop_token st) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&box] { box.close(); });
    std::optional<T> item = co_await box.receive();
    if (!item)
      break;
    handle(*item);
  }
}

} // namespace gateway
