// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs each parse in a process of its own: a crash of Clang costs one translation unit, not the
// run.
#ifndef CANCEL_REWRITER_WORKER_H
#define CANCEL_REWRITER_WORKER_H

#include "ParseCache.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cancel_tools {

/// How the workers are run.
struct WorkerSettings {
  /// Parses at a time; 0 for as many as the machine has processors.
  unsigned Jobs = 0;
  /// A unit that takes longer counts as one that does not parse; 0 for no limit.
  unsigned SecondsPerUnit = 0;
  /// Show no progress.
  bool Quiet = false;
};

/// The coordinator's side: starts this program again for each parse, so many at a time.
class Workers {
public:
  /// `Cache` may be null and outlives this object.
  Workers(std::string Executable, const WorkerSettings &Settings, const ParseCache *Cache = nullptr)
      : Executable(std::move(Executable)), Settings(Settings), Cache(Cache) {}

  /// Looks into the cache, or parses in a new process and waits for it. A process that gives no
  /// report counts as an error of the unit. Thread-safe.
  ParseReport parse(const ParseRequest &) const;

  /// How many parses so far were known from an earlier run.
  size_t remembered() const { return Cache ? Cache->hits() : 0; }

  /// Calls `Task(0)` to `Task(Count - 1)` on several threads and returns when all are done. Shows
  /// the progress of `What` on standard error if that is a terminal.
  void forEach(size_t Count, llvm::StringRef What, llvm::function_ref<void(size_t)> Task) const;

private:
  ParseReport parseAnew(const ParseRequest &) const;

  std::string Executable;
  WorkerSettings Settings;
  const ParseCache *Cache;
};

/// The first argument that makes this program a worker; the others are those of `workerMain`.
inline constexpr llvm::StringLiteral WorkerFlag = "-worker";

/// The worker's side: parses what `RequestFile` asks for and writes the report. Returns the exit
/// code; ends with another one after so many seconds, a number or 0.
int workerMain(llvm::StringRef RequestFile, llvm::StringRef ReportFile, llvm::StringRef Seconds);

} // namespace cancel_tools

#endif
