// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a build's compile command, often GCC's, into one that Clang parses without doing more
// than asked.
#ifndef CANCEL_REWRITER_COMMANDLINE_H
#define CANCEL_REWRITER_COMMANDLINE_H

#include "clang/Tooling/CompilationDatabase.h"

namespace cancel_tools {

/// Whose warnings count.
enum class Warnings {
  /// None: analysis needs a syntax tree, and -Werror must not take it away.
  Off,
  /// The build's: what its -Werror rejects is an error.
  AsBuilt,
};

/// What is the same for every compile command of a run.
struct ParseSettings {
  /// The directory above Clang's builtin headers.
  std::string ResourceDir;
  /// The runtime's include directory, searched after all of the build's; empty for none.
  std::string RuntimeDir;
  /// Appended to every command, as the user gave them.
  std::vector<std::string> ExtraArgs;
};

/// Whether the command compiles C++; its C, assembly and CUDA neighbours in a database are not
/// ours.
bool compilesCxx(const clang::tooling::CompileCommand &);

/// The command for a parse of its main file and nothing else: flags that Clang does not know,
/// outputs, dependency files, plugins and profiles are gone, target and language follow from the
/// compiler's name, the builtin headers are set unless the command sets them.
std::vector<std::string> parseCommand(const clang::tooling::CompileCommand &, const ParseSettings &,
                                      Warnings);

} // namespace cancel_tools

#endif
