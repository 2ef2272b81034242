// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang::tooling::Replacements is not used: it rejects two insertions at one place and knows no
// shared edit.
#include "Edits.h"

#include <cassert>

namespace cancel_tools {

bool collide(const Edit &A, const Edit &B) {
  if (A.File != B.File || (A == B && A.Shared))
    return false;
  if (A.Length == 0 && B.Length == 0)
    return A.Offset == B.Offset && A.Text == B.Text;
  // An insertion at either end of a replaced range is outside of it.
  const unsigned Begin = std::max(A.Offset, B.Offset);
  const unsigned End = std::min(A.Offset + A.Length, B.Offset + B.Length);
  if (A.Length != 0 && B.Length != 0)
    return Begin < End;
  const Edit &Insertion = A.Length == 0 ? A : B, &Replacement = A.Length == 0 ? B : A;
  return Replacement.Offset < Insertion.Offset &&
         Insertion.Offset < Replacement.Offset + Replacement.Length;
}

EditedText edited(llvm::StringRef Text, llvm::ArrayRef<Edit> Edits) {
  EditedText Result;
  size_t Done = 0;
  for (const Edit &E : Edits) {
    assert(E.Offset >= Done && E.Offset + E.Length <= Text.size() && "colliding or foreign edit");
    Result.Text += Text.slice(Done, E.Offset);
    Result.Touched.emplace_back(Result.Text.size(), E.Text.size());
    Result.Text += E.Text;
    Done = E.Offset + E.Length;
  }
  Result.Text += Text.drop_front(Done);
  return Result;
}

} // namespace cancel_tools
