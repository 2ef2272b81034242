// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers what parses gave, so that a unit is parsed again only when something that it depends on
// has changed.
#ifndef CANCEL_REWRITER_PARSECACHE_H
#define CANCEL_REWRITER_PARSECACHE_H

#include "Parse.h"

#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <mutex>

namespace cancel_tools {

/// A directory of reports, one file each, written atomically. Its key is everything that a parse is
/// told, edited texts included, and the program itself; a report counts only while every file that
/// the parse read still has the content that it read. A unit with errors is not remembered: a
/// header that it misses may appear. Not noticed: a new file in an include directory that hides one
/// which was read, or that `__has_include` asks for.
///
/// Thread-safe; several runs may share a directory. A directory that cannot be used costs speed and
/// nothing else.
class ParseCache {
public:
  /// `Program` is a text that changes with the program. The directory is made when first needed.
  ParseCache(std::string Directory, std::string Program)
      : Directory(std::move(Directory)), Program(std::move(Program)) {}

  std::optional<ParseReport> find(const ParseRequest &) const;
  void store(const ParseRequest &, const ParseReport &) const;

  /// Removes reports that nobody has asked for in a month, and the oldest beyond a gigabyte.
  void prune() const;

  /// How many reports were found.
  size_t hits() const { return Hits; }
  /// Why reports could not be stored, if so.
  std::optional<std::string> obstacle() const;

private:
  std::string entryFor(const ParseRequest &) const;
  std::optional<std::string> digestNow(const ParseRequest &, llvm::ArrayRef<std::string>) const;
  std::string hashOnDisk(const std::string &File) const;

  const std::string Directory;
  const std::string Program;
  mutable std::atomic<size_t> Hits{0};
  mutable std::mutex Mutex;
  /// Of each file, once a run. Empty for one that cannot be read.
  mutable llvm::StringMap<std::string> Hashes;
  mutable std::optional<std::string> Obstacle;
};

} // namespace cancel_tools

#endif
