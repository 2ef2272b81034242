// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the checks that Catalogue.def names; the order there is the order everywhere.
#include "Check.h"

#include "llvm/ADT/STLExtras.h"

namespace cancel_tools {

#define CHECK(File, Name) extern const Check File;
#include "Catalogue.def"
#undef CHECK

llvm::ArrayRef<Check> catalogue() {
  static const Check All[] = {
#define CHECK(File, Name) File,
#include "Catalogue.def"
#undef CHECK
  };
  return All;
}

const Check *findCheck(llvm::StringRef Name) {
  const auto *It = llvm::find_if(catalogue(), [&](const Check &C) { return C.Name == Name; });
  return It == catalogue().end() ? nullptr : It;
}

} // namespace cancel_tools
