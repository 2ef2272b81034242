// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to register a callback and to take it back?

#include "runtime_bounds.hpp"
#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <cstdint>
#include <stop_token>

namespace {

using bench::count_call;
using bench::turns;

/// `Callback` is a stop callback's template.
template <template <class> class Callback>
struct as_callback {
  template <class Token>
  static void measure(turns &row, const Token &token) {
    std::int64_t calls = 0;
    row.measure([&] {
      const Callback<count_call> registered(token, count_call{calls});
      bench::touch_memory();
    });
  }
};

/// What a short coroutine does: a slot for one guard.
template <cancel::stop_policy Policy>
struct as_slot {
  template <class Token>
  static void measure(turns &row, const Token &token) {
    std::int64_t calls = 0;
    row.measure([&] {
      cancel::stop_slot slot(token, Policy);
      const cancel::stop_guard armed(slot, count_call{calls});
      bench::touch_memory();
    });
  }
};

template <class Source, class Registration>
void own(turns &row) {
  const Source source;
  Registration::measure(row, source.get_token());
}

template <class Source, class Registration>
void shared(turns &row) {
  static const Source source;
  Registration::measure(row, source.get_token());
}

/// The least that registering and deregistering can cost under one lock: two critical sections that
/// change one word beside it.
void one_lock(turns &row) {
  using native = cancel::detail::native_policy;
  struct alignas(cancel::detail::cache_line) guarded {
    native::mutex lock;
    std::int64_t registered = 0;
    void add(std::int64_t some) noexcept {
      lock.lock();
      registered += some;
      lock.unlock();
    }
  };
  static guarded place;
  row.measure([] {
    place.add(1);
    bench::touch_memory();
    place.add(-1);
  });
}

/// In a handler of an io_context, which recycles the memory of the slot's handlers.
void asio_slot(turns &row) {
  asio::io_context context;
  asio::post(context, [&row] {
    asio::cancellation_signal signal;
    std::int64_t calls = 0;
    row.measure([&] {
      asio::cancellation_slot slot = signal.slot();
      slot.assign([&calls](asio::cancellation_type) { ++calls; });
      bench::touch_memory();
      slot.clear();
    });
  });
  context.run();
}

using std_callback = as_callback<std::stop_callback>;
using cancel_callback = as_callback<cancel::stop_callback>;
using inplace_callback = as_callback<cancel::inplace_stop_callback>;
using shared_slot = as_slot<cancel::stop_policy::shared>;
using adaptive_slot = as_slot<cancel::stop_policy::adaptive>;
using sharded_source = cancel::sharded_stop_source<8>;

} // namespace

void bench::add_register_rows() {
  constexpr auto one = "register and deregister";
  add_row(one, "std::stop_callback", own<std::stop_source, std_callback>);
  add_row(one, "cancel::stop_callback", own<cancel::stop_source, cancel_callback>);
  add_row(one, "inplace_stop_callback", own<cancel::inplace_stop_source, inplace_callback>);
  add_row(one, "inplace_stop_callback, sharded", own<sharded_source, inplace_callback>);
  add_row(one, "slot and guard, inplace, shared", own<cancel::inplace_stop_source, shared_slot>);
  add_row(one, "slot and guard, inplace, adaptive",
          own<cancel::inplace_stop_source, adaptive_slot>);
  add_row(one, "slot and guard, std, adaptive", own<std::stop_source, adaptive_slot>);
  add_row(one, "asio slot", asio_slot);
  add_row(one, "bound: two exchanges", bench::measure_bound<two_exchanges>);
  add_row(one, "bound: one exchange", bench::measure_bound<one_exchange>);
  add_row(one, "bound: asymmetric", bench::measure_bound<asymmetric_stores>);
  add_row(one, "bound: plain", bench::measure_bound<plain_stores>);

  constexpr auto apart = "register and deregister, 2 threads, own source";
  add_row(apart, "std::stop_callback", own<std::stop_source, std_callback>, 2);
  add_row(apart, "cancel::stop_callback", own<cancel::stop_source, cancel_callback>, 2);
  add_row(apart, "inplace_stop_callback", own<cancel::inplace_stop_source, inplace_callback>, 2);

  constexpr auto two = "register and deregister, 2 threads, one source";
  add_row(two, "std::stop_callback", shared<std::stop_source, std_callback>, 2);
  add_row(two, "cancel::stop_callback", shared<cancel::stop_source, cancel_callback>, 2);
  add_row(two, "inplace_stop_callback", shared<cancel::inplace_stop_source, inplace_callback>, 2);
  add_row(two, "inplace_stop_callback, sharded", shared<sharded_source, inplace_callback>, 2);
  add_row(two, "slot and guard, inplace, shared", shared<cancel::inplace_stop_source, shared_slot>,
          2);
  add_row(two, "slot and guard, inplace, adaptive",
          shared<cancel::inplace_stop_source, adaptive_slot>, 2);
  add_row(two, "slot and guard, sharded, adaptive", shared<sharded_source, adaptive_slot>, 2);
  add_row(two, "slot and guard, std, adaptive", shared<std::stop_source, adaptive_slot>, 2);
  add_row(two, "bound: one lock", one_lock, 2);
}
