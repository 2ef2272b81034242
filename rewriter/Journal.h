// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run is about to overwrite, kept until it can be undone no more.
#ifndef CANCEL_REWRITER_JOURNAL_H
#define CANCEL_REWRITER_JOURNAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cancel_tools {

/// What became of files that were given their old text back.
struct Restoration {
  /// Real paths.
  std::vector<std::string> Restored;
  /// Files that somebody has changed since; each is as it was found.
  std::vector<std::string> ChangedSince;
  /// Files that could not be written, and why.
  std::vector<std::pair<std::string, std::string>> Failures;

  bool isComplete() const { return ChangedSince.empty() && Failures.empty(); }
};

/// The writing runs over one source tree, in a directory of its own.
///
/// A run first stores every old text and the list of files, durably, and then replaces file after
/// file; last it marks itself as done. One that ends in between is taken back by the next: the tree
/// is as it was before it. Done runs can be undone, the last one first; the last ten are kept.
///
/// One process at a time: `open` fails while another one has the journal.
class Journal {
public:
  /// Makes the directory if need be. Errors: it cannot be made or locked.
  static llvm::Expected<Journal> open(llvm::StringRef Directory);
  Journal(Journal &&Other) noexcept;
  Journal(const Journal &) = delete;
  ~Journal();

  /// Takes a run back that did not end; nothing if there is none. A complete restoration forgets
  /// the run.
  llvm::Expected<std::optional<Restoration>> recover();

  /// Replaces the texts of these files, all or none: if one cannot be replaced, those before it are
  /// given back theirs. By real path: old and new text. Error: nothing was changed, or what the
  /// message says.
  llvm::Error replace(const std::map<std::string, std::string> &OldTexts,
                      const std::map<std::string, std::string> &NewTexts);

  /// Takes the last run back; nothing if there is none. Files that somebody has changed since are
  /// left alone, and the run is then kept.
  llvm::Expected<std::optional<Restoration>> undo();

private:
  struct Run;

  Journal(std::string Directory, int Lock) : Directory(std::move(Directory)), Lock(Lock) {}
  llvm::Expected<std::vector<Run>> runs() const;
  std::string pathOf(unsigned Number) const;
  llvm::Expected<std::optional<Restoration>> takeBack(const Run &);

  std::string Directory;
  int Lock; ///< a descriptor, or -1
};

} // namespace cancel_tools

#endif
