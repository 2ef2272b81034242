// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The load: connections that each keep a window of orders open and check every report.
//
// A closed loop: a slow gateway is offered less, so the latencies are those of this window, not of
// a fixed rate. They run from just before an order is written to just after its acceptance is read.

#include "framing.hpp"
#include "latency_histogram.hpp"
#include "process.hpp"
#include "protocol.hpp"
#include "reactor.hpp"
#include "socket.hpp"
#include "task.hpp"

#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <getopt.h>
#include <optional>
#include <span>
#include <stop_token>
#include <unistd.h>
#include <vector>

namespace {

using namespace gateway;
using clock = reactor::clock;

struct options {
  std::uint16_t port = 0;
  unsigned connections = 4;
  unsigned window = 64;     // open orders of one connection
  unsigned instruments = 4; // connections spread over them
  std::uint64_t orders = 0; // in all, rounded up to whole groups; 0: what fits into `seconds`
  unsigned seconds = 3;
  unsigned timeout = 60; // seconds until SIGALRM ends a run that hangs
};

struct step {
  side direction;
  std::int64_t price;
  std::uint32_t quantity;
  bool cancelled;
};

/// The load repeats this: one large bid, the sells that fill it lot by lot, and a bid too cheap to
/// be filled, which is cancelled. No prefix sells more than it bids for, so if nothing moved any
/// more, all open orders would be bids and no connection could have more than `fills` lots of them
/// open on average: a window above the group's size never locks up, whoever's sells fill whose
/// bids.
namespace group {

constexpr std::size_t fills = 14;
constexpr std::size_t size = 1 + fills + 1;
constexpr std::uint32_t lot = 100;

constexpr step at(std::size_t position) {
  if (position == 0)
    return {side::buy, 100, fills * lot, false};
  if (position <= fills)
    return {side::sell, 100, lot, false};
  return {side::buy, 50, lot, true};
}

} // namespace group

struct totals {
  std::uint64_t orders = 0;
  std::uint64_t filled = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t executions = 0;
  std::uint64_t errors = 0;
  clock::duration duration{};
  latency_histogram latencies;
};

/// One client. A wrong report or a lost connection counts as an error and ends it.
class connection {
public:
  connection(reactor &r, const options &chosen, std::uint32_t instrument, std::uint64_t groups,
             clock::time_point deadline, totals &results)
      : stream_(r, connect_to_loopback(chosen.port)), instrument_(instrument), groups_(groups),
        deadline_(deadline), open_(chosen.window), results_(results) {
    for (std::uint32_t slot = 0; slot < chosen.window; ++slot)
      free_.push_back(slot);
  }

  task<> trade(std::stop_token st);

private:
  struct open_order {
    std::uint64_t id = 0; // 0: none
    clock::time_point sent;
    std::uint32_t open = 0;
    bool accepted = false;
    bool to_cancel = false;
  };

  void fill_window(clock::time_point now);
  void enter(const step &s, clock::time_point now);
  bool take_report(std::span<const std::byte> payload, clock::time_point now);

