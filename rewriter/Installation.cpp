// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's headers are looked for at run time: a path fixed at build time does not survive
// packaging.
#include "Installation.h"

#include "Interrupts.h"
#include "ScratchFile.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

static std::string below(StringRef Directory, const llvm::Twine &Relative) {
  llvm::SmallString<256> Result(Directory);
  path::append(Result, Relative);
  return std::string(Result);
}

// What `clang -print-resource-dir` prints; empty if there is no such program.
static std::string resourceDirOf(StringRef Clang) {
  llvm::ErrorOr<std::string> Program = llvm::sys::findProgramByName(Clang);
  if (!Program)
    return {};
  ScratchFile Output;
  if (executeAndWait(*Program, {Clang, "-print-resource-dir"}, {"", Output.path(), ""}) != 0)
    return {};
  auto Text = llvm::MemoryBuffer::getFile(Output.path());
  return Text ? (*Text)->getBuffer().trim().str() : std::string();
}

llvm::Expected<std::string> findResourceDir(StringRef Executable) {
  const std::string Major = std::to_string(CLANG_VERSION_MAJOR);
  std::string Tried;
  auto holdsHeaders = [&](const std::string &Directory) {
    if (Directory.empty())
      return false;
    Tried += (Tried.empty() ? "" : ", ") + Directory;
    // The headers of another version use builtins that this one does not have.
    return path::filename(Directory).split('.').first == Major &&
           fs::exists(below(Directory, "include/stddef.h"));
  };
  StringRef Prefix = path::parent_path(path::parent_path(Executable));
  for (const std::string &Directory :
       {below(Prefix, "lib/clang/" + Major), std::string(CANCEL_RESOURCE_DIR)})
    if (holdsHeaders(Directory))
      return Directory;
  for (const std::string &Clang : {"clang-" + Major, std::string("clang")})
    if (std::string Directory = resourceDirOf(Clang); holdsHeaders(Directory))
      return Directory;
  return llvm::createStringError(
      "Clang " + Major + "'s builtin headers are missing (no include/stddef.h in " + Tried +
      "): install clang-" + Major + ", or pass --extra-arg=-resource-dir=DIR");
}

std::string findRuntimeDir(StringRef Executable) {
  StringRef Prefix = path::parent_path(path::parent_path(Executable));
  for (const std::string &Directory : {below(Prefix, "include"), std::string(CANCEL_RUNTIME_DIR)})
    if (fs::is_directory(below(Directory, "cancel")))
      return Directory;
  return {};
}

} // namespace cancel_tools
