// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it means for edits to collide, and for a text to be edited.
#ifndef CANCEL_REWRITER_EDITS_H
#define CANCEL_REWRITER_EDITS_H

#include "Finding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cancel_tools {

/// Whether the two cannot both be made: they change a common byte, one inserts within what the
/// other replaces, or they insert the same text at the same place and it is not a shared edit.
/// Different insertions at one place do not collide: they are made in the order of their texts.
bool collide(const Edit &, const Edit &);

struct EditedText {
  std::string Text;
  /// Offset and length of what each edit put there, in order.
  std::vector<std::pair<unsigned, unsigned>> Touched;
};

/// The text with the edits made. `Edits` are all of this file, sorted, each once, and do not
/// collide.
EditedText edited(llvm::StringRef Text, llvm::ArrayRef<Edit> Edits);

} // namespace cancel_tools

#endif
