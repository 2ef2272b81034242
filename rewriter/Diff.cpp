// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A diff that people will apply comes from the program whose format they apply.
#include "Diff.h"

#include "DisplayPath.h"
#include "Interrupts.h"
#include "ScratchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace path = llvm::sys::path;
using llvm::StringRef;

namespace cancel_tools {

std::string patchRoot(const std::map<std::string, std::string> &NewTexts) {
  llvm::SmallString<256> Here, Root;
  // Without a current directory the search below begins, and ends, at the file system's root.
  if (llvm::sys::fs::current_path(Here) || llvm::sys::fs::real_path(Here, Root))
    Root = "/";
  // Going up from here would not find a root beside the current directory, going up from a file
  // does.
  auto holdsAll = [&](StringRef Directory) {
    return llvm::all_of(NewTexts,
                        [&](const auto &New) { return isAtOrBelow(New.first, Directory); });
  };
  if (!NewTexts.empty() && !holdsAll(Root))
    for (Root = path::parent_path(NewTexts.begin()->first); !holdsAll(Root);)
      path::remove_filename(Root);
  return std::string(Root);
}

static bool isControl(char C) { return (C >= 0 && C < ' ') || C == '\x7f'; }

// A name of the header of a patch as patch and git read it: in quotes where it holds what would end
// it; they take one with a space only up to a tab.
static std::string label(StringRef Side, StringRef Name) {
  const bool NeedsQuotes =
      llvm::any_of(Name, [](char C) { return isControl(C) || C == '"' || C == '\\'; });
  std::string Label;
  llvm::raw_string_ostream Out(Label);
  Out << "--label=";
  if (!NeedsQuotes) {
    Out << Side << '/' << Name << (Name.contains(' ') ? "\t" : "");
    return Label;
  }
  Out << '"' << Side << '/';
  for (char C : Name)
    if (isControl(C))
      Out << llvm::format("\\%03o", static_cast<unsigned>(static_cast<unsigned char>(C)));
    else
      Out << (C == '"' || C == '\\' ? "\\" : "") << C;
  Out << '"';
  return Label;
}

static llvm::Expected<std::string> diffOfFile(StringRef Diff, StringRef File, StringRef NewText,
                                              StringRef Root, DiffColors Colors) {
  const std::string Name = displayPath(File, Root);
  const ScratchFile New(NewText), Output, Errors;
  const std::string From = label("a", Name), To = label("b", Name);
  const StringRef Color = Colors == DiffColors::Yes ? "--color=always" : "--color=never";
  const int Code = executeAndWait(Diff, {Diff, "-u", Color, From, To, "--", File, New.path()},
                                  {"", Output.path(), Errors.path()});
  auto Text = llvm::MemoryBuffer::getFile(Output.path());
  if (Code == 0 || Code == 1) // the same, or different
    if (Text)
      return (*Text)->getBuffer().str();
  auto Message = llvm::MemoryBuffer::getFile(Errors.path());
  return llvm::createStringError("diff of '" + File + "' failed: " +
                                 lastWords(Message ? (*Message)->getBuffer() : StringRef()));
}

llvm::Expected<std::string> unifiedDiff(const std::map<std::string, std::string> &NewTexts,
                                        StringRef Root, DiffColors Colors) {
  llvm::ErrorOr<std::string> Diff = llvm::sys::findProgramByName("diff");
  if (!Diff)
    return llvm::createStringError("no 'diff' in PATH: install diffutils, or use --apply");
  std::string Result;
  for (const auto &[File, NewText] : NewTexts) {
    llvm::Expected<std::string> OfFile = diffOfFile(*Diff, File, NewText, Root, Colors);
    if (!OfFile)
      return OfFile.takeError();
    Result += *OfFile;
  }
  return Result;
}

} // namespace cancel_tools
