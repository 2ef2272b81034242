// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What promises know of the slots of others, or could know.
#include "PromiseShape.h"
#include "Program.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

/// The shape of a promise with those bases and further members.
PromiseShape shape(llvm::StringRef Bases, llvm::StringRef Members, llvm::StringRef Before = "") {
  const Program P((Before + "struct routine { struct promise_type" + Bases + " {" + Members +
                   "routine get_return_object() { return {}; }\n"
                   "std::suspend_always initial_suspend() noexcept { return {}; }\n"
                   "std::suspend_always final_suspend() noexcept { return {}; }\n"
                   "void return_void() {}\n"
                   "void unhandled_exception() {} }; };\n"
                   "routine f() { co_return; }")
                      .str());
  return promiseShapeOf(P.unit(), P.coroutine());
}

TEST(PromiseShape, IsEmbeddedWhereAStopFrameIsABase) {
  constexpr llvm::StringLiteral Frame =
      "namespace cancel { inline namespace v { class stop_frame {}; } }\n";
  EXPECT_EQ(shape(" : cancel::stop_frame", "", Frame).What, PromiseShape::Embedded);
  EXPECT_EQ(shape(" : base", "", (Frame + "struct base : cancel::stop_frame {};\n").str()).What,
            PromiseShape::Embedded);
  EXPECT_EQ(shape("", "").What, PromiseShape::Embeddable);
  EXPECT_EQ(shape(" : stop_frame", "", "struct stop_frame {};\n").What, PromiseShape::Embeddable);
}

TEST(PromiseShape, TakesSlotForWhereAwaitTransformTakesAnything) {
  EXPECT_TRUE(shape("", "").TakesSlotFor);
  EXPECT_TRUE(
      shape("", "template <class T> T &&await_transform(T &&t) { return (T &&)t; }").TakesSlotFor);
  EXPECT_TRUE(
      shape("", "template <class T> T &&await_transform(T &&t) { return std::forward<T>(t); }")
          .TakesSlotFor);
  EXPECT_FALSE(
      shape("", "int awaits; template <class T> T &&await_transform(T &&t) { ++awaits; return (T "
                "&&)t; }")
          .TakesSlotFor); // one more await would count
  EXPECT_FALSE(shape("", "template <class T> auto await_transform(T &&t) { return wrapped(t); }")
                   .TakesSlotFor);
  EXPECT_FALSE(shape("", "int await_transform(int);").TakesSlotFor);
  EXPECT_FALSE(shape("", "template <class T> void await_transform(T &&) = delete;").TakesSlotFor);
  EXPECT_FALSE(shape("", "template <class T> requires(sizeof(T) > 8) void await_transform(T &&);")
                   .TakesSlotFor);
  EXPECT_FALSE(shape("", "template <class T> void await_transform(awaitable<T>);").TakesSlotFor);
}

TEST(PromiseShape, OfAGeneratorSharesNothing) {
  EXPECT_TRUE(shape("", "").canShareSlots());
  EXPECT_FALSE(shape("", "std::suspend_always yield_value(int) { return {}; }").canShareSlots());
}

} // namespace
} // namespace cancel_tools
