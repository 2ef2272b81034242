// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matching by price, then time.

#include "order_book.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gateway {

order_ref order_book::submit(const new_order &order, mailbox<execution> &events) {
  const order_ref ref{++last_ref_};
  inbox_.send(submission{ref, order, &events});
  return ref;
}

task<> order_book::run(std::stop_token st) {
  const auto apply_command = [this](const command &c) {
    std::visit([this](const auto &each) { apply(each); }, c);
  };
  return serve(inbox_, apply_command, std::move(st));
}

void order_book::apply(const submission &s) {
  const new_order &order = s.order;
  resting incoming{s.ref, order.quantity, s.events};
  incoming.events->send({outcome::accepted, 0, order.quantity, order.price});
  if (order.direction == side::buy)
    match(incoming, order.price, asks_);
  else
    match(incoming, order.price, bids_);
  if (incoming.open == 0)
    return;
  if (order.direction == side::buy)
    rest(bids_, order.direction, order.price, incoming);
  else
    rest(asks_, order.direction, order.price, incoming);
}

void order_book::apply(const withdrawal &w) {
  const auto found = positions_.find(w.ref);
  if (found == positions_.end())
    return;
  const position p = found->second;
  p.at->events->send({outcome::cancelled, p.at->open, 0, p.price});
  positions_.erase(found);
  if (p.direction == side::buy)
    remove(bids_, p);
  else
    remove(asks_, p);
}

template <class Levels>
void order_book::match(resting &incoming, std::int64_t limit, Levels &opposite) {
  const auto beyond_limit = [&](std::int64_t price) { return opposite.key_comp()(limit, price); };
  while (incoming.open > 0 && !opposite.empty() && !beyond_limit(opposite.begin()->first)) {
    auto &[price, orders] = *opposite.begin();
    resting &oldest = orders.front();
    const std::uint32_t quantity = std::min(incoming.open, oldest.open);
    incoming.open -= quantity;
    oldest.open -= quantity;
    oldest.events->send({outcome::filled, quantity, oldest.open, price});
    incoming.events->send({outcome::filled, quantity, incoming.open, price});
    if (oldest.open > 0)
      break;
    positions_.erase(oldest.ref);
    orders.pop_front();
    if (orders.empty())
      opposite.erase(opposite.begin());
  }
}

template <class Levels>
void order_book::rest(Levels &own, side direction, std::int64_t price, resting order) {
  level &orders = own[price];
  orders.push_back(order);
  positions_.emplace(order.ref, position{direction, price, std::prev(orders.end())});
}

template <class Levels>
void order_book::remove(Levels &own, const position &p) {
  const auto orders = own.find(p.price);
  orders->second.erase(p.at);
  if (orders->second.empty())
    own.erase(orders);
}

} // namespace gateway
