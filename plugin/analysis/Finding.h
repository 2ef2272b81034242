// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain values that the analysis hands to its hosts: they outlive the AST and travel through
// files.
#ifndef CANCEL_ANALYSIS_FINDING_H
#define CANCEL_ANALYSIS_FINDING_H

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cancel_tools {

/// A place in a file as it is on disk. `File` is a real path (symlinks resolved), so that one
/// header reached by two spellings is one place; `Offset` counts bytes, `Line` and `Column` count
/// from 1.
struct Location {
  std::string File;
  unsigned Offset = 0;
  unsigned Line = 0;
  unsigned Column = 0;

  friend bool operator==(const Location &A, const Location &B) {
    return std::tie(A.File, A.Offset) == std::tie(B.File, B.Offset);
  }
  friend bool operator<(const Location &A, const Location &B) {
    return std::tie(A.File, A.Offset) < std::tie(B.File, B.Offset);
  }
};

/// Replaces `Length` bytes at `Offset` of `File` by `Text`; an insertion has length 0.
struct Edit {
  std::string File;
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
  /// Several groups may need the same line, an include for instance: a shared edit is applied once
  /// however many groups carry it.
  bool Shared = false;

  friend bool operator==(const Edit &A, const Edit &B) {
    return std::tie(A.File, A.Offset, A.Length, A.Text, A.Shared) ==
           std::tie(B.File, B.Offset, B.Length, B.Text, B.Shared);
  }
  friend bool operator<(const Edit &A, const Edit &B) {
    return std::tie(A.File, A.Offset, A.Length, A.Text, A.Shared) <
           std::tie(B.File, B.Offset, B.Length, B.Text, B.Shared);
  }
};

/// A place that explains a finding.
struct Note {
  Location At;
  std::string Message;
};

/// What a check concludes about one place. A host renders it and decides nothing.
///
/// Exactly one of these holds:
/// - `Edits` is not empty: the finding carries the whole edit group `Group`;
/// - `FixedWith` is set: the finding belongs to `Group`, which the finding at `FixedWith` carries;
/// - `Refusal` is set: no edit is offered, for this reason;
/// - none: the check offers no edit for this kind of finding.
struct Finding {
  std::string Check;
  /// A fact worth knowing, and no fault: nothing is to be done and no exit code tells of it.
  bool IsNote = false;
  Location At;
  std::string Message;
  std::vector<Note> Notes;
  std::string Group;
  std::vector<Edit> Edits;
  std::optional<Location> FixedWith;
  std::optional<std::string> Refusal;
  /// Groups without which these edits would be a loss: made only if those are.
  std::vector<std::string> Requires;
  /// The promises, by their keys, that these edits make stop_frames.
  std::vector<std::string> Embeds;
};

} // namespace cancel_tools

#endif
