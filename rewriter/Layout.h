// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Touched lines look as the project wants its lines to look.
#ifndef CANCEL_REWRITER_LAYOUT_H
#define CANCEL_REWRITER_LAYOUT_H

#include "Edits.h"

#include <map>
#include <mutex>

namespace cancel_tools {

/// Formats the lines that edits touched by the .clang-format that rules over the file, and no
/// other line. Thread-safe.
class Layout {
public:
  /// The text as it is if there is no .clang-format, if it is switched off, or if it cannot be
  /// read. Of a file's texts the last one is remembered: the stages ask for the same one.
  std::string of(const std::string &File, EditedText);

private:
  struct Remembered {
    std::string Edited, LaidOut;
  };
  std::mutex Mutex;
  std::map<std::string, Remembered> Last;
};

} // namespace cancel_tools

#endif
