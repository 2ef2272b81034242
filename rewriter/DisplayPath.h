// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How paths are shown: as a person in the current directory would type them.
#ifndef CANCEL_REWRITER_DISPLAYPATH_H
#define CANCEL_REWRITER_DISPLAYPATH_H

#include "Scope.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace cancel_tools {

/// `Path` relative to `Directory` if it lies below, else absolute, symbolic links resolved if it
/// exists.
inline std::string displayPath(llvm::StringRef Path, llvm::StringRef Directory) {
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(Path, Real))
    return Path.str();
  llvm::StringRef Shown = Real;
  if (!Directory.empty() && Shown != Directory && isAtOrBelow(Shown, Directory))
    Shown = Shown.drop_front(Directory.size()).ltrim('/');
  return Shown.str();
}

/// The same for the current directory.
inline std::string displayPath(llvm::StringRef Path) {
  llvm::SmallString<256> Here, RealHere;
  if (llvm::sys::fs::current_path(Here) || llvm::sys::fs::real_path(Here, RealHere))
    RealHere.clear(); // paths are then shown whole
  return displayPath(Path, RealHere);
}

} // namespace cancel_tools

#endif
