// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which promise classes belong together, and which classes are to get the base.
#include "PromiseFamily.h"
#include "Program.h"
#include "TaskType.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

using namespace clang;

constexpr llvm::StringLiteral Prelude = R"cpp(
namespace cancel { class stop_frame {}; }
struct lazily {
  std::suspend_always initial_suspend() noexcept;
  void unhandled_exception();
};
)cpp";

std::string names(llvm::ArrayRef<const CXXRecordDecl *> Classes) {
  std::vector<std::string> Names;
  for (const CXXRecordDecl *Class : Classes)
    Names.push_back(nameOf(*Class));
  return llvm::join(Names, " ");
}

/// Of the promise of f, a coroutine that returns `Task`: "promises -> receivers", or the refusal.
std::string family(llvm::StringRef Classes, llvm::StringRef Task) {
  const Program P((Prelude + Classes + Task + " f() { co_return; }").str());
  const Coroutine &F = P.coroutine();
  const PromiseFamily Family = promiseFamilyOf(P.unit(), *F.promise(), taskOf(F));
  return Family.Refusal.empty() ? names(Family.Promises) + " -> " + names(Family.Receivers)
                                : Family.Refusal;
}

TEST(PromiseFamily, IsThePromiseAloneWhereNothingIsATemplate) {
  EXPECT_EQ(family("struct t { struct promise_type : lazily { t get_return_object();"
                   "  std::suspend_always final_suspend() noexcept; void return_void(); }; };",
                   "t"),
            "t::promise_type -> t::promise_type");
}

constexpr llvm::StringLiteral Specialised = R"cpp(
template <class T> struct promise;
template <class T> struct t { using promise_type = promise<T>; };
template <class T> struct promise FINAL {
  t<T> get_return_object();
  std::suspend_always final_suspend() noexcept;
  void return_value(T);
};
template <> struct promise<void> FINAL {
  t<void> get_return_object();
  std::suspend_always final_suspend() noexcept;
  void return_void();
};
template <class T> struct promise<T &> FINAL {
  std::suspend_always final_suspend() noexcept;
};
)cpp";

std::string replaced(llvm::StringRef In, llvm::StringRef What, llvm::StringRef With) {
  std::string Result = In.str();
  for (std::size_t At; (At = Result.find(What.str())) != std::string::npos;)
    Result.replace(At, What.size(), With.str());
  return Result;
}

TEST(PromiseFamily, HasAllSpecialisations) {
  EXPECT_EQ(family(replaced(Specialised, "FINAL", ": lazily"), "t<void>"),
            "promise promise<void> promise<T &> -> promise promise<void> promise<T &>");
}

TEST(PromiseFamily, HasThePromisesOfTheTasksSpecialisations) {
  constexpr llvm::StringLiteral Nested =
      "struct promise_type : lazily { t get_return_object();"
      "  std::suspend_always final_suspend() noexcept; void return_void(); };";
  EXPECT_EQ(family(("template <class T> struct t {" + Nested +
                    "};"
                    "template <> struct t<void> {" +
                    Nested + "};")
                       .str(),
                   "t<void>"),
            "t::promise_type t<void>::promise_type -> t::promise_type t<void>::promise_type");
}

TEST(PromiseFamily, ReceivesThroughTheBaseThatEndsTheCoroutine) {
  EXPECT_EQ(family("struct base : lazily { std::suspend_always final_suspend() noexcept; };"
                   "struct p : base { struct t get_return_object(); void return_void(); };"
                   "struct t { using promise_type = p; };",
                   "t"),
            "p -> base");
  EXPECT_EQ(family("template <class P> struct base : lazily {"
                   "  std::suspend_always final_suspend() noexcept; };"
                   "template <> struct base<int> : lazily {"
                   "  std::suspend_always final_suspend() noexcept; };"
                   "template <class T> struct t { struct promise_type : base<promise_type> {"
                   "  t get_return_object(); void return_void(); }; };",
                   "t<int>"),
            "t::promise_type -> base base<int>");
}

TEST(PromiseFamily, ReceivesItselfWhereTheBaseIsNotEveryonesOrNotOurs) {
  constexpr llvm::StringLiteral Rest =
      "struct t get_return_object(); void return_void(); }; struct t { using promise_type = p; };";
  constexpr llvm::StringLiteral Base =
      "struct base : lazily { std::suspend_always final_suspend() noexcept; };";
  EXPECT_EQ(family((Base + "struct p : virtual base {" + Rest).str(), "t"), "p -> p");
  EXPECT_EQ(family((Base +
                    "struct p : private base { using base::initial_suspend;"
                    "using base::final_suspend; using base::unhandled_exception;" +
                    Rest)
                       .str(),
                   "t"),
            "p -> p");
}

TEST(PromiseFamily, ReceivesNothingTwice) {
  constexpr llvm::StringLiteral Rest =
      "std::suspend_always final_suspend() noexcept; struct t get_return_object();"
      "void return_void(); }; struct t { using promise_type = p; };";
  EXPECT_EQ(family(("struct p : lazily, cancel::stop_frame {" + Rest).str(), "t"), "p -> ");
  EXPECT_EQ(
      family(
          ("struct embedded : cancel::stop_frame {}; struct p : lazily, embedded {" + Rest).str(),
          "t"),
      "p -> ");
}

TEST(PromiseFamily, SaysWhyItCannotBeEmbedded) {
  constexpr llvm::StringLiteral Rest =
      "std::suspend_always final_suspend() noexcept; struct t get_return_object();"
      "void return_void(); }; struct t { using promise_type = p; };";
  EXPECT_EQ(family(("struct p : lazily { void adopt(int);" + Rest).str(), "t"),
            "'p' has a member 'adopt' of its own, as cancel::stop_frame has");
  EXPECT_EQ(
      family(("struct own { bool stop_requested(); }; struct p : lazily, own {" + Rest).str(), "t"),
      "'own' has a member 'stop_requested' of its own, as cancel::stop_frame has");
  EXPECT_EQ(
      family(("union p { std::suspend_always initial_suspend(); void unhandled_exception();" + Rest)
                 .str(),
             "t"),
      "'p' is a union, which has no bases");
  EXPECT_EQ(family(("#define PROMISE struct p : lazily {\nPROMISE " + Rest).str(), "t"),
            "'p' is made by a macro");
}

} // namespace
} // namespace cancel_tools
