// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format does the work, as a library of the Clang that this program is.
#include "Layout.h"

#include "clang/Format/Format.h"

namespace format = clang::format;
namespace tooling = clang::tooling;

namespace cancel_tools {

std::string laidOut(llvm::StringRef File, EditedText Edited) {
  // A newer clang-format's options are no reason to format nothing.
  llvm::Expected<format::FormatStyle> Style =
      format::getStyle("file", File, /*FallbackStyle=*/"none", Edited.Text, /*FS=*/nullptr,
                       /*AllowUnknownOptions=*/true, [](const llvm::SMDiagnostic &, void *) {});
  if (!Style) {
    llvm::consumeError(Style.takeError());
    return std::move(Edited.Text);
  }
  if (Style->DisableFormat)
    return std::move(Edited.Text);
  std::vector<tooling::Range> Touched;
  for (const auto &[Offset, Length] : Edited.Touched)
    Touched.emplace_back(Offset, Length);
  format::FormattingAttemptStatus Status;
  const tooling::Replacements Changes =
      format::reformat(*Style, Edited.Text, Touched, File, &Status);
  llvm::Expected<std::string> Formatted = tooling::applyAllReplacements(Edited.Text, Changes);
  if (Formatted && Status.FormatComplete)
    return std::move(*Formatted);
  if (!Formatted)
    llvm::consumeError(Formatted.takeError());
  return std::move(Edited.Text);
}

} // namespace cancel_tools
