// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines that run beside each other for one that waits for all of them.
#ifndef CANCEL_DETAIL_BRANCHES_HPP
#define CANCEL_DETAIL_BRANCHES_HPP

#include <cancel/detail/awaitable.hpp>
#include <cancel/detail/task_result.hpp>
#include <cancel/inplace_stop_source.hpp>

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace cancel::detail {

/// Counts the branches that have yet to complete, and the waiting coroutine until it is suspended.
/// Whoever is last goes on with that coroutine.
class branch_latch {
public:
  explicit branch_latch(std::size_t branches, inplace_stop_source *others = nullptr) noexcept
      : left_(branches + 1), others_(others) {}

  void wait(std::coroutine_handle<> coroutine) noexcept { waiting_ = coroutine; }

  /// Returns the waiting coroutine to the last who comes.
  std::coroutine_handle<> arrive() noexcept {
    // Acquire and release, paired with the others' of this line: the last sees what they have left,
    // and where to go on.
    return left_.fetch_sub(1, std::memory_order_acq_rel) == 1 ? waiting_ : nullptr;
  }
  /// A branch has completed but not arrived: everything is still there.
  void complete(std::size_t branch) noexcept {
    std::size_t none = nobody;
    // Relaxed: only the coroutine that waits reads it, in first(), after the last arrive() has
    // acquired what was released by the branch's own.
    if (first_.compare_exchange_strong(none, branch, std::memory_order_relaxed) && others_)
      others_->request_stop();
  }
  /// Relaxed: see complete().
  std::size_t first() const noexcept { return first_.load(std::memory_order_relaxed); }

private:
  static constexpr auto nobody = static_cast<std::size_t>(-1);

  std::atomic<std::size_t> left_;
  std::atomic<std::size_t> first_{nobody};
  std::coroutine_handle<> waiting_;
  inplace_stop_source *const others_; ///< to be stopped by the first
};

/// A branch, and the frame that holds what it awaits. Its promise is no stop_frame: branches run
/// beside each other, so that no slot may serve two of them.
template <class T>
class branch {
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> completed) const noexcept {
      Promise &promise = completed.promise();
      promise.latch->complete(promise.index);
      const std::coroutine_handle<> waiting = promise.latch->arrive();
      return waiting ? waiting : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

public:
  struct promise_type : task_result<T> {
    branch_latch *latch = nullptr;
    std::size_t index = 0;

    branch get_return_object() noexcept {
      return branch(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    final_awaiter final_suspend() const noexcept { return {}; }
  };

  branch(branch &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  branch &operator=(branch &&) = delete;
  ~branch() {
    if (coroutine_)
      coroutine_.destroy();
  }

  void start(branch_latch &latch, std::size_t index) const {
    coroutine_.promise().latch = &latch;
    coroutine_.promise().index = index;
    coroutine_.resume();
  }
  T take() const { return coroutine_.promise().take(); }

private:
  explicit branch(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

/// `make` lives in the coroutine that waits.
template <class T, class F>
branch<T> start_later(inplace_stop_token token, F &make) {
  co_return co_await make(std::move(token));
}

/// Awaits all of them.
template <class... T>
class [[nodiscard]] all_branches {
public:
  explicit all_branches(branch<T>... branches) noexcept : branches_(std::move(branches)...) {}
  all_branches(const all_branches &) = delete;
  all_branches &operator=(const all_branches &) = delete;
  ~all_branches() = default;

  bool await_ready() const noexcept { return sizeof...(T) == 0; }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    latch_.wait(coroutine);
    std::apply(
        [&](const branch<T> &...each) {
          [[maybe_unused]] std::size_t index = 0;
          (each.start(latch_, index++), ...);
        },
        branches_);
    return !latch_.arrive(); // this object may be gone
  }
  std::tuple<as_member_t<T>...> await_resume() {
    return std::apply(
        [](const branch<T> &...each) {
          // In braces, which are evaluated in order.
          return std::tuple<as_member_t<T>...>{
              take_as_member<T>([&]() -> T { return each.take(); })...};
        },
        branches_);
  }

protected:
  all_branches(inplace_stop_source &others, branch<T>... branches) noexcept
      : branches_(std::move(branches)...), latch_(sizeof...(T), &others) {}

  std::tuple<branch<T>...> branches_;
  branch_latch latch_{sizeof...(T)};
};

/// Awaits all of them; the first stops the others.
template <class... T>
class [[nodiscard]] any_branch : all_branches<T...> {
public:
  using result = std::variant<as_member_t<T>...>;

  any_branch(inplace_stop_source &others, branch<T>... branches) noexcept
      : all_branches<T...>(others, std::move(branches)...) {}

  using all_branches<T...>::await_ready;
  using all_branches<T...>::await_suspend;
  void await_resume() const noexcept {}

  /// What the first gave.
  result take_first() { return take_from<0>(); }

private:
  template <std::size_t I>
  result take_from() {
    if constexpr (I + 1 < sizeof...(T))
      if (this->latch_.first() != I)
        return take_from<I + 1>();
    using type = std::tuple_element_t<I, std::tuple<T...>>;
    return result(std::in_place_index<I>, take_as_member<type>([this]() -> type {
                    return std::get<I>(this->branches_).take();
                  }));
  }
};

} // namespace cancel::detail

#endif
