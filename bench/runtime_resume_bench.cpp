// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to resume each of many suspended coroutines, and what does fetching ahead gain?

#include "programs/await_loop/loop.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

namespace {

using await_loop::loop;
using bench::turns;
using handles = std::vector<std::coroutine_handle<>>;

enum class order { allocated, shuffled };

/// Suspends, and says where it did.
struct suspend_into {
  std::coroutine_handle<> &suspended;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) const noexcept { suspended = coroutine; }
  void await_resume() const noexcept {}
};

/// A session with some state, of which each step touches a little.
loop session(std::coroutine_handle<> &suspended) {
  std::array<std::uint64_t, 16> state{};
  for (std::uint64_t turn = 0;; ++turn) {
    co_await suspend_into{suspended};
    state[turn % state.size()] += turn;
    bench::use(state);
  }
}

/// The same, but it enters a list when it is resumed, and suspends outside of it when that wakes
/// it.
loop waiting_session(std::coroutine_handle<> &suspended, std::optional<cancel::wait_list> &list) {
  std::array<std::uint64_t, 16> state{};
  for (std::uint64_t turn = 0;; ++turn) {
    co_await suspend_into{suspended};
    if (co_await list->wait() != cancel::wake_reason::stopped)
      std::abort();
    state[turn % state.size()] += turn;
    bench::use(state);
  }
}

/// Where each session is suspended, in the order asked for.
handles in_order(const handles &allocated, order wanted) {
  handles result = allocated;
  if (wanted == order::shuffled)
    std::shuffle(result.begin(), result.end(), std::mt19937(1)); // NOLINT: the same each time
  return result;
}

/// Small batches are repeated, as the clock costs a microsecond.
constexpr std::int64_t least_per_measure = 10'000;
constexpr std::int64_t batches_of(std::int64_t size) {
  return std::max<std::int64_t>(1, least_per_measure / size);
}

template <std::int64_t Size, order Order, std::size_t Distance>
void resume(turns &row) {
  std::vector<loop> sessions;
  handles suspended(Size);
  sessions.reserve(Size);
  for (std::coroutine_handle<> &place : suspended)
    sessions.push_back(session(place));
  const handles wanted = in_order(suspended, Order);
  std::vector<handles> batches(batches_of(Size), wanted);
  row.measure_batches(
      batches_of(Size) * Size,
      [&] {
        for (handles &batch : batches)
          batch = wanted;
      },
      [&] {
        for (handles &batch : batches)
          cancel::resume_all<Distance>(batch);
      });
}

/// One list a batch, and one set of sessions for each.
template <std::int64_t Size, order Order>
void stop_list(turns &row) {
  constexpr auto count = static_cast<std::size_t>(batches_of(Size));
  std::array<std::optional<cancel::wait_list>, count> lists;
  std::vector<loop> sessions;
  std::array<handles, count> suspended;
  sessions.reserve(count * Size);
  for (std::size_t i = 0; i < count; ++i) {
    suspended[i].resize(Size);
    for (std::coroutine_handle<> &place : suspended[i])
      sessions.push_back(waiting_session(place, lists[i]));
  }
  std::array<handles, count> wanted;
  for (std::size_t i = 0; i < count; ++i)
    wanted[i] = in_order(suspended[i], Order);
  row.measure_batches(
      batches_of(Size) * Size,
      [&] {
        for (std::size_t i = 0; i < count; ++i) {
          lists[i].emplace();
          for (const std::coroutine_handle<> session : wanted[i])
            session.resume();
        }
      },
      [&] {
        for (std::optional<cancel::wait_list> &list : lists)
          list->request_stop();
      });
}

template <std::int64_t Size, order Order>
void add(const char *question) {
  bench::add_row(question, "resume_all, nothing fetched", resume<Size, Order, 0>);
  bench::add_row(question, "resume_all, 1 ahead", resume<Size, Order, 1>);
  bench::add_row(question, "resume_all, 2 ahead", resume<Size, Order, 2>);
  bench::add_row(question, "resume_all, 4 ahead", resume<Size, Order, 4>);
  bench::add_row(question, "resume_all, 8 ahead", resume<Size, Order, 8>);
  bench::add_row(question, "resume_all, 16 ahead", resume<Size, Order, 16>);
  bench::add_row(question, "wait_list::request_stop", stop_list<Size, Order>);
}

} // namespace

void bench::add_resume_rows() {
  add<1'000, order::allocated>("resume 1000 in order, each");
  add<1'000, order::shuffled>("resume 1000 shuffled, each");
  add<10'000, order::allocated>("resume 10000 in order, each");
  add<10'000, order::shuffled>("resume 10000 shuffled, each");
  add<100'000, order::allocated>("resume 100000 in order, each");
  add<100'000, order::shuffled>("resume 100000 shuffled, each");
  add<1'000'000, order::allocated>("resume 1000000 in order, each");
  add<1'000'000, order::shuffled>("resume 1000000 shuffled, each");
}
