// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two ends of a worker process: how it is started, and what it does.
#include "Worker.h"

#include "Interrupts.h"
#include "JsonFile.h"
#include "Progress.h"
#include "Protocol.h"
#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"

#include <csignal>
#include <unistd.h>

namespace json = llvm::json;
using llvm::StringRef;

namespace cancel_tools {

/// Exit codes of a worker that gave up.
static constexpr int TookTooLong = 124; // as timeout(1)
static constexpr int CannotReport = 74; // EX_IOERR of sysexits.h
/// What LLVM gives for one that was ended by a signal, and says if it was SIGKILL.
static constexpr int EndedBySignal = -2;
static constexpr llvm::StringLiteral Killed = "Killed";

static llvm::Expected<ParseReport> readReport(StringRef File) {
  llvm::Expected<json::Value> V = readJsonFile(File);
  if (!V)
    return V.takeError();
  return reportFromJSON(*V);
}

static ParseReport failure(std::string Message) {
  ParseReport Report;
  Report.Errors.push_back({"", 0, 0, std::move(Message)});
  return Report;
}

static std::string firstLine(StringRef File) {
  auto Text = llvm::MemoryBuffer::getFile(File);
  return Text ? (*Text)->getBuffer().split('\n').first.str() : std::string();
}

// JSON is, and so are requests and the keys of the cache.
static bool isUnicode(const ParseRequest &R) {
  return json::isUTF8(R.Directory) &&
         llvm::all_of(R.CommandLine, [](StringRef Argument) { return json::isUTF8(Argument); });
}

ParseReport Workers::parse(const ParseRequest &Request) const {
  if (!isUnicode(Request))
    return failure("its path or its flags are not UTF-8; rename what they name");
  if (!Cache)
    return parseAnew(Request);
  if (std::optional<ParseReport> Known = Cache->find(Request))
    return std::move(*Known);
  ParseReport Report = parseAnew(Request);
  Cache->store(Request, Report);
  return Report;
}

ParseReport Workers::parseAnew(const ParseRequest &Request) const {
  ScratchFile RequestFile(llvm::formatv("{0}", toJSON(Request)).str());
  ScratchFile ReportFile, Log;
  std::string Message;
  const std::string Seconds = std::to_string(Settings.SecondsPerUnit);
  const int Code = executeAndWait(
      Executable, {Executable, WorkerFlag, RequestFile.path(), ReportFile.path(), Seconds},
      {"", "", Log.path()}, &Message);
  if (Code == TookTooLong)
    return failure("the parser did not end within " + Seconds + " s (--tu-timeout)");
  if (Code == CannotReport)
    ReportFile.cannotBeWritten("no space left, or a broken device");
  if (Code == EndedBySignal && Message == Killed)
    return failure("the parser was killed; if memory was short, try fewer --jobs");
  if (Code != 0)
    return failure("the parser crashed: " + (Message.empty() ? firstLine(Log.path()) : Message));
  llvm::Expected<ParseReport> Report = readReport(ReportFile.path());
  if (!Report)
    return failure("the parser gave no report: " + llvm::toString(Report.takeError()));
  return std::move(*Report);
}

int workerMain(StringRef RequestFile, StringRef ReportFile, StringRef Seconds) {
  releaseInterrupts();
  unsigned Limit = 0;
  if (!Seconds.getAsInteger(10, Limit) && Limit != 0) {
    std::signal(SIGALRM, [](int) { ::_exit(TookTooLong); });
    ::alarm(Limit);
  }
  llvm::sys::Process::PreventCoreFiles();
  llvm::Expected<json::Value> V = readJsonFile(RequestFile);
  llvm::Expected<ParseRequest> Request = V ? requestFromJSON(*V) : V.takeError();
  if (!Request) {
    llvm::logAllUnhandledErrors(Request.takeError(), llvm::errs());
    return 1;
  }
  const ParseReport Report = cancel_tools::parse(*Request);
  std::error_code EC;
  // The file is there, empty, for as long as somebody waits for the report; an interrupted run took
  // it away.
  llvm::raw_fd_ostream Out(ReportFile, EC, llvm::sys::fs::CD_OpenExisting);
  if (EC)
    return 1;
  Out << toJSON(Report);
  Out.close();
  if (!Out.has_error())
    return 0;
  Out.clear_error();
  return CannotReport;
}

void Workers::forEach(size_t Count, StringRef What, llvm::function_ref<void(size_t)> Task) const {
  Progress Shown(Count, What, Settings.Quiet);
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Settings.Jobs));
  for (size_t I = 0; I != Count; ++I)
    Pool.async([&, I] {
      Task(I);
      Shown.step();
    });
  Pool.wait();
}

} // namespace cancel_tools
