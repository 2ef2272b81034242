// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resumes many coroutines, fetching each frame before its turn comes.
#ifndef CANCEL_RESUME_HPP
#define CANCEL_RESUME_HPP

#include <cancel/fence.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <ranges>
#include <utility>

namespace cancel {

/// How many frames ahead a batch fetches: 4 and 8 do about equally well on shuffled frames, 16 is
/// too far; `./dev bench runtime` measures it.
inline constexpr std::size_t prefetch_distance = 8;

namespace detail {
template <class T>
inline constexpr bool is_coroutine_handle = false;
template <class Promise>
inline constexpr bool is_coroutine_handle<std::coroutine_handle<Promise>> = true;
} // namespace detail

/// A container, such as std::vector or std::deque, of coroutine handles that can be taken out of it
/// as a whole.
template <class Container>
concept resumable_batch =
    std::ranges::random_access_range<Container> && std::ranges::sized_range<Container> &&
    detail::is_coroutine_handle<std::ranges::range_value_t<Container>> &&
    std::default_initializable<Container> && std::movable<Container>;

/// Resumes every coroutine in `batch`, in its order, and leaves the container empty.
///
/// A coroutine that is resumed may add to the container: what it adds stays there for the next
/// call. Nobody may destroy a coroutine of the batch before its turn. Not thread-safe. If a
/// coroutine's promise lets an exception out, the rest of the batch is put back in front of what
/// was added, so that nothing is lost. Cost: one prefetch a frame beside the resumption;
/// nothing is allocated but what an empty container needs (libstdc++'s deque does).
template <std::size_t Distance = prefetch_distance, resumable_batch Container>
void resume_all(Container &batch) {
  Container taken = std::exchange(batch, Container());
  const std::size_t count = std::ranges::size(taken);
  const auto frames = std::ranges::begin(taken);
  std::size_t next = 0;
  struct rest {
    Container &batch, &taken;
    const std::size_t &next;
    ~rest() {
      taken.erase(std::ranges::begin(taken),
                  std::ranges::begin(taken) + static_cast<std::ptrdiff_t>(next));
      if (std::ranges::empty(batch))
        batch = std::move(taken); // with its capacity
      else if (!std::ranges::empty(taken))
        batch.insert(std::ranges::begin(batch), std::ranges::begin(taken), std::ranges::end(taken));
    }
  } put_back{batch, taken, next};

  const auto at = [&](std::size_t i) -> auto & { return frames[static_cast<std::ptrdiff_t>(i)]; };
  if constexpr (Distance != 0)
    for (std::size_t i = 0; i < count && i < Distance; ++i)
      prefetch_frame(at(i));
  while (next < count) {
    if constexpr (Distance != 0)
      if (next + Distance < count)
        prefetch_frame(at(next + Distance));
    at(next++).resume();
  }
}

} // namespace cancel

#endif
