// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns source ranges into edits of files on disk.
#include "SourceEdits.h"

#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/ADT/STLExtras.h"

namespace cancel_tools {

using namespace clang;

std::optional<Edit> SourceEdits::edit(SourceLocation Begin, unsigned Length,
                                      llvm::StringRef Text) const {
  const std::optional<Location> At = Unit.locate(Begin);
  if (!At)
    return std::nullopt;
  return Edit{At->File, At->Offset, Length, Text.str(), /*Shared=*/false};
}

/// The characters of a range of tokens that stand in one file outside macros.
static std::optional<CharSourceRange> fileRange(SourceRange Tokens, const ASTContext &Context) {
  if (Tokens.getBegin().isMacroID() || Tokens.getEnd().isMacroID())
    return std::nullopt;
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Tokens), Context.getSourceManager(), Context.getLangOpts());
  return Range.isValid() ? std::optional(Range) : std::nullopt;
}

static unsigned lengthOf(CharSourceRange Range, const SourceManager &Sources) {
  return Sources.getFileOffset(Range.getEnd()) - Sources.getFileOffset(Range.getBegin());
}

std::optional<std::string> SourceEdits::text(SourceRange Tokens) const {
  const std::optional<CharSourceRange> Range = fileRange(Tokens, Unit.context());
  if (!Range)
    return std::nullopt;
  return Lexer::getSourceText(*Range, Unit.sources(), Unit.context().getLangOpts()).str();
}

std::optional<Edit> SourceEdits::replace(SourceRange Tokens, llvm::StringRef Text) const {
  const std::optional<CharSourceRange> Range = fileRange(Tokens, Unit.context());
  return Range ? edit(Range->getBegin(), lengthOf(*Range, Unit.sources()), Text) : std::nullopt;
}

std::optional<Edit> SourceEdits::insertBefore(SourceLocation Loc, llvm::StringRef Text) const {
  return edit(Loc, 0, Text);
}

std::optional<Edit> SourceEdits::insertAfter(const Stmt &S, llvm::StringRef Text) const {
  const std::optional<CharSourceRange> Range = fileRange(S.getSourceRange(), Unit.context());
  if (!Range)
    return std::nullopt;
  const SourceManager &Sources = Unit.sources();
  const auto [File, Offset] = Sources.getDecomposedLoc(Range->getEnd());
  unsigned End = Offset;
  // A statement ends before its semicolon in the AST; a block ends at its brace and is followed by
  // anything.
  const Stmt *Last = &S;
  while (true) {
    if (const auto *For = dyn_cast<ForStmt>(Last))
      Last = For->getBody();
    else if (const auto *While = dyn_cast<WhileStmt>(Last))
      Last = While->getBody();
    else if (const auto *RangeFor = dyn_cast<CXXForRangeStmt>(Last))
      Last = RangeFor->getBody();
    else if (const auto *If = dyn_cast<IfStmt>(Last))
      Last = If->getElse() ? If->getElse() : If->getThen();
    else if (const auto *Attributed = dyn_cast<AttributedStmt>(Last))
      Last = Attributed->getSubStmt();
    else if (const auto *Label = dyn_cast<LabelStmt>(Last))
      Last = Label->getSubStmt();
    else if (const auto *Switch = dyn_cast<SwitchStmt>(Last))
      Last = Switch->getBody();
    else if (const auto *Case = dyn_cast<SwitchCase>(Last))
      Last = Case->getSubStmt();
    else
      break;
  }
  if (!isa<CompoundStmt, NullStmt, CXXTryStmt>(Last))
    for (const Token &T : Unit.tokens(File))
      if (Sources.getFileOffset(T.getLocation()) >= Offset) {
        if (!T.is(tok::semi))
          return std::nullopt;
        End = Sources.getFileOffset(T.getLocation()) + 1;
        break;
      }
  return edit(Range->getEnd().getLocWithOffset(End - Offset), 0, Text);
}

/// The order of the includes as the file's .clang-format has it.
static tooling::IncludeStyle includeStyle(llvm::StringRef Path, llvm::StringRef Text,
                                          const SourceManager &Sources) {
  llvm::Expected<format::FormatStyle> Style =
      format::getStyle("file", Path, /*FallbackStyle=*/"LLVM", Text,
                       &Sources.getFileManager().getVirtualFileSystem(),
                       /*AllowUnknownOptions=*/true, [](const llvm::SMDiagnostic &, void *) {});
  if (Style)
    return Style->IncludeStyle;
  llvm::consumeError(Style.takeError());
  return format::getLLVMStyle().IncludeStyle;
}

