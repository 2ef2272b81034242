// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes as the file around it does: `template <typename Promise>` where it says typename, public
// where a base needs it, its indentation and line ends.
#include "PromiseEmbed.h"
#include "RuntimeNames.h"
#include "SourceEdits.h"
#include "Vocabulary.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace cancel_tools {

using namespace clang;

namespace {

/// The tokens of the file up to, and without, the one at `Loc`.
llvm::ArrayRef<Token> tokensBefore(TranslationUnit &Unit, SourceLocation Loc) {
  const llvm::ArrayRef<Token> All = Unit.tokens(Unit.sources().getFileID(Loc));
  const auto *At = llvm::find_if(All, [&](const Token &T) { return T.getLocation() == Loc; });
  return All.take_front(At - All.begin());
}

/// The end of the last token before `Loc`.
SourceLocation endBefore(TranslationUnit &Unit, SourceLocation Loc) {
  const llvm::ArrayRef<Token> Before = tokensBefore(Unit, Loc);
  return Before.empty() ? Loc : Before.back().getEndLoc();
}

std::string embed(TranslationUnit &Unit, const CXXRecordDecl &Class, std::vector<Edit> &Edits) {
  const SourceEdits Source(Unit);
  const Qualifier Namespace = runtimeQualifier(Unit, Class);
  if (!Namespace.Refusal.empty())
    return Namespace.Refusal;
  const SourceManager &Sources = Unit.sources();
  const SourceLocation Brace = Class.getBraceRange().getBegin();
  const FileID File = Sources.getFileID(Brace);
  if (llvm::any_of(tokensBefore(Unit, Brace), [&](const Token &T) {
        return T.is(tok::hash) && T.isAtStartOfLine() && T.getLocation() > Class.getLocation();
      }))
    return llvm::formatv("a preprocessor condition stands in the head of '{0}', so that another "
                         "configuration has another one",
                         nameOf(Class));
  const bool HasBases = Class.getNumBases() != 0;
  const bool SaysPublic =
      HasBases && std::prev(Class.bases_end())->getAccessSpecifierAsWritten() != AS_none;
  const std::optional<Edit> Base = Source.insertBefore(
      endBefore(Unit, Brace),
      llvm::formatv("{0}{1}{2}{3}", HasBases ? ", " : " : ",
                    Class.isClass() || SaysPublic ? "public " : "", Namespace.Text, runtime::Frame)
          .str());
  if (!Base)
    return llvm::formatv("'{0}' is made by a macro", nameOf(Class));
  Edits.push_back(*Base);
  Edits.back().Shared = true;
  if (SourceEdits::Include Wanted = Source.include(File, runtime::FrameHeader, runtime::Umbrella);
      Wanted.Needed)
    Edits.push_back(*Wanted.Needed);
  return {};
}

/// A name that the outermost class of the method does not mention.
std::string freeName(TranslationUnit &Unit, const CXXMethodDecl &Method,
                     llvm::ArrayRef<llvm::StringRef> Wanted) {
  const SourceEdits Source(Unit);
  const DeclContext *Outermost = &Method;
  for (const DeclContext *Scope = &Method; Scope; Scope = Scope->getLexicalParent())
    if (Scope->isRecord() || Scope->isFunctionOrMethod())
      Outermost = Scope;
  SourceRange Range = cast<Decl>(Outermost)->getSourceRange();
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Outermost))
    if (const ClassTemplateDecl *Template = Class->getDescribedClassTemplate())
      Range = Template->getSourceRange(); // its parameters are taken too
  for (llvm::StringRef Name : Wanted)
    if (!Source.mentions(Range, Name))
      return Name.str();
  for (unsigned Suffix = 2;; ++Suffix)
    if (std::string Name = llvm::formatv("{0}{1}", Wanted.front(), Suffix);
        !Source.mentions(Range, Name))
      return Name;
}

/// The first token of a member's declaration, of its attributes for instance.
SourceLocation declarationBegin(TranslationUnit &Unit, const CXXMethodDecl &Method) {
  SourceLocation Begin =
      Unit.sources().getExpansionLoc(Method.getBeginLoc()); // a specifier's macro
  const auto EndsWhatPrecedes = [](const Token &T) {
    return T.isOneOf(tok::l_brace, tok::r_brace, tok::semi, tok::colon);
  };
  const SourceEdits Source(Unit);
  for (const Token &T : llvm::reverse(tokensBefore(Unit, Begin))) {
    const bool OnLineAbove = Source.startsLine(Begin) && !T.is(tok::r_square);
    if (EndsWhatPrecedes(T) || OnLineAbove)
      break;
    Begin = T.getLocation();
  }
  return Begin;
}

