// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain text for people; lines start with FILE:LINE:COLUMN so that editors can jump to them.
#include "Report.h"

#include "DisplayPath.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using llvm::raw_ostream;

namespace cancel_tools {

int Outcome::exitCode() const {
  if (!Failures.empty() || (Applied && !Applied->Failures.empty()))
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
  Out << "error: " << displayPath(F.Path) << " " << F.Reason << '\n';
}

static size_t editedFiles(const Plan &P) {
  std::set<llvm::StringRef> Files;
  for (const EditGroup &Group : P.Groups)
    for (const Edit &E : Group.Edits)
      Files.insert(E.File);
  return Files.size();
}

static void printHints(const Outcome &O, raw_ostream &Out) {
  if (O.Decided.LeftOutInBuildDir != 0)
    Out << "note: " << counted(O.Decided.LeftOutInBuildDir, "finding") << " in the build directory "
        << displayPath(O.BuildDir) << " left out; name a path in it to include them\n";
  if (O.Verified.MissingHeader)
    Out << "note: your build does not find <" << *O.Verified.MissingHeader << "> yet: add -I"
        << O.RuntimeDir << " to its flags\n";
}

static void printCounts(const Outcome &O, raw_ostream &Out) {
  const std::vector<Finding> &Findings = O.Decided.Findings;
  const size_t Rewritten = llvm::count_if(Findings, isRewritten);
  const size_t Refused = llvm::count_if(Findings, [](const Finding &F) { return F.Refusal.has_value(); });
  Out << counted(O.UnitsAnalysed, "translation unit") << " analysed, "
      << counted(O.Verified.Units, "unit") << " parsed again over the edits\n"
      << counted(Findings.size(), "finding") << ": " << Rewritten
      << (O.Applied ? " rewritten, " : " to be rewritten, ") << Refused << " refused, "
      << Findings.size() - Rewritten - Refused << " without a rewrite\n";
}

static void printVerdict(const Outcome &O, raw_ostream &Out) {
  const std::string Changes = counted(O.Decided.Groups.size(), "change");
  if (O.Applied)
    Out << Changes << " written to " << counted(O.Applied->Files, "file") << "; ";
  else if (!O.Decided.Groups.empty())
    Out << Changes << " in " << counted(editedFiles(O.Decided), "file")
        << " proposed (patch -p1 in " << O.PatchRoot << "); run again with --apply to write them; ";
  switch (O.exitCode()) {
  case 0:
    Out << "nothing to do (exit code 0)\n";
    break;
  case 1:
    Out << "exit code 1: there are findings" << (O.Decided.Groups.empty() ? "" : " or changes") << '\n';
    break;
  default:
    Out << "exit code 2: the errors above stand\n";
  }
}

void report(const Outcome &O, raw_ostream &Out) {
  for (const Finding &F : O.Decided.Findings)
    printFinding(F, O.Applied.has_value(), Out);
  for (const Failure &F : O.Failures)
    printFailure(F, Out);
  if (O.Applied)
    for (const Failure &F : O.Applied->Failures)
      printFailure(F, Out);
  printHints(O, Out);
  printCounts(O, Out);
  printVerdict(O, Out);
}

} // namespace cancel_tools
