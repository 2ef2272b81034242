// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-format does the work, as a library of the Clang that this program is.
#include "Layout.h"

#include "clang/Format/Format.h"

namespace format = clang::format;
namespace tooling = clang::tooling;

namespace cancel_tools {

static std::string formatted(llvm::StringRef File, EditedText Edited) {
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
  Touched.reserve(Edited.Touched.size());
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

std::string Layout::of(const std::string &File, EditedText Edited) {
  {
    const std::lock_guard<std::mutex> Lock(Mutex);
    if (auto Known = Last.find(File); Known != Last.end() && Known->second.Edited == Edited.Text)
      return Known->second.LaidOut;
  }
  std::string Before = Edited.Text;
  std::string Result = formatted(File, std::move(Edited));
  const std::lock_guard<std::mutex> Lock(Mutex);
  Last[File] = {std::move(Before), Result};
  return Result;
}

} // namespace cancel_tools
