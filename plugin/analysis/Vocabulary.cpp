// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables behind Vocabulary.h, and nothing else.
#include "Vocabulary.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

namespace cancel_tools {

using namespace clang;

namespace {

struct TypeRow {
  llvm::StringLiteral Namespace;
  llvm::StringLiteral Name;
  KnownType Kind;
};
constexpr TypeRow Types[] = {
    {"std", "stop_callback", KnownType::StopCallback},  {"std", "stop_token", KnownType::StopToken},
    {"std", "stop_source", KnownType::StopSource},      {"std", "optional", KnownType::Optional},
    {"std", "unique_ptr", KnownType::UniquePtr},        {"std", "array", KnownType::FixedArray},
    {"std", "suspend_never", KnownType::NeverSuspends},
};

constexpr llvm::StringLiteral StateKeepingMembers[] = {
    "get_token",
    "request_stop",
    "stop_possible",
    "stop_requested",
};

struct FunctionRow {
  llvm::StringLiteral Namespace;
  llvm::StringLiteral Name;
};
constexpr FunctionRow HolderMakers[] = {{"std", "make_unique"}, {"std", "make_optional"}};

/// Whether `D` stands in the top-level namespace of that name, inline namespaces not counted.
bool isIn(const Decl &D, llvm::StringRef Namespace) {
  const DeclContext *Scope = D.getDeclContext()->getEnclosingNamespaceContext();
  while (Scope->isInlineNamespace())
    Scope = Scope->getParent();
  const auto *Enclosing = dyn_cast<NamespaceDecl>(Scope);
  return Enclosing && Enclosing->getName() == Namespace &&
         Enclosing->getParent()->getRedeclContext()->isTranslationUnit();
}

bool isNamed(const NamedDecl &D, llvm::StringRef Name) {
  return D.getIdentifier() && D.getName() == Name;
}

} // namespace

bool isKnown(const NamedDecl &D, KnownType Kind) {
  return llvm::any_of(Types, [&](const TypeRow &Row) {
    return Row.Kind == Kind && isNamed(D, Row.Name) && isIn(D, Row.Namespace);
  });
}

bool isKnown(QualType Type, KnownType Kind) {
  if (Type.isNull())
    return false;
  const CXXRecordDecl *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && isKnown(*Class, Kind);
}

bool keepsStopState(llvm::StringRef MemberFunction) {
  return llvm::is_contained(StateKeepingMembers, MemberFunction);
}

bool constructsInPlace(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && isNamed(F, "emplace") && isKnown(*Method->getParent(), KnownType::Optional);
}

bool makesHolder(const FunctionDecl &F) {
  return llvm::any_of(HolderMakers, [&](const FunctionRow &Row) {
    return isNamed(F, Row.Name) && isIn(F, Row.Namespace);
  });
}

} // namespace cancel_tools
