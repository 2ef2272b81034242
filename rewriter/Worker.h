// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs each parse in a process of its own: a crash of Clang costs one translation unit, not the
// run.
#ifndef CANCEL_REWRITER_WORKER_H
#define CANCEL_REWRITER_WORKER_H

#include "ParseCache.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cancel_tools {

/// The coordinator's side: starts this program again for each parse, so many at a time.
class Workers {
public:
  /// `Jobs` is the number of parses at a time; 0 for as many as the machine has processors.
  /// `Cache` may be null and outlives this object.
  Workers(std::string Executable, unsigned Jobs, const ParseCache *Cache = nullptr)
      : Executable(std::move(Executable)), Jobs(Jobs), Cache(Cache) {}

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
  unsigned Jobs;
  const ParseCache *Cache;
};

/// The first argument that makes this program a worker; the others are those of `workerMain`.
inline constexpr llvm::StringLiteral WorkerFlag = "-worker";

/// The worker's side: parses what `RequestFile` asks for and writes the report. Returns the exit
/// code.
int workerMain(llvm::StringRef RequestFile, llvm::StringRef ReportFile);

} // namespace cancel_tools

#endif
