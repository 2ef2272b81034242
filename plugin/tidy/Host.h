// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check class that clang-tidy and clangd see: it turns findings into their diagnostics and
// fix-its.
#ifndef CANCEL_TIDY_HOST_H
#define CANCEL_TIDY_HOST_H

#include "Check.h"

#include "clang-tidy/ClangTidyCheck.h"

namespace cancel_tools {

/// One instance stands for one check of the catalogue: it owns the check's name and options. The
/// analysis itself runs once for each translation unit, for all enabled checks together, in the
/// instance of the first of them; so edits that several checks share meet in one place.
///
/// A group whose edits leave the main file gets no fix-it: another translation unit may see that
/// file differently, and clang-tidy would apply the parts one by one.
class Host : public clang::tidy::ClangTidyCheck {
public:
  /// `What` outlives the host: it is an entry of the catalogue.
  Host(const Check &What, clang::tidy::ClangTidyContext &Tidy);

  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &) override;
  bool isLanguageVersionSupported(const clang::LangOptions &) const override;
  void registerMatchers(clang::ast_matchers::MatchFinder *) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &) override;

private:
  const Check &What;
  clang::tidy::ClangTidyContext &Tidy;
  EnabledCheck Own;
};

} // namespace cancel_tools

#endif
