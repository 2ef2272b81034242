// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the base and the adoption are written.
#include "PromiseEmbed.h"
#include "Program.h"

#include "gtest/gtest.h"

namespace cancel_tools {
namespace {

std::string replaced(llvm::StringRef In, llvm::StringRef What, llvm::StringRef With) {
  std::string Result = In.str();
  for (std::size_t At = 0; (At = Result.find(What.str(), At)) != std::string::npos;
       At += With.size())
    Result.replace(At, What.size(), With.str());
  return Result;
}

/// What becomes of `Text` where it stands for TEXT, or the refusal.
std::string edited(llvm::StringRef Around, llvm::StringRef Text, EmbedEdits (*Render)(Program &)) {
  const auto [Before, After] = Around.split("TEXT");
  const std::string Code = (Before + Text + After).str();
  Program P(Code);
  EmbedEdits Rendered = Render(P);
  if (!Rendered.Refusal.empty())
    return Rendered.Refusal;
  for (const Edit &E : Rendered.Edits)
    EXPECT_LE(E.Offset + E.Length, Code.size());
  const std::string Result = cancel_tools::apply(Code, Rendered.Edits);
  const llvm::StringRef Whole = Result;
  const std::size_t Begin = Whole.find(Before.take_back(16)) + 16;
  return Whole.slice(Begin, Whole.rfind(After.take_front(16))).str();
}

std::string withBase(llvm::StringRef Head, llvm::StringRef Before = "") {
  return edited((Before + R"cpp(
struct one {}; struct two {};
/*16 characters*/TEXT public: struct t get_return_object(); std::suspend_always initial_suspend();
  std::suspend_always final_suspend() noexcept; void return_void(); void unhandled_exception(); };
struct t { using promise_type = p; };
t f() { co_return; }
)cpp")
                    .str(),
                Head, [](Program &P) {
                  const Coroutine &F = P.coroutine();
                  return renderFrameBase(P.unit(),
                                         promiseFamilyOf(P.unit(), *F.promise(), taskOf(F)));
                });
}

TEST(FrameBase, StandsAfterTheName) {
  EXPECT_EQ(withBase("struct p {"), "struct p : cancel::stop_frame {");
  EXPECT_EQ(withBase("class p final\n{"), "class p final : public cancel::stop_frame\n{");
  EXPECT_EQ(withBase("struct alignas(16) [[maybe_unused]] p{ /* as it is */"),
            "struct alignas(16) [[maybe_unused]] p : cancel::stop_frame{ /* as it is */");
}

TEST(FrameBase, StandsAfterTheOtherBases) {
  EXPECT_EQ(withBase("struct p : one {"), "struct p : one, cancel::stop_frame {");
  EXPECT_EQ(withBase("struct p : one, public two /* and */ {"),
            "struct p : one, public two, public cancel::stop_frame /* and */ {");
  EXPECT_EQ(withBase("class p : one {"), "class p : one, public cancel::stop_frame {");
}

TEST(FrameBase, IsNamedFromTheGlobalScopeWhereTheNamespaceIsHidden) {
  EXPECT_EQ(withBase("struct p {", "namespace mine { namespace cancel {} } using namespace mine;"),
            "struct p : ::cancel::stop_frame {");
  EXPECT_EQ(
      withBase("struct p {", "void cancel();"),
      "the program declares a global 'cancel' of its own, so the runtime's namespace cannot be "
      "used");
  EXPECT_EQ(withBase("struct p {", "namespace cancel { struct stop_frame; }"),
            "the program has a 'cancel::stop_frame' of its own");
}

TEST(FrameBase, IsRefusedWhereTheHeadIsNotTheSameForAll) {
  EXPECT_EQ(withBase("struct p\n#if 1\n : one\n#endif\n{"),
            "a preprocessor condition stands in the head of 'p', so that another configuration has "
            "another one");
}

constexpr llvm::StringLiteral Awaiter = R"cpp(
struct lazy {
  struct promise_type {
    std::coroutine_handle<> next;
    lazy get_return_object();
    std::suspend_always initial_suspend() noexcept;
    std::suspend_always final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};
using handle = std::coroutine_handle<lazy::promise_type>;
using any = std::coroutine_handle<>;
#define INLINE inline
struct awaiter {
  handle c;
  bool await_ready();
  void await_resume();
/*16 characters*/TEXT
/*16 characters*/};
awaiter operator co_await(lazy);
lazy g();
lazy f() { co_await g(); }
)cpp";

std::string adopting(llvm::StringRef Method, llvm::StringRef Around = Awaiter) {
  return edited(Around, Method, [](Program &P) {
    const auto Tasks = TaskTypes(P.unit()).awaitedIn(P.coroutine());
    return renderAdoption(P.unit(), awaiterShapeOf(P.unit(), Tasks.front()));
  });
}

TEST(Adoption, IsTheFirstLineOfTheBody) {
  EXPECT_EQ(adopting(R"cpp(
  any await_suspend(handle h) {
    // why
    c.promise().next = h;
    return c;
  }
)cpp"),
            R"cpp(
  any await_suspend(handle h) {
    c.promise().adopt(h);
    // why
    c.promise().next = h;
    return c;
  }
)cpp");
  EXPECT_EQ(adopting("handle await_suspend(handle h) { return c; }"),
            "handle await_suspend(handle h) { c.promise().adopt(h); return c; }");
}

TEST(Adoption, MakesATemplateOfWhatTakesAnyHandle) {
  EXPECT_EQ(adopting(R"cpp(
  /// Starts it.
  [[nodiscard]] INLINE auto await_suspend(std::coroutine_handle<> h) noexcept
  {
    return c;
  }
)cpp"),
            R"cpp(
  /// Starts it.
  template <class Promise>
  [[nodiscard]] INLINE auto await_suspend(std::coroutine_handle<Promise> h) noexcept
  {
    c.promise().adopt(h);
    return c;
  }
)cpp");
  EXPECT_EQ(adopting("\npublic: any await_suspend(const any &h) { return c; }\n"),
            "\npublic: template <class Promise> any await_suspend(const "
            "std::coroutine_handle<Promise> &h) { c.promise().adopt(h); return c; }\n");
}

TEST(Adoption, StandsBehindTheDeclarationOfTheHandleThatItNames) {
  EXPECT_EQ(adopting(R"cpp(
  handle await_suspend(handle h) {
    auto *self = this;
    auto &mine = h.promise();
    auto child = self->c;
    child.promise().next = h;
    return child;
  }
)cpp"),
            R"cpp(
  handle await_suspend(handle h) {
    auto *self = this;
    auto &mine = h.promise();
    auto child = self->c;
    child.promise().adopt(h);
    child.promise().next = h;
    return child;
  }
)cpp");
}

TEST(Adoption, UsesNamesThatAreFree) {
  EXPECT_EQ(adopting("\n  any await_suspend(any) { return c; }\n  struct Promise {};\n"),
            "\n  template <class ParentPromise>\n  any "
            "await_suspend(std::coroutine_handle<ParentPromise> parent) { "
            "c.promise().adopt(parent); return c; }\n  struct Promise {};\n");
  EXPECT_EQ(adopting("\n  handle await_suspend(handle) { return c; }\n  int parent;\n"),
            "\n  handle await_suspend(handle awaiting) { c.promise().adopt(awaiting); return c; }\n"
            "  int parent;\n");
}

TEST(Adoption, WritesAsTheFileDoes) {
  const std::string Typename = "template <typename T> struct unused {};" + Awaiter.str();
  EXPECT_EQ(adopting("\n  handle await_suspend(any h) { return c; }\n", Typename),
            "\n  template <typename Promise>\n  handle "
            "await_suspend(std::coroutine_handle<Promise> h) { c.promise().adopt(h); return c; "
            "}\n");
  EXPECT_EQ(adopting("\r\n\tany await_suspend(any h) {\r\n\t\treturn c;\r\n\t}\r\n",
                     replaced(Awaiter, "\n", "\r\n")),
            "\r\n\ttemplate <class Promise>\r\n\tany await_suspend(std::coroutine_handle<Promise> "
            "h) {\r\n\t\tc.promise().adopt(h);\r\n\t\treturn c;\r\n\t}\r\n");
}

TEST(Adoption, ConvertsTheHandleWhereItsTypeIsDeduced) {
  EXPECT_EQ(adopting("\n  any await_suspend(any h) { auto k = h; return c ; }\n"),
            "\n  template <class Promise>\n  any await_suspend(std::coroutine_handle<Promise> h) { "
            "c.promise().adopt(h); auto k = any(h); return c ; }\n");
}

TEST(Adoption, IsRefusedWhereAnotherConfigurationWouldSeeAPart) {
  EXPECT_EQ(adopting("\n#if 1\n  any await_suspend(any h)\n#else\n  void await_suspend(any h)\n"
                     "#endif\n  { c.promise().next = h; return c; }\n"),
            "a preprocessor condition stands in its await_suspend, so that another configuration "
            "would see only a part of the rewrite");
}

} // namespace
} // namespace cancel_tools
