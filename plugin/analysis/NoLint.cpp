// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads NOLINT markers the way clang-tidy's NoLintDirectiveHandler does, so that both silence the
// same lines.
#include "NoLint.h"
#include "Check.h"

#include "llvm/ADT/StringExtras.h"

#include <optional>
#include <vector>

namespace cancel_tools {

namespace {

struct Marker {
  /// "", "NEXTLINE", "BEGIN" or "END".
  llvm::StringRef Kind;
  unsigned Line = 0;
  /// The text in parentheses; none if there is no list.
  std::optional<llvm::StringRef> List;
};

/// The list if `Rest` starts with one. A parenthesis that the line does not close is no list.
std::optional<llvm::StringRef> listAt(llvm::StringRef Rest) {
  if (!Rest.consume_front("("))
    return std::nullopt;
  const size_t End = Rest.find_first_of("\n)");
  if (End == llvm::StringRef::npos || Rest[End] != ')')
    return std::nullopt;
  return Rest.take_front(End);
}

std::vector<Marker> markersIn(llvm::StringRef Text) {
  constexpr llvm::StringLiteral Prefix = "NOLINT";
  std::vector<Marker> Markers;
  unsigned Line = 1;
  for (size_t At = Text.find(Prefix); At != llvm::StringRef::npos; At = Text.find(Prefix)) {
    Line += Text.take_front(At).count('\n');
    Text = Text.drop_front(At + Prefix.size());
    const llvm::StringRef Kind = Text.take_while([](char C) { return llvm::isAlpha(C); });
    Text = Text.drop_front(Kind.size());
    if (Kind.empty() || Kind == "NEXTLINE" || Kind == "BEGIN" || Kind == "END")
      Markers.push_back({Kind, Line, listAt(Text)});
  }
  return Markers;
}

/// No list means every check. A negative glob takes nothing back: "NOLINT(-a)" silences nothing.
bool covers(const Marker &M, llvm::StringRef CheckName) {
  if (!M.List)
    return true;
  llvm::StringRef Rest = *M.List;
  while (!Rest.empty()) {
    llvm::StringRef Glob;
    std::tie(Glob, Rest) = Rest.split(',');
    Glob = Glob.trim();
    if (!Glob.empty() && !Glob.starts_with("-") && globEnables(Glob, CheckName))
      return true;
  }
  return false;
}

/// Whether both have no list, or the same one.
bool sameList(const Marker &Begin, const Marker &End) {
  if (!Begin.List || !End.List)
    return Begin.List.has_value() == End.List.has_value();
  return Begin.List->trim() == End.List->trim();
}

} // namespace

bool isSuppressed(llvm::StringRef FileText, unsigned Line, llvm::StringRef CheckName) {
  // Blocks nest, and each END closes the innermost open BEGIN if their lists agree, else nothing. A
  // BEGIN that is never closed silences nothing.
  std::vector<const Marker *> Open;
  const std::vector<Marker> Markers = markersIn(FileText);
  for (const Marker &M : Markers) {
    if (M.Kind == "BEGIN") {
      Open.push_back(&M);
    } else if (M.Kind == "END") {
      if (Open.empty() || !sameList(*Open.back(), M))
        continue;
      if (Open.back()->Line < Line && Line < M.Line && covers(M, CheckName))
        return true;
      Open.pop_back();
    } else if (M.Line + (M.Kind == "NEXTLINE" ? 1 : 0) == Line && covers(M, CheckName)) {
      return true;
    }
  }
  return false;
}

} // namespace cancel_tools
