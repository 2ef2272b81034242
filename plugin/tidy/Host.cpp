// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the two phases over one translation unit and renders what they conclude; decides nothing.
#include "Host.h"
#include "Render.h"
#include "TranslationUnit.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"

namespace cancel_tools {

using namespace clang;
using tidy::ClangTidyContext;

namespace {

/// The first declaration that the host traverses: the translation unit in clang-tidy, the main
/// file's first declaration in clangd. Matches once, without state.
AST_MATCHER(Decl, opensTraversalScope) {
  const std::vector<Decl *> Scope = Finder->getASTContext().getTraversalScope();
  return !Scope.empty() && Scope.front() == &Node;
}

/// The check with the values that the project's configuration gives its options.
EnabledCheck configured(const Check &What, ClangTidyContext &Tidy) {
  const tidy::ClangTidyCheck::OptionsView View(What.Name, Tidy.getOptions().CheckOptions, &Tidy);
  EnabledCheck Result(What);
  for (const OptionSpec &Option : What.OptionSpecs)
    Result.Values.set(Option.Key, View.get(Option.Key, Option.Default));
  return Result;
}

std::vector<EnabledCheck> enabledChecks(ClangTidyContext &Tidy) {
  std::vector<EnabledCheck> Enabled;
  for (const Check &What : catalogue())
    if (Tidy.isCheckEnabled(What.Name))
      Enabled.push_back(configured(What, Tidy));
  return Enabled;
}

} // namespace

Host::Host(const Check &What, ClangTidyContext &Tidy)
    : ClangTidyCheck(What.Name, &Tidy), What(What), Tidy(Tidy), Own(configured(What, Tidy)) {}

void Host::storeOptions(tidy::ClangTidyOptions::OptionMap &Map) {
  for (const OptionSpec &Option : What.OptionSpecs)
    Options.store(Map, Option.Key, Own.Values.get(Option.Key));
}

bool Host::isLanguageVersionSupported(const LangOptions &Language) const {
  return Language.CPlusPlus20;
}

void Host::registerMatchers(ast_matchers::MatchFinder *Finder) {
  const auto *First =
      llvm::find_if(catalogue(), [&](const Check &C) { return Tidy.isCheckEnabled(C.Name); });
  if (First == &What)
    Finder->addMatcher(ast_matchers::decl(opensTraversalScope()), this);
}

void Host::check(const ast_matchers::MatchFinder::MatchResult &Result) {
  TranslationUnit &Unit = TranslationUnit::of(*Result.Context);
  const std::vector<EnabledCheck> Enabled = enabledChecks(Tidy);
  const std::vector<Finding> Findings = conclude(Enabled, {examine(Unit, Enabled)});
  Renderer(Unit, Tidy).render(Findings);
}

} // namespace cancel_tools
