// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile commands of the code at hand, from a database or from the command line.
#ifndef CANCEL_REWRITER_PROJECT_H
#define CANCEL_REWRITER_PROJECT_H

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"

namespace cancel_tools {

/// What is compiled, and how.
struct Project {
  /// The C++ commands, in the order of the database, each once; a file built in several
  /// configurations has several. Directories and main files are absolute.
  std::vector<clang::tooling::CompileCommand> Commands;
  /// The real paths of the directories that hold what builds generate, as far as they are known.
  std::vector<std::string> BuildDirs;
  /// The real path of the directory that holds the database, or of the current one: what a run over
  /// this project is known by.
  std::string Directory;
};

/// Real path of the command's source; the path itself while there is no such file.
std::string realMainFile(const clang::tooling::CompileCommand &);

/// The same of all commands, sorted, each once.
std::vector<std::string> realMainFiles(llvm::ArrayRef<clang::tooling::CompileCommand>);

/// Reads compile_commands.json in `BuildPath`, or `BuildPath` itself if it is a file, response
/// files expanded. A database that is a symbolic link belongs to the build directory that it points
/// into.
llvm::Expected<Project> loadProject(llvm::StringRef BuildPath);

/// Several builds of one source tree, debug and release for instance, as one project. `BuildPaths`
/// is not empty.
llvm::Expected<Project> loadProjects(llvm::ArrayRef<std::string> BuildPaths);

/// The same for the nearest compile_commands.json in the directory of `Start` or above.
llvm::Expected<Project> findProject(llvm::StringRef Start);

/// One command for each source file: the flags that the user gave after "--".
llvm::Expected<Project> projectOfFlags(const clang::tooling::CompilationDatabase &Flags,
                                       llvm::ArrayRef<std::string> Files);

} // namespace cancel_tools

#endif