/// The written type of the parameter without const and &.
TypeLoc writtenType(const ParmVarDecl &Parameter) {
  TypeLoc Type = Parameter.getTypeSourceInfo()->getTypeLoc();
  while (true) {
    Type = Type.getUnqualifiedLoc();
    const auto Reference = Type.getAs<ReferenceTypeLoc>();
    if (!Reference)
      return Type;
    Type = Reference.getPointeeLoc();
  }
}

/// Whether the file writes `template <typename T>` rather than `template <class T>`.
bool prefersTypename(llvm::StringRef Text) {
  return Text.count("template <typename") + Text.count("template<typename") >
         Text.count("template <class") + Text.count("template<class");
}

class AdoptionRenderer {
public:
  AdoptionRenderer(TranslationUnit &Unit, const AwaiterShape &Shape)
      : Unit(Unit), Source(Unit), Shape(Shape), Parameter(*Shape.Spelled->getParamDecl(0)),
        Handle(Parameter.getName()) {}

  EmbedEdits render() {
    if (Handle.empty())
      nameParameter();
    if (Shape.IsErased)
      makeTemplate();
    for (const Expr *Mention : Shape.Erasing)
      add(Source.replace(Mention->getSourceRange(),
                         llvm::formatv("{0}({1})", ErasedType, Handle).str()));
    const SourceLocation Before = Shape.Before->getBeginLoc();
    add(Source.insertBefore(
        Source.aboveItsComments(Before),
        llvm::formatv("{0}{1}({2});{3}", Shape.Promise, runtime::Adopt, Handle, separator(Before))
            .str()));
    if (!Complete)
      return {{}, "its await_suspend is made by a macro"};
    const auto [First, Last] = std::minmax_element(Result.begin(), Result.end());
    if (!Source.areUnderOneCondition(Unit.sources().getFileID(Before), First->Offset, Last->Offset))
      return {{},
              "a preprocessor condition stands in its await_suspend, so that another configuration "
              "would see only a part of the rewrite"};
    return {std::move(Result), {}};
  }

private:
  void add(std::optional<Edit> E) {
    Complete &= E.has_value();
    if (E)
      Result.push_back(std::move(*E));
  }

  std::string separator(SourceLocation Loc) const {
    return Source.startsLine(Loc) ? Source.lineEnd(Loc).str() + Source.indentation(Loc) : " ";
  }

  void nameParameter() {
    Handle = freeName(Unit, *Shape.Spelled, {"parent", "awaiting"});
    const SourceLocation Last = Parameter.getTypeSourceInfo()->getTypeLoc().getEndLoc();
    add(Source.insertBefore(
        Lexer::getLocForEndOfToken(Last, 0, Unit.sources(), Unit.context().getLangOpts()),
        " " + Handle));
  }

  void makeTemplate() {
    const SourceLocation Begin = declarationBegin(Unit, *Shape.Spelled);
    const std::string Promise =
        freeName(Unit, *Shape.Spelled, {"Promise", "ParentPromise", "AwaitingPromise"});
    const llvm::StringRef Text = Unit.text(Unit.sources().getFileID(Begin));
    add(Source.insertBefore(Begin, llvm::formatv("template <{0} {1}>{2}",
                                                 prefersTypename(Text) ? "typename" : "class",
                                                 Promise, separator(Begin))
                                       .str()));
    const TypeLoc Type = writtenType(Parameter);
    const SourceRange Written = Type.getSourceRange();
    const std::string Spelling = Source.text(Written).value_or(std::string());
    const std::size_t Arguments = Spelling.find('<');
    ErasedType = Spelling;
    // An alias names one type.
    const llvm::StringRef Named = llvm::StringRef(Spelling).take_front(Arguments).rtrim();
    const std::string Template =
        Arguments != std::string::npos && Named.ends_with("coroutine_handle")
            ? Named.str()
            : "std::coroutine_handle";
    add(Source.replace(Written, llvm::formatv("{0}<{1}>", Template, Promise).str()));
  }

  TranslationUnit &Unit;
  SourceEdits Source;
  const AwaiterShape &Shape;
  const ParmVarDecl &Parameter;
  std::string Handle;
  std::string ErasedType;
  std::vector<Edit> Result;
  bool Complete = true;
};

} // namespace

EmbedEdits renderFrameBase(TranslationUnit &Unit, const PromiseFamily &Family) {
  EmbedEdits Result;
  for (const CXXRecordDecl *Class : Family.Receivers) {
    Result.Refusal = embed(Unit, *Class, Result.Edits);
    if (!Result.Refusal.empty()) {
      Result.Edits.clear();
      break;
    }
  }
  return Result;
}

EmbedEdits renderAdoption(TranslationUnit &Unit, const AwaiterShape &Shape) {
  return AdoptionRenderer(Unit, Shape).render();
}

} // namespace cancel_tools
