// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that knows how a finding looks as a clang-tidy diagnostic.
#ifndef CANCEL_TIDY_RENDER_H
#define CANCEL_TIDY_RENDER_H

#include "Finding.h"
#include "TranslationUnit.h"

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <set>

namespace cancel_tools {

/// Renders the findings of one translation unit, all of them in one call of `render`.
///
/// clang-tidy applies the fix-its of every diagnostic, so there a shared edit goes with the first
/// of them. clangd applies them one by one, so there it goes with each (the host says which it is
/// by `areDiagsSelfContained`).
class Renderer {
public:
  /// Both outlive the renderer.
  Renderer(TranslationUnit &Unit, clang::tidy::ClangTidyContext &Tidy) : Unit(Unit), Tidy(Tidy) {}

  void render(llvm::ArrayRef<Finding> Findings);

private:
  bool staysInMainFile(const Finding &) const;
  void renderDiagnostic(const Finding &);
  void renderNotes(const Finding &);
  void note(const Finding &, const Location &At, llvm::StringRef Message);
  std::vector<clang::FixItHint> fixIts(llvm::ArrayRef<Edit> Edits);
  /// Invalid if this translation unit does not contain the file.
  clang::SourceLocation sourceLocation(llvm::StringRef File, unsigned Offset) const;

  TranslationUnit &Unit;
  clang::tidy::ClangTidyContext &Tidy;
  /// Groups that only cancel-migrate can rewrite.
  llvm::StringSet<> LeavingMainFile;
  std::set<Edit> SharedDone;
};

} // namespace cancel_tools

#endif
