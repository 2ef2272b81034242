// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding to diagnostic, notes and fix-its; places go back from real paths to the SourceManager's
// locations.
#include "Render.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cancel_tools {

using namespace clang;

namespace {

/// Insertions at one offset as one insertion: a diagnostic's fix-its must not depend on their
/// order.
std::vector<Edit> joinInsertions(std::vector<Edit> Edits) {
  llvm::sort(Edits);
  std::vector<Edit> Joined;
  for (Edit &E : Edits) {
    Edit *Last = Joined.empty() ? nullptr : &Joined.back();
    if (Last && Last->Length == 0 && E.Length == 0 && Last->File == E.File &&
        Last->Offset == E.Offset)
      Last->Text += E.Text;
    else
      Joined.push_back(std::move(E));
  }
  return Joined;
}

} // namespace

void Renderer::render(llvm::ArrayRef<Finding> Findings) {
  for (const Finding &F : Findings)
    if (!staysInMainFile(F))
      LeavingMainFile.insert(F.Group);
  for (const Finding &F : Findings)
    if (llvm::any_of(F.Requires,
                     [&](const std::string &Group) { return LeavingMainFile.contains(Group); }))
      LeavingMainFile.insert(F.Group);
  for (const Finding &F : Findings) {
    renderDiagnostic(F);
    renderNotes(F);
  }
}

bool Renderer::staysInMainFile(const Finding &F) const {
  const std::string Main = Unit.realPath(Unit.sources().getMainFileID());
  return llvm::all_of(F.Edits, [&](const Edit &E) { return E.File == Main; });
}

void Renderer::renderDiagnostic(const Finding &F) {
  // The message is an argument, not the format: source text in it may contain '%'.
  const DiagnosticBuilder Diagnostic =
      Tidy.diag(F.Check, sourceLocation(F.At.File, F.At.Offset), "%0",
                F.IsNote ? DiagnosticIDs::Remark : DiagnosticIDs::Warning);
  Diagnostic << F.Message;
  if (!LeavingMainFile.contains(F.Group))
    for (const FixItHint &Hint : fixIts(F.Edits))
      Diagnostic << Hint;
}

void Renderer::renderNotes(const Finding &F) {
  for (const Note &N : F.Notes)
    note(F, N.At, N.Message);
  if (F.Refusal)
    note(F, F.At, "not rewritten: " + *F.Refusal);
  else if (!F.Group.empty() && LeavingMainFile.contains(F.Group))
    note(F, F.At, "the rewrite reaches other files; run cancel-migrate");
  else if (F.FixedWith)
    note(F, *F.FixedWith, llvm::formatv("fixed with line {0}", F.FixedWith->Line).str());
}

void Renderer::note(const Finding &F, const Location &At, llvm::StringRef Message) {
  Tidy.diag(F.Check, sourceLocation(At.File, At.Offset), "%0", DiagnosticIDs::Note) << Message;
}

std::vector<FixItHint> Renderer::fixIts(llvm::ArrayRef<Edit> Edits) {
  std::vector<Edit> Wanted;
  for (const Edit &E : Edits) {
    if (E.Shared && !Tidy.areDiagsSelfContained() && !SharedDone.insert(E).second)
      continue;
    Wanted.push_back(E);
  }

  std::vector<FixItHint> Hints;
  for (const Edit &E : joinInsertions(std::move(Wanted))) {
    const SourceLocation Begin = sourceLocation(E.File, E.Offset);
    const SourceLocation End = sourceLocation(E.File, E.Offset + E.Length);
    Hints.push_back(
        FixItHint::CreateReplacement(CharSourceRange::getCharRange(Begin, End), E.Text));
  }
  return Hints;
}

SourceLocation Renderer::sourceLocation(llvm::StringRef File, unsigned Offset) const {
  const SourceManager &Sources = Unit.sources();
  // The main file first: clangd's is an editor buffer, which need not be the file that the path
  // leads to.
  FileID Found = Sources.getMainFileID();
  if (Unit.realPath(Found) != File) {
    const OptionalFileEntryRef Entry = Sources.getFileManager().getOptionalFileRef(File);
    Found = Entry ? Sources.translateFile(*Entry) : FileID();
  }
  return Found.isValid() ? Sources.getComposedLoc(Found, Offset) : SourceLocation();
}

} // namespace cancel_tools
