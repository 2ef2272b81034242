// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be told of a source file without a parser: which words may come of it, and which files
// it may include.
#ifndef CANCEL_REWRITER_TEXTSCAN_H
#define CANCEL_REWRITER_TEXTSCAN_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace cancel_tools {

/// The identifiers that are looked for: some words, and every piece of them, because `##` makes one
/// identifier of several, wherever each is written.
class WordPieces {
public:
  explicit WordPieces(llvm::ArrayRef<llvm::StringRef> Words);

  size_t count() const { return Numbers.size(); }
  /// None if the identifier is no piece of a word.
  std::optional<unsigned> numberOf(llvm::StringRef Identifier) const;
  /// Whether the pieces that are there, by number, make up the word.
  bool canMake(llvm::StringRef Word, const llvm::BitVector &Present) const;

private:
  llvm::StringMap<unsigned> Numbers;
  size_t Longest = 0;
};

/// An include directive's operand.
struct IncludeName {
  std::string Name;
  /// In quotes, so that the directory of the file itself is searched as well.
  bool Quoted = false;

  bool operator==(const IncludeName &O) const { return Name == O.Name && Quoted == O.Quoted; }
};

/// What a file may hold. Always too much, never too little: strings, skipped groups and comments
/// that do not begin a line count like code.
struct TextScan {
  /// By the numbers of `WordPieces`.
  llvm::BitVector Pieces;
  std::vector<IncludeName> Includes;
  /// Why the file may include what a look at its text does not tell; empty if nothing is in the
  /// way.
  std::string Obstacle;
};

TextScan scanText(llvm::StringRef Text, const WordPieces &);

} // namespace cancel_tools

#endif
