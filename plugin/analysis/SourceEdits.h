// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders edits of one translation unit's files: ranges to offsets, line ends and indentation as
// the file has them.
#ifndef CANCEL_ANALYSIS_SOURCEEDITS_H
#define CANCEL_ANALYSIS_SOURCEEDITS_H

#include "Finding.h"
#include "TranslationUnit.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace cancel_tools {

/// Every function gives none where the text is not in a file as written: a macro made it, or part
/// of it.
class SourceEdits {
public:
  explicit SourceEdits(TranslationUnit &Unit) : Unit(Unit) {}

  /// The text of a range of whole tokens.
  std::optional<std::string> text(clang::SourceRange Tokens) const;
  std::optional<Edit> replace(clang::SourceRange Tokens, llvm::StringRef Text) const;
  std::optional<Edit> insertBefore(clang::SourceLocation, llvm::StringRef Text) const;
  /// After the last character of a statement, its semicolon included.
  std::optional<Edit> insertAfter(const clang::Stmt &, llvm::StringRef Text) const;

  /// An include of `<Header>` at the place that the file's own includes suggest. No edit is needed
  /// where the file names `Header` or `Umbrella` already.
  struct Include {
    std::optional<Edit> Needed;
  };
  Include include(clang::FileID, llvm::StringRef Header, llvm::StringRef Umbrella) const;

  /// The white space before the first token of the line.
  std::string indentation(clang::SourceLocation) const;
  bool startsLine(clang::SourceLocation) const;
  /// Where the lines of // comments right above `Loc` begin; `Loc` itself if there are none or it
  /// does not start its line.
  clang::SourceLocation aboveItsComments(clang::SourceLocation Loc) const;
  /// "\n" or "\r\n", as the file has it.
  llvm::StringRef lineEnd(clang::SourceLocation) const;

  /// The start of the qualified name whose last identifier stands at `Name`: of `std::` in
  /// `std::stop_callback`.
  clang::SourceLocation qualifiedNameBegin(clang::SourceLocation Name) const;
  /// Whether the identifier occurs anywhere in the range.
  bool mentions(clang::SourceRange, llvm::StringRef Identifier) const;

  /// Whether every configuration of the file has both places or neither: no preprocessor condition
  /// opens or ends between the two offsets without its other end.
  bool areUnderOneCondition(clang::FileID, unsigned Begin, unsigned End) const;

private:
  std::optional<Edit> edit(clang::SourceLocation Begin, unsigned Length,
                           llvm::StringRef Text) const;
  llvm::StringRef lineUpTo(clang::SourceLocation) const;

  TranslationUnit &Unit;
};

} // namespace cancel_tools

#endif
