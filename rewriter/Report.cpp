// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain text for people; lines start with FILE:LINE:COLUMN so that editors can jump to them.
#include "Report.h"

#include "DisplayPath.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using llvm::raw_ostream;
using llvm::StringRef;

namespace cancel_tools {

int exitCode(const Proposal &P) {
  if (!P.Failures.empty())
    return 2;
  return llvm::all_of(P.Decided.Findings, [](const Finding &F) { return F.IsNote; }) ? 0 : 1;
}

/// What is printed while it exists is coloured, if the stream shows colours.
class Colored {
public:
  Colored(raw_ostream &Out, raw_ostream::Colors Color) : Out(Out) {
    Out.changeColor(Color, /*Bold=*/true);
  }
  Colored(const Colored &) = delete;
  ~Colored() { Out.resetColor(); }

private:
  raw_ostream &Out;
};

static void print(StringRef Text, raw_ostream::Colors Color, raw_ostream &Out) {
  const Colored In(Out, Color);
  Out << Text;
}

static bool isRewritten(const Finding &F) { return !F.Edits.empty() || F.FixedWith; }

static std::string place(const Location &At) {
  return displayPath(At.File) + ":" + std::to_string(At.Line) + ":" + std::to_string(At.Column);
}

// "1 file", "2 files"
static std::string counted(size_t N, llvm::StringRef What) {
  return (llvm::Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

static void printFinding(const Finding &F, StringRef Rewritten, raw_ostream &Out) {
  print(place(F.At) + ": ", raw_ostream::SAVEDCOLOR, Out);
  Out << (F.IsNote ? "note: " : "") << F.Message << " [" << F.Check << "]\n";
  for (const Note &N : F.Notes)
    Out << "    " << place(N.At) << ": note: " << N.Message << '\n';
  if (isRewritten(F)) {
    Out << "    ";
    print(Rewritten, raw_ostream::GREEN, Out);
    if (F.FixedWith)
      Out << " together with line " << F.FixedWith->Line;
    Out << '\n';
  } else if (F.Refusal) {
    print("    refused: ", raw_ostream::YELLOW, Out);
    Out << *F.Refusal << '\n';
  } else if (!F.IsNote) {
    Out << "    no rewrite is offered for this\n";
  }
}

static void printFailure(const Failure &F, raw_ostream &Out) {
  print("error: ", raw_ostream::RED, Out);
  if (!F.Path.empty())
    Out << displayPath(F.Path) << ' ';
  Out << F.Reason << '\n';
}

static void printHints(const Proposal &P, raw_ostream &Out) {
  if (P.Decided.LeftOutInBuildDir != 0)
    Out << "note: " << counted(P.Decided.LeftOutInBuildDir, "finding") << " in the build director"
        << (P.BuildDirs.size() == 1 ? "y " + displayPath(P.BuildDirs.front()) : "ies")
        << " left out; name a path in it to include them\n";
  if (P.Verified && P.Verified->MissingHeader)
    Out << "note: your build does not find <" << *P.Verified->MissingHeader << "> yet: add -I"
        << P.Settings.RuntimeDir << " to its flags\n";
}

static void printUnits(size_t Analysed, size_t Remembered, size_t Skipped, raw_ostream &Out) {
  Out << counted(Analysed, "translation unit") << " analysed";
  if (Remembered != 0)
    Out << " (" << Remembered << " unchanged since an earlier run)";
  if (Skipped != 0)
    Out << ", " << Skipped << (Skipped == 1 ? " never mentions" : " never mention")
        << " what the checks look for";
}

static void printCounts(const Proposal &P, const Delivery &To, raw_ostream &Out) {
  std::vector<Finding> Findings;
  llvm::copy_if(P.Decided.Findings, std::back_inserter(Findings),
                [](const Finding &F) { return !F.IsNote; });
  const size_t Notes = P.Decided.Findings.size() - Findings.size();
  const size_t Rewritten = llvm::count_if(Findings, isRewritten);
  const size_t Refused =
      llvm::count_if(Findings, [](const Finding &F) { return F.Refusal.has_value(); });
  printUnits(P.UnitsAnalysed, P.UnitsRemembered, P.UnitsSkipped, Out);
  if (P.Verified && (P.Verified->Units != 0 || P.Verified->CommandRuns == 0))
    Out << ", " << P.Verified->Units << " parsed again over the edits";
  if (P.Verified && P.Verified->CommandRuns != 0)
    Out << ", " << counted(P.Verified->CommandRuns, "run") << " of your command";
  Out << '\n'
      << counted(Findings.size(), "finding") << ": " << Rewritten
      << (To.FilesWritten ? " rewritten, "
          : P.Verified    ? " to be rewritten, "
                          : " with an edit, ")
      << Refused << " refused, " << Findings.size() - Rewritten - Refused << " without a rewrite";
  if (Notes != 0)
    Out << ", and " << counted(Notes, "note");
  Out << '\n';
}

static void printChanges(const Proposal &P, const Delivery &To, raw_ostream &Out) {
  const size_t Changes = P.Decided.Groups.size();
  if (Changes == 0)
    return;
  Out << counted(Changes, "change") << " in "
      << counted(To.FilesWritten.value_or(editedFiles(P.Decided).size()), "file");
  if (To.FilesWritten)
    Out << " written; --undo takes " << (Changes == 1 ? "it" : "them") << " back\n";
  else if (!To.Destination.empty())
    Out << " proposed, in " << To.Destination << '\n';
  else if (!To.PatchRoot.empty())
    Out << " proposed; run again with --apply to write " << (Changes == 1 ? "it" : "them")
        << ", or apply the patch with 'patch -p1' in " << To.PatchRoot << '\n';
  else
    Out << (P.Verified ? " possible\n" : " possible, not verified\n");
}

static void printExitCode(const Proposal &P, raw_ostream &Out) {
  const int Code = exitCode(P);
  Out << "exit code " << Code << ": ";
  if (Code == 0)
    Out << "nothing to do\n";
  else if (Code == 1)
    Out << "there are findings" << (P.Decided.Groups.empty() ? "" : " or changes") << '\n';
  else
    Out << "something failed, see the errors above\n";
}

int reportCollection(const Collection &C, StringRef Directory, raw_ostream &Out) {
  for (const Failure &F : C.Failures)
    printFailure(F, Out);
  printUnits(C.unitsThatAre(UnitState::Parsed), C.Remembered, C.unitsThatAre(UnitState::Skipped),
             Out);
  Out << "; facts in " << Directory << '\n';
  return C.Failures.empty() ? 0 : 2;
}

void reportFailures(const Proposal &P, raw_ostream &Out) {
  for (const Failure &F : P.Failures)
    printFailure(F, Out);
}

void report(const Proposal &P, const Delivery &To, raw_ostream &Out) {
  const StringRef Rewritten = To.FilesWritten ? "rewritten"
                              : P.Verified    ? "would be rewritten"
                                              : "could be rewritten";
  for (const Finding &F : P.Decided.Findings)
    printFinding(F, Rewritten, Out);
  reportFailures(P, Out);
  printHints(P, Out);
  printCounts(P, To, Out);
  printChanges(P, To, Out);
  printExitCode(P, Out);
}

} // namespace cancel_tools
