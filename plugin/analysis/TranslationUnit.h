// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One parsed translation unit and what is computed from it once, whoever asks: files, tokens,
// coroutines.
#ifndef CANCEL_ANALYSIS_TRANSLATIONUNIT_H
#define CANCEL_ANALYSIS_TRANSLATIONUNIT_H

#include "Finding.h"
#include "Suspension.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace cancel_tools {

/// The facts of one ASTContext. Lives as long as the context; used by the thread that owns the
/// context.
class TranslationUnit {
public:
  /// The object of that context, made on first use and freed with the context. Thread-safe: clangd
  /// analyses several contexts at once.
  static TranslationUnit &of(clang::ASTContext &);

  TranslationUnit(const TranslationUnit &) = delete;
  TranslationUnit &operator=(const TranslationUnit &) = delete;

  clang::ASTContext &context() { return Context; }
  const clang::SourceManager &sources() const { return Context.getSourceManager(); }

  /// The coroutines whose bodies this host shows, in the order of the traversal scope: functions,
  /// members, lambdas, and each instantiation of a template (never its pattern). System headers are
  /// left out.
  llvm::ArrayRef<Coroutine> coroutines();
  /// All functions whose bodies this host shows, chosen and ordered in the same way.
  llvm::ArrayRef<const clang::FunctionDecl *> functions();

  /// Where the text at `Loc` stands on disk; none if a macro made it or it is in no file.
  std::optional<Location> locate(clang::SourceLocation Loc) const;
  /// Where a fact stands: where it is written, also in a macro's argument; a macro's own text
  /// stands where it is used. Its file is empty if there is none.
  Location placeOf(clang::SourceLocation Loc) const {
    return locate(sources().getFileLoc(Loc)).value_or(Location{});
  }
  /// Real path of a file, empty if it has none.
  const std::string &realPath(clang::FileID) const;
  llvm::StringRef text(clang::FileID) const;

  /// The file's tokens without comments, from the raw lexer; computed once per file.
  llvm::ArrayRef<clang::Token> tokens(clang::FileID);

private:
  explicit TranslationUnit(clang::ASTContext &Context) : Context(Context) {}

  void findFunctions();

  clang::ASTContext &Context;
  std::optional<std::vector<const clang::FunctionDecl *>> Functions;
  std::vector<Coroutine> Coroutines;
  llvm::DenseMap<clang::FileID, std::vector<clang::Token>> Tokens;
  mutable llvm::DenseMap<clang::FileID, std::string> RealPaths;
};

} // namespace cancel_tools

#endif
