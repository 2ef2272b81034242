// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resume_all empties a container of coroutines, which may change it meanwhile.
#include <cancel/resume.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <deque>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Starts suspended, stays at its end until it is destroyed, and lets exceptions out.
class job {
public:
  struct promise_type {
    job get_return_object() noexcept {
      return job(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { throw; }
  };
  using handle_type = std::coroutine_handle<promise_type>;

  explicit job(handle_type handle) : handle(handle) {}
  job(job &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  job &operator=(job &&) = delete;
  ~job() {
    if (handle)
      handle.destroy();
  }

  handle_type handle;
};

job says(std::vector<int> &said, int what) {
  said.push_back(what);
  co_return;
}

static_assert(cancel::resumable_batch<std::vector<std::coroutine_handle<>>>);
static_assert(cancel::resumable_batch<std::deque<job::handle_type>>);
static_assert(!cancel::resumable_batch<std::list<std::coroutine_handle<>>>);
static_assert(!cancel::resumable_batch<std::vector<int>>);

template <class Container>
class resuming_all_of : public testing::Test {
public:
  Container batch;
  std::vector<job> jobs;
  std::vector<int> said;

  void add(job added) {
    batch.push_back(added.handle);
    jobs.push_back(std::move(added));
  }
};
using containers =
    testing::Types<std::vector<std::coroutine_handle<>>, std::vector<job::handle_type>,
                   std::deque<std::coroutine_handle<>>>;
TYPED_TEST_SUITE(resuming_all_of, containers);

TYPED_TEST(resuming_all_of, an_empty_container_does_nothing) {
  cancel::resume_all(this->batch);
  EXPECT_TRUE(this->batch.empty());
}

TYPED_TEST(resuming_all_of, a_container_keeps_its_order_and_empties_it) {
  std::vector<int> expected;
  for (int i = 0; i < 40; ++i) {
    this->add(says(this->said, i));
    expected.push_back(i);
  }
  cancel::resume_all(this->batch);
  EXPECT_TRUE(this->batch.empty());
  EXPECT_EQ(this->said, expected);
}

TYPED_TEST(resuming_all_of, a_container_works_at_any_prefetch_distance) {
  for (int i = 0; i < 5; ++i)
    this->add(says(this->said, i));
  cancel::resume_all<0>(this->batch);
  EXPECT_EQ(this->said.size(), 5);
  this->batch = {};
  for (int i = 0; i < 5; ++i)
    this->add(says(this->said, i));
  cancel::resume_all<100>(this->batch);
  EXPECT_EQ(this->said.size(), 10);
}

TYPED_TEST(resuming_all_of, a_container_leaves_what_is_added_meanwhile_for_the_next_call) {
  auto adds = [](resuming_all_of<TypeParam> &test) -> job {
    for (int i = 0; i < 20; ++i) // enough to reallocate
      test.add(says(test.said, i));
    co_return;
  };
  this->add(adds(*this));
  this->add(says(this->said, 100));
  cancel::resume_all(this->batch);
  EXPECT_EQ(this->said, (std::vector{100}));
  EXPECT_EQ(this->batch.size(), 20);
  cancel::resume_all(this->batch);
  EXPECT_EQ(this->said.size(), 21);
}

TYPED_TEST(resuming_all_of, a_container_lets_a_coroutine_clear_it) {
  auto clears = [](TypeParam &batch) -> job {
    batch.clear();
    batch.shrink_to_fit();
    co_return;
  };
  this->add(clears(this->batch));
  this->add(says(this->said, 1));
  cancel::resume_all(this->batch);
  EXPECT_EQ(this->said, (std::vector{1})); // was taken out before
}

TYPED_TEST(resuming_all_of, a_container_puts_the_rest_back_in_front_when_an_exception_escapes) {
  auto adds_and_throws = [](resuming_all_of<TypeParam> &test) -> job {
    test.add(says(test.said, 9));
    throw std::string("no");
    co_return;
  };
  this->add(says(this->said, 1));
  this->add(adds_and_throws(*this));
  this->add(says(this->said, 2));
  this->add(says(this->said, 3));
  EXPECT_THROW(cancel::resume_all(this->batch), std::string);
  EXPECT_EQ(this->said, (std::vector{1}));
  EXPECT_EQ(this->batch.size(), 3);
  cancel::resume_all(this->batch);
  EXPECT_EQ(this->said, (std::vector{1, 2, 3, 9}));
}

TEST(resuming_all_of_a_vector, keeps_its_capacity) {
  std::vector<std::coroutine_handle<>> batch;
  std::vector<int> said;
  const job one = says(said, 1);
  batch.reserve(100);
  const auto *const storage = batch.data();
  batch.push_back(one.handle);
  cancel::resume_all(batch);
  EXPECT_EQ(batch.data(), storage);
}

} // namespace
