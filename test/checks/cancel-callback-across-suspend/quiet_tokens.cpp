// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that register with another stop state on each turn: there is nothing to register once.
// RUN: %flags %s -- %mock
// RUN: %flags %s -- %cxx
#include "task.h"

#include <vector>

struct job {
  std::stop_token token;
  std::stop_source source;
  int done = 0;
  std::stop_token stop() const { return token; }
};

task element(std::vector<std::stop_token> &tokens, int &stops) {
  for (auto &st : tokens) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    co_await tick();
  }
}

task element_by_value(std::vector<std::stop_token> &tokens, int &stops) {
  for (std::stop_token st : tokens) {
    std::stop_callback on_stop(st, [&] { ++stops; });
    co_await tick();
  }
}

task member_of_an_element(std::vector<job> &jobs) {
  for (auto &each : jobs) {
    std::stop_callback on_stop(each.token, [&] { ++each.done; });
    co_await tick();
  }
}

task asked_of_an_element(std::vector<job> &jobs) {
  for (auto &each : jobs) {
    std::stop_callback on_stop(each.stop(), [&] { ++each.done; });
    co_await tick();
  }
}

task source_of_an_element(std::vector<job> &jobs) {
  for (auto &each : jobs) {
    std::stop_callback on_stop(each.source.get_token(), [&] { ++each.done; });
    co_await tick();
  }
}

task source_of_the_turn(int &stops) {
  while (co_await more()) {
    std::stop_source timeout;
    std::stop_callback on_stop(timeout.get_token(), [&] { ++stops; });
    co_await tick();
  }
}

task token_awaited_on_each_turn(int &stops) {
  while (co_await more()) {
    auto st = co_await current_token();
    std::stop_callback on_stop(st, [&] { ++stops; });
    co_await tick();
  }
}

task token_of_the_job_at_hand(std::vector<job> &jobs, int &stops) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    job &current = jobs[i];
    std::stop_token st = current.stop();
    std::stop_callback on_stop(st, [&] { ++stops; });
    co_await tick();
  }
}

task structured_binding(std::vector<job> &jobs) {
  for (auto &[token, source, done] : jobs) {
    std::stop_callback on_stop(token, [&jobs] { jobs.push_back({}); });
    co_await tick();
  }
}
