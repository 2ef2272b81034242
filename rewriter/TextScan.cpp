// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No lexer: whether a `#` begins a directive and what is a comment is left open, so that no mistake
// about it can hide an include. Where Clang's lexer takes odd characters for blanks, so does this.
#include "TextScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace cancel_tools {

WordPieces::WordPieces(llvm::ArrayRef<StringRef> Words) {
  for (StringRef Word : Words) {
    Longest = std::max(Longest, Word.size());
    for (size_t Begin = 0; Begin != Word.size(); ++Begin)
      for (size_t Length = 1; Begin + Length <= Word.size(); ++Length)
        Numbers.try_emplace(Word.substr(Begin, Length), Numbers.size());
  }
}

std::optional<unsigned> WordPieces::numberOf(StringRef Identifier) const {
  if (Identifier.empty() || Identifier.size() > Longest)
    return std::nullopt;
  const auto It = Numbers.find(Identifier);
  return It == Numbers.end() ? std::nullopt : std::optional(It->second);
}

bool WordPieces::canMake(StringRef Word, const llvm::BitVector &Present) const {
  std::vector<bool> Reached(Word.size() + 1); // which lengths of its beginning can be made
  Reached[0] = true;
  for (size_t Begin = 0; Begin != Word.size(); ++Begin)
    for (size_t Length = 1; Reached[Begin] && Begin + Length <= Word.size(); ++Length)
      if (const auto Number = numberOf(Word.substr(Begin, Length)); Number && Present[*Number])
        Reached[Begin + Length] = true;
  return Reached[Word.size()];
}

// Stands for a universal character name. No byte of UTF-8.
static constexpr char EscapedCharacter = '\xff';

static bool isNotAscii(char C) { return static_cast<unsigned char>(C) >= 0x80; }

// Clang reads no-break spaces, byte order marks and the like as blanks; any other character that is
// not ASCII may as well be taken for one.
static bool isBlank(char C) {
  return C == ' ' || C == '\t' || C == '\f' || C == '\v' || C == '\0' || isNotAscii(C);
}

static bool isLineEnd(char C) { return C == '\n' || C == '\r'; }

static bool isWordCharacter(char C) { return llvm::isAlnum(C) || C == '_'; }

// A backslash at the end of a line, blanks behind it allowed, joins the next one.
static std::string withoutSplices(StringRef Text) {
  std::string Joined;
  Joined.reserve(Text.size());
  for (size_t At; (At = Text.find('\\')) != StringRef::npos;) {
    Joined += Text.take_front(At);
    const StringRef Behind = Text.drop_front(At + 1);
    StringRef Next = Behind.ltrim(" \t\f\v");
    if (!Next.empty() && isLineEnd(Next.front())) {
      const char End = Next.front();
      Next = Next.drop_front();
      if (!Next.empty() && isLineEnd(Next.front()) && Next.front() != End)
        Next = Next.drop_front();
      Text = Next;
    } else {
      Joined += '\\';
      Text = Behind;
    }
  }
  Joined += Text;
  return Joined;
}

// Whether a raw string that began before may end here: at a parenthesis, a delimiter and a quote.
static bool mayEndRawString(StringRef Text) {
  for (size_t At = 0; (At = Text.find('"', At)) != StringRef::npos; ++At)
    if (const size_t End = Text.take_front(At).find_last_of("() \\\t\v\f\n\r");
        End != StringRef::npos && Text[End] == ')')
      return true;
  return false;
}

// The length of the comment that `Line` begins with; 0 if it is not sure to be one. Should the line
// begin within a raw string or another comment, then that goes on up to there.
static size_t commentLength(StringRef Line) {
  if (Line.starts_with("//")) {
    const StringRef Comment = Line.take_until(isLineEnd);
    return Comment.contains("*/") || mayEndRawString(Comment) ? 0 : Comment.size();
  }
  if (!Line.starts_with("/*"))
    return 0;
  const size_t End = Line.find("*/", 2);
  return End == StringRef::npos || mayEndRawString(Line.take_front(End)) ? 0 : End + 2;
}

