// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses programs over the mock standard library and a mock of the runtime, so that a test takes
// milliseconds.
#include "Program.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>

namespace cancel_tools {

using namespace clang;

namespace {

constexpr llvm::StringLiteral PreludePath = "/prelude/prelude.h";
constexpr llvm::StringLiteral PreludeText = R"cpp(
#pragma once
#pragma clang system_header
#include "task.h"
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>
struct callback { void operator()() const noexcept; };
using registered = std::stop_callback<callback>;
bool coin();
)cpp";

/// The interface of the runtime, as far as rewritten code uses it.
constexpr llvm::StringLiteral RuntimePath = "/runtime/cancel/stop_slot.hpp";
constexpr llvm::StringLiteral RuntimeText = R"cpp(
#pragma once
#include <stop_token>
#include <utility>
namespace cancel {
inline namespace embedded {
class stop_slot {
public:
  explicit stop_slot(const std::stop_token &) noexcept;
  stop_slot(const stop_slot &) = delete;
  ~stop_slot();
};
template <class F> class stop_guard {
public:
  using callback_type = F;
  template <class C> explicit stop_guard(stop_slot &, C &&) {}
  stop_guard(const stop_guard &) = delete;
  ~stop_guard() {}
};
template <class F> stop_guard(stop_slot &, F) -> stop_guard<F>;
}
}
)cpp";

class ErrorCollector : public DiagnosticConsumer {
public:
  explicit ErrorCollector(std::string &Errors) : Errors(Errors) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    const unsigned Line = Info.hasSourceManager() && Info.getLocation().isValid()
                              ? Info.getSourceManager().getExpansionLineNumber(Info.getLocation())
                              : 0;
    Errors += "line " + std::to_string(Line) + ": " + std::string(Message) + "\n";
  }

private:
  std::string &Errors;
};

std::string oneLine(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 16> Words;
  llvm::SplitString(Text, Words);
  return llvm::join(Words, " ");
}

} // namespace

Program::Program(llvm::StringRef Code, const ParseOptions &Parse) {
  std::vector<std::string> Arguments = {"-std=c++20",
                                        "-resource-dir=" CANCEL_RESOURCE_DIR,
                                        "-nostdinc++",
                                        "-isystem" CANCEL_TEST_INPUTS "/std",
                                        "-isystem" CANCEL_TEST_INPUTS,
                                        "-isystem/runtime"};
  tooling::FileContentMappings Files = {{PreludePath.str(), PreludeText.str()},
                                        {RuntimePath.str(), RuntimeText.str()}};
  if (Parse.Prelude)
    Arguments.insert(Arguments.end(), {"-include", PreludePath.str()});
  Arguments.insert(Arguments.end(), Parse.Flags.begin(), Parse.Flags.end());
  Files.insert(Files.end(), Parse.Files.begin(), Parse.Files.end());
  ErrorCollector Collector(Errors);
  AST = tooling::buildASTFromCodeWithArgs(
      Code, Arguments, Parse.Path, "clang-tool", std::make_shared<PCHContainerOperations>(),
      tooling::getClangStripDependencyFileAdjuster(), Files, &Collector);
  EXPECT_EQ(Errors, "") << Code.str();
}

const Coroutine &Program::coroutine(llvm::StringRef Function) const {
  for (const Coroutine &C : unit().coroutines())
    if (C.function().getNameAsString() == Function)
      return C;
  ADD_FAILURE() << "no coroutine is named " << Function.str();
  std::abort();
}

std::string Program::text(const Stmt &S) const {
  const ASTContext &Context = AST->getASTContext();
  return oneLine(Lexer::getSourceText(CharSourceRange::getTokenRange(S.getSourceRange()),
                                      Context.getSourceManager(), Context.getLangOpts()));
}

std::vector<EnabledCheck> callbackCheck() {
  return {EnabledCheck(*findCheck("cancel-callback-across-suspend"))};
}

std::vector<Finding> findings(llvm::StringRef Code, const ParseOptions &Parse) {
  const Program P(Code, Parse);
  const std::vector<EnabledCheck> Checks = callbackCheck();
  return conclude(Checks, {examine(P.unit(), Checks)});
}

std::string refusals(llvm::StringRef Code, const ParseOptions &Parse) {
  std::vector<std::string> Reasons;
  for (const Finding &F : findings(Code, Parse))
    if (!F.IsNote)
      Reasons.push_back(F.Refusal.value_or("none"));
  return llvm::join(Reasons, "; ");
}

std::string apply(llvm::StringRef Text, std::vector<Edit> Edits) {
  llvm::sort(Edits);
  const auto IsRepeated = [](const Edit &A, const Edit &B) { return A.Shared && A == B; };
  Edits.erase(std::unique(Edits.begin(), Edits.end(), IsRepeated), Edits.end());
  std::string Result;
  unsigned At = 0;
  for (const Edit &E : Edits) {
    EXPECT_LE(At, E.Offset) << "edits overlap at " << E.Text;
    if (At > E.Offset)
      continue;
    Result += Text.slice(At, E.Offset);
    Result += E.Text;
    At = E.Offset + E.Length;
  }
  return Result + Text.drop_front(At).str();
}

std::string rewritten(llvm::StringRef Code, const ParseOptions &Parse) {
  std::vector<Edit> Edits;
  for (Finding &F : findings(Code, Parse)) {
    EXPECT_EQ(F.Refusal.value_or(""), "");
    Edits.insert(Edits.end(), F.Edits.begin(), F.Edits.end());
  }
  const std::string Result = apply(Code, Edits);
  for (const Finding &Again : findings(Result, Parse))
    EXPECT_TRUE(Again.IsNote) << "still found after the rewrite: " << Again.Message << '\n'
                              << Result;
  return Result;
}

} // namespace cancel_tools
