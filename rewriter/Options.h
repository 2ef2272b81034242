// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line, as the values that the stages take.
#ifndef CANCEL_REWRITER_OPTIONS_H
#define CANCEL_REWRITER_OPTIONS_H

#include "Migrate.h"

namespace cancel_tools::options {

/// What the program is to do.
enum class Task { Migrate, Undo, ListChecks, Explain, Collect, Decide, Verify, Write };

/// Parses the command line, whatever follows "--" left out; ends the program after --help and
/// --version. False after the first fault, which it tells.
bool parse(int Argc, const char *const *Argv);

/// Error: options that exclude each other.
llvm::Expected<Task> task();

// Each reads the options of the task. Errors say which option is wrong.

llvm::Expected<std::vector<EnabledCheck>> checks();
/// The check that --explain names.
llvm::StringRef explained();
/// `Flags` are those after "--", or null.
llvm::Expected<Inquiry> inquiry(llvm::StringRef Executable,
                                const clang::tooling::CompilationDatabase *Flags);
TrialSettings trial();
/// Whether what goes to this descriptor is coloured.
bool colors(int Descriptor);
Destination destination();
/// The journal of the project whose `Project::Directory` this is.
llvm::Expected<std::string> journalDir(llvm::StringRef ProjectDirectory);
WorkerSettings workers();
/// None if it is not wanted, or if there is no place for it.
std::optional<ParseCache> parseCache(llvm::StringRef Executable);
/// The directory or file that the stage reads, and the one that it writes.
llvm::StringRef input();
llvm::StringRef output();

} // namespace cancel_tools::options

#endif
