// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message rate a client is granted: a token bucket.

#pragma once

#include "reactor.hpp"

#include <algorithm>

namespace gateway {

class throttle {
public:
  using duration = reactor::clock::duration;

  /// One message per `interval` in the long run, up to `burst` of unused time at once.
  throttle(reactor &r, duration interval, duration burst) noexcept
      : reactor_(r), timer_(r), interval_(interval), burst_(burst) {}

  /// `co_await t.admit()`: completes when the next message may pass, or at cancel().
  event::awaiter admit() {
    const reactor::clock::time_point when = std::max(next_, reactor_.now() - burst_);
    next_ = when + interval_;
    return timer_.until(when);
  }

  void cancel() { timer_.cancel(); }

private:
  reactor &reactor_;
  timer timer_;
  duration interval_;
  duration burst_;
  reactor::clock::time_point next_{}; // when the next message may pass
};

} // namespace gateway