// Comments that begin lines, as licences and documentation do. The others count like code.
static std::string withoutComments(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size());
  while (!Text.empty()) {
    const StringRef Blanks = Text.take_while(isBlank);
    Result += Blanks;
    Text = Text.drop_front(Blanks.size());
    if (const size_t Comment = commentLength(Text)) {
      Result += ' ';
      Text = Text.drop_front(Comment);
      continue; // behind a comment, the line begins again
    }
    const size_t End = std::min(Text.find_first_of("\n\r"), Text.size());
    const StringRef Rest = Text.take_front(End + 1);
    Result += Rest;
    Text = Text.drop_front(Rest.size());
  }
  return Result;
}

// The length of what makes a universal character name of a backslash before it: u00a0, u{a0},
// N{SPACE}.
static size_t escapeLength(StringRef Behind) {
  if (Behind.starts_with("u{") || Behind.starts_with("N{")) {
    const size_t End = Behind.find_first_of("}\n\r");
    return End != StringRef::npos && Behind[End] == '}' ? End + 1 : 0;
  }
  const size_t Digits = Behind.starts_with("u") ? 4 : Behind.starts_with("U") ? 8 : 0;
  return Digits != 0 && Behind.size() > Digits &&
                 llvm::all_of(Behind.substr(1, Digits), llvm::isHexDigit)
             ? Digits + 1
             : 0;
}

static std::string withEscapesReplaced(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (size_t At; (At = Text.find('\\')) != StringRef::npos;) {
    Result += Text.take_front(At);
    Text = Text.drop_front(At + 1);
    const size_t Length = escapeLength(Text);
    Result += Length == 0 ? '\\' : EscapedCharacter;
    Text = Text.drop_front(Length);
  }
  Result += Text;
  return Result;
}

// The parameters of a macro that the line defines: within it they stand for something else. None if
// the line may end a string or comment, with code behind it.
static llvm::SmallVector<StringRef, 4> macroParameters(StringRef Line) {
  llvm::SmallVector<StringRef, 4> Names;
  Line = Line.drop_while(isBlank);
  if (!(Line.consume_front("#") || Line.consume_front("%:")) || Line.contains("*/") ||
      mayEndRawString(Line))
    return Names;
  Line = Line.drop_while(isBlank);
  if (!Line.consume_front("define"))
    return Names;
  Line = Line.drop_while(isBlank).drop_while(isWordCharacter);
  const size_t End = Line.find(')');
  if (!Line.starts_with("(") || End == StringRef::npos)
    return Names;
  Line.slice(1, End).split(Names, ',');
  for (StringRef &Name : Names)
    Name = Name.drop_while(isBlank).take_while(isWordCharacter);
  return Names;
}

static void findPieces(StringRef Line, const WordPieces &Sought, llvm::BitVector &Found) {
  const llvm::SmallVector<StringRef, 4> Parameters = macroParameters(Line);
  char Before = '\n';
  while (!Line.empty()) {
    const StringRef Run = Line.take_while(isWordCharacter);
    // '_' is a character, or the end of one token with what is before it, and a very frequent
    // piece.
    const bool Quoted = Run.starts_with("_") && Before == '\'';
    if (const std::optional<unsigned> Number = Sought.numberOf(Run);
        Number && !Quoted && !llvm::is_contained(Parameters, Run))
      Found.set(*Number);
    Line = Line.drop_front(Run.size());
    if (!Line.empty()) {
      Before = Line.front();
      Line = Line.drop_front();
    }
  }
}

// "import a;", "export import <b>;", "module c;", which imports its interface.
static bool importsModule(StringRef Line) {
  const auto Take = [&](StringRef Keyword) {
    const StringRef Blanks = Line.take_while(isBlank);
    const StringRef Word = Line.drop_front(Blanks.size()).take_while(isWordCharacter);
    if (Word != Keyword)
      return false;
    Line = Line.drop_front(Blanks.size() + Word.size());
    return true;
  };
  Take("export");
  if (!(Take("import") || Take("module")) || !Line.contains(';'))
    return false;
  Line = Line.drop_while(isBlank);
  return isWordCharacter(Line.front()) || StringRef("<\":").contains(Line.front());
}

