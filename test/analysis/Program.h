// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small program in memory, parsed, and what the analysis says about it: the vocabulary of all
// these tests.
#ifndef CANCEL_TEST_ANALYSIS_PROGRAM_H
#define CANCEL_TEST_ANALYSIS_PROGRAM_H

#include "Check.h"
#include "StopUse.h"
#include "Suspension.h"
#include "TokenOrigin.h"
#include "TranslationUnit.h"

#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace cancel_tools {

/// How to parse a program, where it matters.
struct ParseOptions {
  std::string Path = "/src/program.cpp";
  /// Further files, by absolute path.
  std::vector<std::pair<std::string, std::string>> Files;
  /// The mock standard library and a few everyday declarations come before the first line.
  bool Prelude = true;
  std::vector<std::string> Flags;
};

/// One parsed translation unit. The test fails where the program does not compile.
class Program {
public:
  explicit Program(llvm::StringRef Code, const ParseOptions & = {});

  TranslationUnit &unit() const { return TranslationUnit::of(AST->getASTContext()); }
  /// The errors of the parse, empty for a program that compiles.
  const std::string &errors() const { return Errors; }

  /// The first coroutine whose function has that name; a lambda's is "operator()".
  const Coroutine &coroutine(llvm::StringRef Function = "f") const;
  /// The text of a statement, white space runs as one space.
  std::string text(const clang::Stmt &) const;

private:
  std::string Errors;
  std::unique_ptr<clang::ASTUnit> AST;
};

/// The check that most programs here are about, with no option set.
std::vector<EnabledCheck> callbackCheck();

/// Both phases over one program.
std::vector<Finding> findings(llvm::StringRef Code, const ParseOptions & = {});

/// The refusals of the program's findings, joined by "; ". "none" for a finding that is rewritten,
/// and nothing where there is no finding. Notes are none.
std::string refusals(llvm::StringRef Code, const ParseOptions & = {});

/// The program after every edit. Fails the test if the result does not compile, or if rewriting it
/// again changes anything.
std::string rewritten(llvm::StringRef Code, const ParseOptions & = {});

/// `Text` with the edits of one file applied.
std::string apply(llvm::StringRef Text, std::vector<Edit> Edits);

} // namespace cancel_tools

#endif
