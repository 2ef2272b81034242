// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mirrors the part of the tree that changes.
#include "OutDir.h"

#include "ReplaceFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

llvm::Error writeBelow(StringRef Directory, const std::map<std::string, std::string> &NewTexts,
                       StringRef Root) {
  for (const auto &[File, Text] : NewTexts) {
    StringRef Relative = File;
    Relative.consume_front(Root);
    llvm::SmallString<256> Target(Directory);
    path::append(Target, Relative);
    std::error_code EC = fs::create_directories(path::parent_path(Target));
    if (!EC)
      EC = createFile(Target, Text, Readers::AsUsual);
    if (EC)
      return llvm::createStringError(EC, "cannot write '" + Target + "': " + EC.message());
  }
  return llvm::Error::success();
}

} // namespace cancel_tools
