// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One translation unit, parsed once: what the checks see in it, what it read, what is wrong with
// it.
#ifndef CANCEL_REWRITER_PARSE_H
#define CANCEL_REWRITER_PARSE_H

#include "Check.h"
#include "Fact.h"

#include "llvm/ADT/Twine.h"

#include <map>
#include <string>
#include <vector>

namespace cancel_tools {

/// What to parse. Travels to a worker process.
struct ParseRequest {
  std::string Directory;
  /// A command as `parseCommand` makes it.
  std::vector<std::string> CommandLine;
  /// Files that are to be read with another text, however they are spelled: real path, and the path
  /// of a file that holds the text.
  std::map<std::string, std::string> Overlay;
  /// Examined if the unit has no error; none for a parse alone.
  std::vector<EnabledCheck> Checks;
  /// The include directory of the runtime that `CommandLine` ends with, or empty.
  std::string RuntimeDir;
};

/// An error of the unit, where Clang places it.
struct ParseError {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Message;
};

/// One value for the contents of many files.
class FilesDigest {
public:
  /// In the order of paths. `Hash` as `contentHash` gives it.
  void add(llvm::StringRef File, llvm::StringRef Hash) {
    Text += (File + llvm::Twine('\0') + Hash + "\n").str();
  }
  std::string result() const { return contentHash(Text); }

private:
  std::string Text;
};

/// What came of it.
struct ParseReport {
  /// In the order of the unit; empty if and only if it parses.
  std::vector<ParseError> Errors;
  /// Real paths of the files read, each once, sorted.
  std::vector<std::string> Files;
  /// Of `Files` as they were read, those of the overlay left out.
  std::string Digest;
  UnitFacts Facts;
  /// A header, as it is included, that only `RuntimeDir` provided.
  std::optional<std::string> RuntimeHeader;
};

/// Parses in this process; a crash of Clang is a crash of the caller.
ParseReport parse(const ParseRequest &);

/// "FILE:LINE:COLUMN: MESSAGE", or the message alone where there is no place.
std::string describe(const ParseError &);

} // namespace cancel_tools

#endif
