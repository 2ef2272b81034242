// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps only what the later stages need of each report, for there may be thousands.
#include "Collect.h"

#include "DisplayPath.h"
#include "Prescan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <mutex>

using llvm::StringRef;

namespace cancel_tools {

bool Unit::reads(StringRef File) const { return llvm::binary_search(Files, File); }

size_t Collection::unitsThatAre(UnitState State) const {
  return llvm::count_if(Units, [&](const Unit &U) { return U.State == State; });
}

// The positions of the units that the user asked for.
static std::vector<size_t> select(llvm::ArrayRef<Unit> Units, const Scope &Within) {
  std::vector<std::string> MainFiles;
  MainFiles.reserve(Units.size());
  for (const Unit &U : Units)
    MainFiles.push_back(realMainFile(U.Command));
  const bool All = Within.mayConcernEveryUnit(MainFiles);
  std::vector<size_t> Chosen;
  for (const auto &[I, MainFile] : llvm::enumerate(MainFiles))
    if (All || Within.names(MainFile))
      Chosen.push_back(I);
  return Chosen;
}

// Whether the compiler, which a launcher may precede, is a Clang by its name.
static bool callsClang(const clang::tooling::CompileCommand &Command) {
  for (StringRef Word : Command.CommandLine) {
    if (Word.starts_with("-"))
      return false;
    if (llvm::sys::path::filename(Word).contains("clang"))
      return true;
  }
  return false;
}

Collection collect(const Inquiry &Asked, const Workers &Pool) {
  Collection Result;
  for (const clang::tooling::CompileCommand &Command : Asked.From.Commands)
    Result.Units.push_back({Command, UnitState::OutOfScope, {}});
  const std::vector<size_t> Chosen = select(Result.Units, Asked.Within);

  // By position, so that the outcome does not depend on which worker is done first.
  std::vector<std::optional<ParseError>> Errors(Chosen.size());
  Result.Facts.resize(Result.Units.size());
  std::mutex Mutex;
  const auto Remember = [&](Unit &U, UnitState State, const auto &Files) {
    const std::lock_guard<std::mutex> Lock(Mutex);
    U.State = State;
    for (StringRef File : Files)
      U.Files.push_back(Result.Paths.insert(File).first->getKey());
  };
  Prescan Texts(Asked.Checks);
  Pool.forEach(Chosen.size(), "Analysing", [&](size_t I) {
    Unit &U = Result.Units[Chosen[I]];
    std::vector<std::string> CommandLine = parseCommand(U.Command, Asked.Settings, Warnings::Off);
    if (Asked.Skip == Skipping::Allowed)
      if (const PrescanAnswer Answer = Texts.look(U.Command.Directory, CommandLine);
          Answer.WhyParse.empty())
        return Remember(U, UnitState::Skipped, Answer.Files);
    ParseReport Report = Pool.parse({U.Command.Directory, std::move(CommandLine),
                                     /*Overlay=*/{}, Asked.Checks, Asked.Settings.RuntimeDir});
    if (!Report.Errors.empty())
      Errors[I] = std::move(Report.Errors.front());
    else
      Result.Facts[Chosen[I]] = std::move(Report.Facts);
    Remember(U, UnitState::Parsed, Report.Files);
  });
  Result.Remembered = Pool.remembered();
  bool ClangAloneErrs = false;
  for (auto [I, Error] : llvm::zip_equal(Chosen, Errors)) {
    if (!Error)
      continue;
    const clang::tooling::CompileCommand &Command = Result.Units[I].Command;
    Result.Failures.push_back({Command.Filename, "does not parse: " + describe(*Error)});
    ClangAloneErrs |= Error->Line != 0 && !callsClang(Command);
  }
  if (ClangAloneErrs)
    Result.Failures.back().Reason +=
        "\nnote: your build does not compile this with Clang, for which a header may need another "
        "flag or macro: --extra-arg=FLAG (for Debian 12's Asio: "
        "--extra-arg=-DASIO_HAS_CO_AWAIT=1)";
  return Result;
}

} // namespace cancel_tools
