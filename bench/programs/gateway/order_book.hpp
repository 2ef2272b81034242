// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instrument's book: price-time priority, fed through a mailbox and served by one coroutine.

#pragma once

#include "mailbox.hpp"
#include "protocol.hpp"
#include "reactor.hpp"
#include "task.hpp"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <stop_token>
#include <unordered_map>
#include <variant>

namespace gateway {

/// What happened to an order.
struct execution {
  outcome result;
  std::uint32_t quantity;
  std::uint32_t open;
  std::int64_t price;
};

/// Identifies an order within its book.
enum class order_ref : std::uint64_t {};

class order_book {
public:
  explicit order_book(reactor &r) noexcept : inbox_(r) {}

  /// Executions arrive in `events`, which must stay until one of them leaves nothing open.
  order_ref submit(const new_order &order, mailbox<execution> &events);

  /// Cancels what is open. An order that is done by then has told so; nothing happens.
  void withdraw(order_ref ref) { inbox_.send(withdrawal{ref}); }

  /// Matches until `st` is stopped.
  task<> run(std::stop_token st);

private:
  struct submission {
    order_ref ref;
    new_order order;
    mailbox<execution> *events;
  };
  struct withdrawal {
    order_ref ref;
  };
  using command = std::variant<submission, withdrawal>;

  struct resting {
    order_ref ref;
    std::uint32_t open;
    mailbox<execution> *events;
  };
  using level = std::list<resting>; // oldest first
  struct position {
    side direction;
    std::int64_t price;
    level::iterator at;
  };
  template <class Better>
  using levels = std::map<std::int64_t, level, Better>;

  void apply(const submission &s);
  void apply(const withdrawal &w);

  /// Fills `incoming` from the best levels of the other side that its price reaches.
  template <class Levels>
  void match(resting &incoming, std::int64_t limit, Levels &opposite);
  template <class Levels>
  void rest(Levels &own, side direction, std::int64_t price, resting order);
  template <class Levels>
  void remove(Levels &own, const position &p);

  mailbox<command> inbox_;
  levels<std::greater<>> bids_;
  levels<std::less<>> asks_;
  std::unordered_map<order_ref, position> positions_;
  std::uint64_t last_ref_ = 0;
};

} // namespace gateway