SourceEdits::Include SourceEdits::include(FileID File, llvm::StringRef Header,
                                          llvm::StringRef Umbrella) const {
  const llvm::StringRef Text = Unit.text(File);
  const std::string &Path = Unit.realPath(File);
  tooling::HeaderIncludes Includes(Path, Text, includeStyle(Path, Text, Unit.sources()));
  const auto Place = [&](llvm::StringRef Name, bool IsAngled) {
    return Includes.insert(Name, IsAngled, tooling::IncludeDirective::Include);
  };
  for (llvm::StringRef Enough : {Header, Umbrella})
    if (!Place(Enough, /*IsAngled=*/true) || !Place(Enough, /*IsAngled=*/false))
      return {};
  const std::optional<tooling::Replacement> Wanted = Place(Header, /*IsAngled=*/true);
  std::string Line = Wanted->getReplacementText().str();
  if (lineEnd(Unit.sources().getLocForStartOfFile(File)) == "\r\n")
    for (std::size_t At = Line.find('\n'); At != std::string::npos; At = Line.find('\n', At + 2))
      Line.insert(At, "\r");
  return {Edit{Path, Wanted->getOffset(), 0, Line, /*Shared=*/true}};
}

llvm::StringRef SourceEdits::lineUpTo(SourceLocation Loc) const {
  const auto [File, Offset] = Unit.sources().getDecomposedLoc(Unit.sources().getExpansionLoc(Loc));
  const llvm::StringRef Before = Unit.text(File).take_front(Offset);
  return Before.drop_front(Before.rfind('\n') + 1);
}

std::string SourceEdits::indentation(SourceLocation Loc) const {
  return lineUpTo(Loc).take_while([](char C) { return C == ' ' || C == '\t'; }).str();
}

bool SourceEdits::startsLine(SourceLocation Loc) const { return lineUpTo(Loc).trim().empty(); }

SourceLocation SourceEdits::aboveItsComments(SourceLocation Loc) const {
  if (!startsLine(Loc))
    return Loc;
  const auto [File, Offset] = Unit.sources().getDecomposedLoc(Loc);
  const llvm::StringRef Text = Unit.text(File);
  std::size_t Begin = Offset; // of what is moved over so far
  std::size_t LineStart = Text.take_front(Offset).rfind('\n') + 1;
  while (LineStart > 0) {
    const std::size_t Above = Text.take_front(LineStart - 1).rfind('\n') + 1;
    const llvm::StringRef Line = Text.slice(Above, LineStart);
    if (!Line.ltrim().starts_with("//"))
      break;
    Begin = Above + (Line.size() - Line.ltrim().size());
    LineStart = Above;
  }
  return Loc.getLocWithOffset(static_cast<int>(Begin) - static_cast<int>(Offset));
}

llvm::StringRef SourceEdits::lineEnd(SourceLocation Loc) const {
  const llvm::StringRef Text =
      Unit.text(Unit.sources().getFileID(Unit.sources().getExpansionLoc(Loc)));
  return Text.take_front(Text.find('\n')).ends_with("\r") ? "\r\n" : "\n";
}

SourceLocation SourceEdits::qualifiedNameBegin(SourceLocation Name) const {
  const llvm::ArrayRef<Token> Tokens = Unit.tokens(Unit.sources().getFileID(Name));
  const Token *At = llvm::find_if(Tokens, [&](const Token &T) { return T.getLocation() == Name; });
  const auto IsName = [&](const Token &T) {
    return T.is(tok::raw_identifier) && !T.needsCleaning() &&
           !Unit.context().Idents.get(T.getRawIdentifier()).isKeyword(Unit.context().getLangOpts());
  };
  if (At == Tokens.end())
    return Name;
  while (At != Tokens.begin() && At[-1].is(tok::coloncolon)) {
    --At;
    if (At != Tokens.begin() && IsName(At[-1])) // not the `const` of `const ::std::stop_callback`
      --At;
  }
  return At->getLocation();
}

bool SourceEdits::mentions(SourceRange Range, llvm::StringRef Identifier) const {
  const SourceManager &Sources = Unit.sources();
  const SourceLocation Begin = Sources.getExpansionLoc(Range.getBegin());
  const SourceLocation End = Sources.getExpansionLoc(Range.getEnd());
  return llvm::any_of(Unit.tokens(Sources.getFileID(Begin)), [&](const Token &T) {
    return T.is(tok::raw_identifier) && T.getRawIdentifier() == Identifier &&
           T.getLocation() >= Begin && T.getLocation() <= End;
  });
}

bool SourceEdits::areUnderOneCondition(FileID File, unsigned Begin, unsigned End) const {
  const SourceManager &Sources = Unit.sources();
  const llvm::ArrayRef<Token> Tokens = Unit.tokens(File);
  int Open = 0; // conditions that begin in between
  for (std::size_t I = 0; I + 1 < Tokens.size(); ++I) {
    const unsigned Offset = Sources.getFileOffset(Tokens[I].getLocation());
    if (Offset < Begin || !Tokens[I].is(tok::hash) || !Tokens[I].isAtStartOfLine())
      continue;
    if (Offset >= End)
      break;
    const llvm::StringRef Directive =
        Tokens[I + 1].is(tok::raw_identifier) ? Tokens[I + 1].getRawIdentifier() : "";
    if (Directive.starts_with("if"))
      ++Open;
    else if (Directive == "endif")
      --Open;
    if (Open < 0 || (Open == 0 && Directive.starts_with("el")))
      return false;
  }
  return Open == 0;
}

} // namespace cancel_tools
