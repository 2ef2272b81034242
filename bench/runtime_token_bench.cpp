// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does a copy of a token cost?

#include "runtime_questions.hpp"
#include "runtime_rows.hpp"

#include <cancel/cancel.hpp>

#include <asio/cancellation_signal.hpp>

#include <stop_token>

namespace {

template <class Token>
void copy(bench::turns &row, const Token &token) {
  row.measure([&] {
    const Token copied(token); // NOLINT(performance-unnecessary-copy-initialization)
    bench::use(copied);
  });
}

/// The threads copy the token of one source, each from a token of its own.
template <class Source>
void copy_of(bench::turns &row) {
  static const Source shared;
  copy(row, shared.get_token());
}

void copy_of_slot(bench::turns &row) {
  asio::cancellation_signal signal;
  copy(row, signal.slot());
}

} // namespace

void bench::add_token_rows() {
  add_row("token copy", "std::stop_token", copy_of<std::stop_source>);
  add_row("token copy", "cancel::stop_token", copy_of<cancel::stop_source>);
  add_row("token copy", "inplace_stop_token", copy_of<cancel::inplace_stop_source>);
  add_row("token copy", "asio slot", copy_of_slot);

  constexpr auto two = "token copy, 2 threads, one source";
  add_row(two, "std::stop_token", copy_of<std::stop_source>, 2);
  add_row(two, "cancel::stop_token", copy_of<cancel::stop_source>, 2);
  add_row(two, "inplace_stop_token", copy_of<cancel::inplace_stop_source>, 2);
}
