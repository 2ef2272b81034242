// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps only what the later stages need of each report, for there may be thousands.
#include "Collect.h"

#include "DisplayPath.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>

using llvm::StringRef;

namespace cancel_tools {

bool Unit::reads(StringRef File) const { return llvm::binary_search(Files, File); }

size_t Collection::collectedUnits() const {
  return llvm::count_if(Units, [](const Unit &U) { return U.Collected; });
}

static void select(std::vector<Unit> &Units, const Scope &Within) {
  std::vector<std::string> MainFiles;
  MainFiles.reserve(Units.size());
  for (const Unit &U : Units)
    MainFiles.push_back(realMainFile(U.Command));
  const bool All = Within.mayConcernEveryUnit(MainFiles);
  for (auto [U, MainFile] : llvm::zip_equal(Units, MainFiles))
    U.Collected = All || Within.names(MainFile);
}

Collection collect(const Inquiry &Asked, const Workers &Pool) {
  Collection Result;
  for (const clang::tooling::CompileCommand &Command : Asked.From.Commands)
    Result.Units.push_back({Command, false, {}});
  select(Result.Units, Asked.Within);

  std::vector<size_t> Chosen;
  for (size_t I = 0; I != Result.Units.size(); ++I)
    if (Result.Units[I].Collected)
      Chosen.push_back(I);

  // By position, so that the outcome does not depend on which worker is done first.
  std::vector<std::optional<ParseError>> Errors(Chosen.size());
  Result.Facts.resize(Result.Units.size());
  std::mutex Mutex;
  Pool.forEach(Chosen.size(), "Analysing", [&](size_t I) {
    Unit &U = Result.Units[Chosen[I]];
    ParseReport Report =
        Pool.parse({U.Command.Directory, parseCommand(U.Command, Asked.Settings, Warnings::Off),
                    /*Overlay=*/{}, Asked.Checks, Asked.Settings.RuntimeDir});
    if (!Report.Errors.empty())
      Errors[I] = std::move(Report.Errors.front());
    else
      Result.Facts[Chosen[I]] = std::move(Report.Facts);
    std::lock_guard<std::mutex> Lock(Mutex);
    for (StringRef File : Report.Files)
      U.Files.push_back(Result.Paths.insert(File).first->getKey());
  });
  Result.Remembered = Pool.remembered();
  for (auto [I, Error] : llvm::zip_equal(Chosen, Errors))
    if (Error)
      Result.Failures.push_back(
          {Result.Units[I].Command.Filename, "does not parse: " + describe(*Error)});
  return Result;
}

} // namespace cancel_tools
