// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which file may include which, under one list of search directories.
#ifndef CANCEL_REWRITER_INCLUDEGRAPH_H
#define CANCEL_REWRITER_INCLUDEGRAPH_H

#include "TextScan.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <mutex>

namespace cancel_tools {

/// Files as they were scanned, each once however many graphs and units reach it. Thread-safe.
class ScannedFiles {
public:
  struct File {
    std::string RealPath;
    TextScan Scan;
  };

  /// `Sought` outlives this object.
  explicit ScannedFiles(const WordPieces &Sought) : Sought(Sought) {}

  /// A file that cannot be read has an obstacle.
  const File &at(llvm::StringRef Path);

private:
  struct Entry {
    std::once_flag Read;
    File Content;
  };

  const WordPieces &Sought;
  std::mutex Mutex;
  llvm::StringMap<std::unique_ptr<Entry>> Entries;
};

/// Grows as it is walked. An include leads to every file that it can mean, whatever the conditions
/// around it: too many, never too few. Thread-safe.
class IncludeGraph {
public:
  /// A file by the name under which it is reached: its directory's real path, below which its own
  /// includes are looked for, and its file name there.
  struct Node {
    std::string Path;
    const ScannedFiles::File *File = nullptr;
    llvm::SmallVector<Node *, 0> Includes;
    /// The file's own, or that a header of it is not there. Of angled names many are not: other
    /// systems'.
    std::string Obstacle;
    std::once_flag Expanded;
  };

  /// `Files` outlives this object.
  IncludeGraph(ScannedFiles &Files, std::vector<std::string> Directories)
      : Files(Files), Directories(std::move(Directories)) {}

  /// The files that the include can mean in a file of one of these directories.
  llvm::SmallVector<Node *, 4> resolve(const IncludeName &,
                                       llvm::ArrayRef<llvm::StringRef> Includers);

  /// `From` and all that it includes, directly or not.
  std::vector<Node *> closure(llvm::ArrayRef<Node *> From);

  /// The file of that name; null if there is none.
  Node *at(llvm::StringRef Path);

private:
  void expand(Node &);
  const std::string &realDirectory(llvm::StringRef Path);

  ScannedFiles &Files;
  const std::vector<std::string> Directories;
  std::mutex Mutex;
  llvm::StringMap<std::unique_ptr<Node>> Nodes;
  /// What the search directories have of a name.
  llvm::StringMap<llvm::SmallVector<Node *, 2>> Searched;
  llvm::StringMap<std::string> RealDirectories;
};

} // namespace cancel_tools

#endif