  stream stream_;
  std::uint32_t instrument_;
  std::uint64_t groups_;
  clock::time_point deadline_;
  std::size_t next_step_ = 0;
  std::uint64_t entered_ = 0;
  std::vector<open_order> open_; // by slot; an id names its slot, so that nothing is searched
  std::vector<std::uint32_t> free_;
  std::vector<std::byte> output_;
  frame_buffer input_;
  totals &results_;
};

task<> connection::trade(std::stop_token st) {
  clock::time_point now = clock::now();
  for (;;) {
    fill_window(now);
    if (free_.size() == open_.size())
      co_return;
    if (co_await write_all(stream_, output_, st))
      break;
    output_.clear();
    const io_result got = co_await stream_.read_some(input_.space());
    if (got.error || got.bytes == 0)
      break;
    input_.commit(got.bytes);
    now = clock::now();
    bool sound = true;
    while (const auto payload = input_.pop())
      sound = take_report(*payload, now) && sound;
    if (!sound || input_.malformed())
      break;
  }
  ++results_.errors;
}

void connection::fill_window(clock::time_point now) {
  while (!free_.empty() && (next_step_ > 0 || (groups_ > 0 && now < deadline_))) {
    enter(group::at(next_step_), now);
    next_step_ = (next_step_ + 1) % group::size;
    if (next_step_ == 0)
      --groups_;
  }
}

void connection::enter(const step &s, clock::time_point now) {
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  const std::uint64_t id = ++entered_ * open_.size() + slot;
  open_[slot] = {id, now, s.quantity, false, s.cancelled};
  encode(output_, new_order{id, s.price, instrument_, s.quantity, s.direction});
  ++results_.orders;
}

bool connection::take_report(std::span<const std::byte> payload, clock::time_point now) {
  const auto report = decode<execution_report>(payload);
  if (!report)
    return false;
  open_order &order = open_[report->id % open_.size()];
  if (order.id != report->id)
    return false;
  if (report->result == outcome::accepted) {
    if (order.accepted || report->open != order.open)
      return false;
    order.accepted = true;
    results_.latencies.record(now - order.sent);
    if (order.to_cancel)
      encode(output_, cancel_order{order.id});
    return true;
  }
  const bool expected = report->result == (order.to_cancel ? outcome::cancelled : outcome::filled);
  if (!expected || !order.accepted || report->quantity + report->open != order.open)
    return false;
  ++results_.executions;
  order.open = report->open;
  if (order.open > 0)
    return true;
  ++(order.to_cancel ? results_.cancelled : results_.filled);
  free_.push_back(static_cast<std::uint32_t>(report->id % open_.size()));
  order.id = 0;
  return true;
}

std::optional<options> parse_arguments(int argc, char **argv) {
  constexpr option known[] = {{"port", required_argument, nullptr, 'p'},
                              {"connections", required_argument, nullptr, 'c'},
                              {"window", required_argument, nullptr, 'w'},
                              {"instruments", required_argument, nullptr, 'i'},
                              {"orders", required_argument, nullptr, 'o'},
                              {"seconds", required_argument, nullptr, 's'},
                              {"timeout", required_argument, nullptr, 't'},
                              {}};
  options chosen;
  for (int c; (c = ::getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    const bool valid = (c == 'p' && parse(optarg, chosen.port)) ||
                       (c == 'c' && parse(optarg, chosen.connections)) ||
                       (c == 'w' && parse(optarg, chosen.window)) ||
                       (c == 'i' && parse(optarg, chosen.instruments)) ||
                       (c == 'o' && parse(optarg, chosen.orders)) ||
                       (c == 's' && parse(optarg, chosen.seconds)) ||
                       (c == 't' && parse(optarg, chosen.timeout));
    if (!valid)
      return std::nullopt;
  }
  const bool sound = optind == argc && chosen.port != 0 && chosen.connections > 0 &&
                     chosen.window > group::size && chosen.instruments > 0;
  return sound ? std::optional(chosen) : std::nullopt;
}

/// Every connection trades to its end, or until the timeout.
task<> run_load(reactor &r, const options &chosen, totals &results) {
  const auto start = clock::now();
  const bool counted = chosen.orders > 0;
  const std::uint64_t per_group = group::size * chosen.connections;
  const std::uint64_t groups = counted ? (chosen.orders + per_group - 1) / per_group : UINT64_MAX;
  const auto deadline =
      counted ? clock::time_point::max() : start + std::chrono::seconds(chosen.seconds);
  std::deque<connection> connections;
  task_scope trading;
  for (std::uint32_t i = 0; i < chosen.connections; ++i)
    connections.emplace_back(r, chosen, i % chosen.instruments, groups, deadline, results);
  for (connection &c : connections)
    trading.spawn(c.trade(r.stop_token()));
  co_await trading.join();
  results.duration = clock::now() - start;
}

void print(const totals &t) {
  const double seconds = std::chrono::duration<double>(t.duration).count();
  const auto microseconds = [&t](double quantile) {
    return std::chrono::duration<double, std::micro>(t.latencies.at(quantile)).count();
  };
  const cpu_time used = process_cpu_time();
  std::printf("{\"orders\": %" PRIu64 ", \"filled\": %" PRIu64 ", \"cancelled\": %" PRIu64
              ", \"executions\": %" PRIu64 ", \"errors\": %" PRIu64 ", \"seconds\": %.6f"
              ", \"orders_per_second\": %.0f, \"p50_us\": %.3f, \"p99_us\": %.3f"
              ", \"p999_us\": %.3f, \"user_seconds\": %.6f, \"system_seconds\": %.6f}\n",
              t.orders, t.filled, t.cancelled, t.executions, t.errors, seconds,
              static_cast<double>(t.orders) / seconds, microseconds(0.5), microseconds(0.99),
              microseconds(0.999), used.user_seconds, used.system_seconds);
}

} // namespace

int main(int argc, char **argv) {
  const std::optional<options> chosen = parse_arguments(argc, argv);
  if (!chosen) {
    std::fprintf(stderr,
                 "usage: %s --port N [--connections N] [--window N] [--instruments N]\n"
                 "       [--orders N | --seconds N] [--timeout N]\n",
                 argv[0]);
    return 2;
  }
  ::alarm(chosen->timeout);
  try {
    reactor r;
    totals results;
    r.run(run_load(r, *chosen, results), std::stop_token());
    print(results);
    const bool complete = results.filled + results.cancelled == results.orders;
    return results.errors == 0 && complete ? 0 : 1;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
    return 1;
  }
}
