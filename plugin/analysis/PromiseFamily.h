// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: the promise classes that one awaiter may meet, and the classes through which all of them
// can be given a base.
#ifndef CANCEL_ANALYSIS_PROMISEFAMILY_H
#define CANCEL_ANALYSIS_PROMISEFAMILY_H

#include "TranslationUnit.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace cancel_tools {

/// The definition that the source spells: a template's for each of its instantiations.
const clang::CXXRecordDecl &spelledClass(const clang::CXXRecordDecl &);

/// Qualified, and with the arguments that a specialisation is for.
std::string nameOf(const clang::CXXRecordDecl &);

/// Classes are given as they are spelled, in the order of their places.
struct PromiseFamily {
  /// A promise template with its specialisations, and those of the task's specialisations: the code
  /// of an awaiter is the same for all of them.
  llvm::SmallVector<const clang::CXXRecordDecl *, 2> Promises;
  /// Of these and their bases, those that are to derive from stop_frame so that all promises do:
  /// where a base declares final_suspend, that base. Empty if all promises do already.
  llvm::SmallVector<const clang::CXXRecordDecl *, 2> Receivers;
  /// Why they cannot; completes "not rewritten: ...".
  std::string Refusal;
};

/// `Task` may be null.
PromiseFamily promiseFamilyOf(TranslationUnit &, const clang::CXXRecordDecl &Promise,
                              const clang::CXXRecordDecl *Task);

} // namespace cancel_tools

#endif
