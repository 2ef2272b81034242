// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order gateway on 127.0.0.1: one thread per reactor, SIGINT or SIGTERM ends it.

#include "process.hpp"
#include "reactor.hpp"
#include "server.hpp"
#include "socket.hpp"

#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <getopt.h>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

using namespace gateway;

struct options {
  std::uint16_t port = 0; // 0: any
  unsigned reactors = 1;
  unsigned instruments = 4;
  unsigned max_seconds = 3600;
};

std::optional<options> parse_arguments(int argc, char **argv) {
  constexpr option known[] = {{"port", required_argument, nullptr, 'p'},
                              {"reactors", required_argument, nullptr, 'r'},
                              {"instruments", required_argument, nullptr, 'i'},
                              {"max-seconds", required_argument, nullptr, 's'},
                              {}};
  options chosen;
  for (int c; (c = ::getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    const bool valid = (c == 'p' && parse(optarg, chosen.port)) ||
                       (c == 'r' && parse(optarg, chosen.reactors) && chosen.reactors > 0) ||
                       (c == 'i' && parse(optarg, chosen.instruments) && chosen.instruments > 0) ||
                       (c == 's' && parse(optarg, chosen.max_seconds));
    if (!valid)
      return std::nullopt;
  }
  return optind == argc ? std::optional(chosen) : std::nullopt;
}

/// A reactor, what it serves, and the thread that runs both.
class worker {
public:
  worker(unique_fd listening, const options &chosen)
      : server_(reactor_, std::move(listening), chosen.instruments, session_limits()),
        thread_([this](const std::stop_token &st) {
          reactor_.run(server_.run(reactor_.stop_token()), st);
        }) {}

  void request_stop() { thread_.request_stop(); }

  /// Waits for the thread.
  const server::counts &finish() {
    thread_.join();
    return server_.served();
  }

private:
  reactor reactor_;
  server server_;
  std::jthread thread_; // last: it uses the others
};

void wait_for_signal_or(unsigned max_seconds, const sigset_t &signals) {
  const timespec limit{static_cast<std::time_t>(max_seconds), 0};
  ::sigtimedwait(&signals, nullptr, &limit);
}

void serve(const options &chosen) {
  // Blocked before any thread starts, so that only sigtimedwait() below ever sees them.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  unique_fd first = listen_on_loopback(chosen.port);
  const std::uint16_t port = local_port(first);
  std::vector<std::unique_ptr<worker>> workers;
  workers.push_back(std::make_unique<worker>(std::move(first), chosen));
  while (workers.size() < chosen.reactors)
    workers.push_back(std::make_unique<worker>(listen_on_loopback(port), chosen));
  std::printf("listening on 127.0.0.1:%u\n", static_cast<unsigned>(port));
  std::fflush(stdout);

  wait_for_signal_or(chosen.max_seconds, signals);

  for (const auto &w : workers)
    w->request_stop();
  server::counts total;
  for (const auto &w : workers) {
    const server::counts &served = w->finish();
    total.sessions += served.sessions;
    total.orders += served.orders;
  }
  const cpu_time used = process_cpu_time();
  std::printf("{\"sessions\": %" PRIu64 ", \"orders\": %" PRIu64
              ", \"user_seconds\": %.6f, \"system_seconds\": %.6f}\n",
              total.sessions, total.orders, used.user_seconds, used.system_seconds);
}

} // namespace

int main(int argc, char **argv) {
  const std::optional<options> chosen = parse_arguments(argc, argv);
  if (!chosen) {
    std::fprintf(stderr,
                 "usage: %s [--port N] [--reactors N] [--instruments N] [--max-seconds N]\n",
                 argv[0]);
    return 2;
  }
  try {
    serve(*chosen);
    return 0;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
    return 1;
  }
}
