// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a poll cost, alone and while another thread registers with the same source?

#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <atomic>
#include <cstdlib>
#include <stop_token>
#include <thread>
#include <utility>

namespace {

using bench::turns;

template <class Token>
void poll(turns &row, const Token &token) {
  row.measure([&] {
    if (token.stop_requested())
      std::abort();
    bench::touch_memory();
  });
}

template <class Source>
void quiet(turns &row) {
  const Source source;
  poll(row, source.get_token());
}

void quiet_flag(turns &row) {
  const cancel::stop_flag flag;
  poll(row, flag);
}

/// Another thread registers and deregisters until this object ends.
template <class Source>
class registering_thread {
public:
  explicit registering_thread(const Source &source) : token_(source.get_token()) {
    while (!runs_.load(std::memory_order_relaxed)) // pairs with nothing: it only has to be up
      std::this_thread::yield();
  }
  registering_thread(const registering_thread &) = delete;
  registering_thread &operator=(const registering_thread &) = delete;
  ~registering_thread() {
    over_.store(true, std::memory_order_relaxed); // pairs with nothing: the thread is joined
    thread_.join();
  }

private:
  using token_type = decltype(std::declval<const Source &>().get_token());
  using callback = typename token_type::template callback_type<bench::count_call>;

  void work() {
    const bench::on_processor other(1);
    std::int64_t calls = 0;
    while (!over_.load(std::memory_order_relaxed)) {
      const callback registered(token_, bench::count_call{calls});
      runs_.store(true, std::memory_order_relaxed);
    }
  }

  const token_type token_;
  std::atomic<bool> runs_{false};
  std::atomic<bool> over_{false};
  std::thread thread_{[this] { work(); }};
};

/// C++20's token does not name its callback.
struct std_source : std::stop_source {
  struct token : std::stop_token {
    template <class F>
    using callback_type = std::stop_callback<F>;
  };
  token get_token() const noexcept { return {std::stop_source::get_token()}; }
};

template <class Source>
void busy(turns &row) {
  const Source source;
  const registering_thread<Source> other(source);
  const bench::on_processor here(0);
  poll(row, source.get_token());
}

} // namespace

void bench::add_poll_rows() {
  add_row("poll", "std::stop_token", quiet<std::stop_source>);
  add_row("poll", "cancel::stop_token", quiet<cancel::stop_source>);
  add_row("poll", "inplace_stop_token", quiet<cancel::inplace_stop_source>);
  add_row("poll", "stop_flag", quiet_flag);

  constexpr auto beside = "poll while another thread registers";
  add_row(beside, "std::stop_token", busy<std_source>);
  add_row(beside, "cancel::stop_token", busy<cancel::stop_source>);
  add_row(beside, "inplace_stop_token", busy<cancel::inplace_stop_source>);
}
