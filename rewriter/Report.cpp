// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain text for people; lines start with FILE:LINE:COLUMN so that editors can jump to them.
#include "Report.h"

#include "DisplayPath.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using llvm::raw_ostream;

namespace cancel_tools {

int Outcome::exitCode() const {
  if (!Failures.empty())
    return 2;
  return Decided.Findings.empty() ? 0 : 1;
}

static bool isRewritten(const Finding &F) { return !F.Edits.empty() || F.FixedWith; }

static std::string place(const Location &At) {
  return displayPath(At.File) + ":" + std::to_string(At.Line) + ":" + std::to_string(At.Column);
}

// "1 file", "2 files"
static std::string counted(size_t N, llvm::StringRef What) {
  return (llvm::Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

static void printFinding(const Finding &F, bool Applied, raw_ostream &Out) {
  Out << place(F.At) << ": " << F.Message << " [" << F.Check << "]\n";
  for (const Note &N : F.Notes)
    Out << "    " << place(N.At) << ": note: " << N.Message << '\n';
  if (isRewritten(F)) {
    Out << (Applied ? "    rewritten" : "    would be rewritten");
    if (F.FixedWith)
      Out << " together with line " << F.FixedWith->Line;
    Out << '\n';
  } else if (F.Refusal) {
    Out << "    refused: " << *F.Refusal << '\n';
  } else {
    Out << "    no rewrite is offered for this\n";
  }
}

static void printFailure(const Failure &F, raw_ostream &Out) {
  Out << "error: ";
  if (!F.Path.empty())
    Out << displayPath(F.Path) << ' ';
  Out << F.Reason << '\n';
}

static void printHints(const Outcome &O, raw_ostream &Out) {
  if (O.Decided.LeftOutInBuildDir != 0)
    Out << "note: " << counted(O.Decided.LeftOutInBuildDir, "finding") << " in the build director"
        << (O.BuildDirs.size() == 1 ? "y " + displayPath(O.BuildDirs.front()) : "ies")
        << " left out; name a path in it to include them\n";
  if (O.Verified.MissingHeader)
    Out << "note: your build does not find <" << *O.Verified.MissingHeader << "> yet: add -I"
        << O.RuntimeDir << " to its flags\n";
}

static void printCounts(const Outcome &O, raw_ostream &Out) {
  const std::vector<Finding> &Findings = O.Decided.Findings;
  const size_t Rewritten = llvm::count_if(Findings, isRewritten);
  const size_t Refused =
      llvm::count_if(Findings, [](const Finding &F) { return F.Refusal.has_value(); });
  Out << counted(O.UnitsAnalysed, "translation unit") << " analysed";
  if (O.UnitsRemembered != 0)
    Out << " (" << O.UnitsRemembered << " unchanged since an earlier run)";
  Out << ", " << O.Verified.Units << " parsed again over the edits\n"
      << counted(Findings.size(), "finding") << ": " << Rewritten
      << (O.FilesWritten ? " rewritten, " : " to be rewritten, ") << Refused << " refused, "
      << Findings.size() - Rewritten - Refused << " without a rewrite\n";
}

static void printChanges(const Outcome &O, raw_ostream &Out) {
  const size_t Changes = O.Decided.Groups.size();
  if (Changes == 0)
    return;
  Out << counted(Changes, "change") << " in "
      << counted(O.FilesWritten.value_or(editedFiles(O.Decided).size()), "file");
  if (O.FilesWritten)
    Out << " written; --undo takes " << (Changes == 1 ? "it" : "them") << " back\n";
  else if (!O.Destination.empty())
    Out << " proposed, in " << O.Destination << '\n';
  else if (O.PatchRoot.empty())
    Out << " proposed\n";
  else
    Out << " proposed; run again with --apply to write " << (Changes == 1 ? "it" : "them")
        << ", or apply the patch with 'patch -p1' in " << O.PatchRoot << '\n';
}

static void printExitCode(const Outcome &O, raw_ostream &Out) {
  const int Code = O.exitCode();
  Out << "exit code " << Code << ": ";
  if (Code == 0)
    Out << "nothing to do\n";
  else if (Code == 1)
    Out << "there are findings" << (O.Decided.Groups.empty() ? "" : " or changes") << '\n';
  else
    Out << "something failed, see the errors above\n";
}

void reportFailures(const Outcome &O, raw_ostream &Out) {
  for (const Failure &F : O.Failures)
    printFailure(F, Out);
}

void report(const Outcome &O, raw_ostream &Out) {
  for (const Finding &F : O.Decided.Findings)
    printFinding(F, O.FilesWritten.has_value(), Out);
  reportFailures(O, Out);
  printHints(O, Out);
  printCounts(O, Out);
  printChanges(O, Out);
  printExitCode(O, Out);
}

} // namespace cancel_tools
