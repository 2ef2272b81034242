// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what TranslationUnit.h promises, once for each ASTContext.
#include "TranslationUnit.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <mutex>

namespace cancel_tools {

using namespace clang;

namespace {

class FunctionFinder : public RecursiveASTVisitor<FunctionFinder> {
public:
  std::vector<const FunctionDecl *> Found;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() && Seen.insert(F).second)
      Found.push_back(F);
    return true;
  }

  // The closure class of a lambda is implicit, so its call operator is reached from here only.
  bool VisitLambdaExpr(LambdaExpr *E) {
    if (FunctionTemplateDecl *Generic = E->getDependentCallOperator()) {
      for (FunctionDecl *Instance : Generic->specializations())
        if (!TraverseDecl(Instance))
          return false;
      return true;
    }
    return VisitFunctionDecl(E->getCallOperator());
  }

private:
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
};

std::vector<Token> lex(FileID File, const SourceManager &Sources, const LangOptions &Language) {
  std::vector<Token> Tokens;
  Lexer Raw(File, Sources.getBufferOrFake(File), Sources, Language);
  Token Next;
  while (!Raw.LexFromRawLexer(Next))
    Tokens.push_back(Next);
  return Tokens;
}

} // namespace

TranslationUnit &TranslationUnit::of(ASTContext &Context) {
  // The one registry of the process: an ASTContext has no room for guests, and a host that runs
  // several checks must not compute the same facts for each.
  static std::mutex Mutex;
  static llvm::DenseMap<const ASTContext *, std::unique_ptr<TranslationUnit>> Units;
  std::lock_guard<std::mutex> Lock(Mutex);
  std::unique_ptr<TranslationUnit> &Unit = Units[&Context];
  if (!Unit) {
    Unit.reset(new TranslationUnit(Context));
    Context.AddDeallocation(
        [](void *Freed) {
          std::lock_guard<std::mutex> Lock(Mutex);
          Units.erase(static_cast<const ASTContext *>(Freed));
        },
        &Context);
  }
  return *Unit;
}

llvm::ArrayRef<Coroutine> TranslationUnit::coroutines() {
  findFunctions();
  return Coroutines;
}

llvm::ArrayRef<const FunctionDecl *> TranslationUnit::functions() {
  findFunctions();
  return *Functions;
}

void TranslationUnit::findFunctions() {
  if (Functions)
    return;
  FunctionFinder Finder;
  // The traversal scope, not the translation unit: clangd shows only the main file's declarations.
  for (Decl *Scope : Context.getTraversalScope()) {
    if (const auto *Whole = dyn_cast<TranslationUnitDecl>(Scope)) {
      for (Decl *D : Whole->decls())
        if (!sources().isInSystemHeader(D->getLocation()))
          Finder.TraverseDecl(D);
    } else if (!sources().isInSystemHeader(Scope->getLocation())) {
      Finder.TraverseDecl(Scope);
    }
  }
  Functions = std::move(Finder.Found);
  for (const FunctionDecl *F : *Functions)
    if (const auto *Body = dyn_cast_or_null<CoroutineBodyStmt>(F->getBody()))
      Coroutines.emplace_back(*F, *Body);
}

std::optional<Location> TranslationUnit::locate(SourceLocation Loc) const {
  if (Loc.isInvalid() || Loc.isMacroID())
    return std::nullopt;
  const auto Place = sources().getDecomposedLoc(Loc);
  Location Result;
  Result.File = realPath(Place.first);
  if (Result.File.empty())
    return std::nullopt;
  Result.Offset = Place.second;
  Result.Line = sources().getLineNumber(Place.first, Place.second);
  Result.Column = sources().getColumnNumber(Place.first, Place.second);
  return Result;
}

const std::string &TranslationUnit::realPath(FileID File) const {
  auto [It, Fresh] = RealPaths.try_emplace(File);
  const OptionalFileEntryRef Entry = Fresh ? sources().getFileEntryRefForID(File) : std::nullopt;
  if (Entry) {
    // What Clang calls the real path still has its symlinks.
    llvm::SmallString<256> Resolved;
    if (sources().getFileManager().getVirtualFileSystem().getRealPath(Entry->getName(), Resolved))
      Resolved = Entry->getFileEntry().tryGetRealPathName();
    It->second = std::string(Resolved);
  }
  return It->second;
}

llvm::StringRef TranslationUnit::text(FileID File) const { return sources().getBufferData(File); }

llvm::ArrayRef<Token> TranslationUnit::tokens(FileID File) {
  auto [It, Fresh] = Tokens.try_emplace(File);
  if (Fresh)
    It->second = lex(File, sources(), Context.getLangOpts());
  return It->second;
}

} // namespace cancel_tools