static void readLines(StringRef Text, const WordPieces &Sought, TextScan &Into) {
  while (!Text.empty()) {
    const StringRef Line = Text.take_until(isLineEnd);
    findPieces(Line, Sought, Into.Pieces);
    if (importsModule(Line))
      Into.Obstacle = "imports a module";
    Text = Text.drop_front(std::min(Line.size() + 1, Text.size()));
  }
}

// Of blanks and comments. Returns whether some of them may be a part of an identifier after all.
static bool skipBlanks(StringRef &Text) {
  bool Doubtful = false;
  while (true) {
    const StringRef Blanks = Text.take_while(isBlank);
    Doubtful |= llvm::any_of(Blanks, isNotAscii);
    Text = Text.drop_front(Blanks.size());
    if (!Text.starts_with("/*"))
      return Doubtful;
    const size_t End = Text.find("*/", 2);
    Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 2);
  }
}

// Before a directive there are blanks alone, and comments. Where the last of them began may be
// lines above.
static bool mayBeginDirective(StringRef TextBefore) {
  const size_t LineEnd = TextBefore.find_last_of("\n\r");
  StringRef Line = LineEnd == StringRef::npos ? TextBefore : TextBefore.drop_front(LineEnd + 1);
  if (const size_t Comment = Line.rfind("*/"); Comment != StringRef::npos)
    Line = Line.drop_front(Comment + 2);
  return llvm::all_of(Line, isBlank);
}

// `Text` begins behind the directive's name.
static void readOperand(StringRef Text, TextScan &Into) {
  const bool Doubtful = skipBlanks(Text);
  const char First = Text.empty() ? '\n' : Text.front();
  if (First != '<' && First != '"') {
    // Whatever no identifier begins is an error if it is code at all.
    if (Doubtful || isWordCharacter(First) || First == '$' || First == '\\')
      Into.Obstacle = "includes a file whose name a macro makes";
    return;
  }
  const bool Quoted = First == '"';
  const size_t End = Text.find_first_of(Quoted ? "\"\n\r" : ">\n\r", 1);
  const StringRef Name = Text.slice(1, End);
  if (End == StringRef::npos || isLineEnd(Text[End]) || Name.contains('\\') ||
      Name.contains(EscapedCharacter) || Name.contains('\0')) {
    Into.Obstacle = "includes a file under a name that only Clang can read";
    return;
  }
  IncludeName Include{Name.str(), Quoted};
  if (!Name.empty() && !llvm::is_contained(Into.Includes, Include))
    Into.Includes.push_back(std::move(Include));
}

static void readDirectives(StringRef Text, TextScan &Into) {
  for (size_t At = 0; (At = Text.find_first_of("#%", At)) != StringRef::npos; ++At) {
    StringRef Rest = Text.drop_front(At);
    if (!(Rest.consume_front("#") || Rest.consume_front("%:")))
      continue;
    skipBlanks(Rest);
    const StringRef Name = Rest.take_while(isWordCharacter);
    const bool Includes = Name == "include" || Name == "include_next" || Name == "import" ||
                          Name == "__include_macros"; // what -imacros becomes
    if (!(Includes || Name == "embed") || !mayBeginDirective(Text.take_front(At)))
      continue;
    if (Includes)
      readOperand(Rest.drop_front(Name.size()), Into);
    else
      Into.Obstacle = "embeds a file";
  }
}

TextScan scanText(StringRef Text, const WordPieces &Sought) {
  TextScan Result;
  // Trigraphs are rare, and whether they count depends on the flags.
  if (Text.contains("?"
                    "?=") ||
      Text.contains("?"
                    "?/"))
    Result.Obstacle = "has trigraphs";
  const std::string Plain = withEscapesReplaced(withoutComments(withoutSplices(Text)));
  Result.Pieces.resize(Sought.count());
  readLines(Plain, Sought, Result);
  readDirectives(Plain, Result);
  return Result;
}

} // namespace cancel_tools
