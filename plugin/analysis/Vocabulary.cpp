// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables behind Vocabulary.h, and nothing else.
#include "Vocabulary.h"

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
    {"std", "stop_callback", KnownType::StopCallback},
    {"std", "stop_token", KnownType::StopToken},
    {"std", "stop_source", KnownType::StopSource},
    {"std", "optional", KnownType::Optional},
    {"std", "unique_ptr", KnownType::UniquePtr},
    {"std", "array", KnownType::FixedArray},
    {"std", "in_place_t", KnownType::InPlaceTag},
    {"std", "nullopt_t", KnownType::EmptyTag},
    {"cancel", "stop_slot", KnownType::RuntimeHolder},
    {"cancel", "stop_guard", KnownType::RuntimeHolder},
    {"cancel", "slot_reference", KnownType::RuntimeHolder},
    {"cancel", "stop_frame", KnownType::StopFrame},
    {"std", "suspend_never", KnownType::NeverSuspends},
    {"std", "suspend_always", KnownType::AlwaysSuspends},
    {"std", "coroutine_handle", KnownType::CoroutineHandle},
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

constexpr llvm::StringLiteral FillTests[] = {"has_value", "get"};

/// Members of standard classes; an empty class stands for a namespace-scope function of std or a
/// namespace in it.
struct BlockingRow {
  llvm::StringLiteral Class;
  llvm::StringLiteral Function;
};
constexpr BlockingRow BlockingFunctions[] = {
    {"thread", "join"},
    {"jthread", "join"},
    {"condition_variable", "wait"},
    {"condition_variable", "wait_for"},
    {"condition_variable", "wait_until"},
    {"condition_variable_any", "wait"},
    {"condition_variable_any", "wait_for"},
    {"condition_variable_any", "wait_until"},
    {"future", "get"},
    {"future", "wait"},
    {"shared_future", "get"},
    {"shared_future", "wait"},
    {"latch", "wait"},
    {"latch", "arrive_and_wait"},
    {"barrier", "wait"},
    {"barrier", "arrive_and_wait"},
    {"counting_semaphore", "acquire"},
    {"atomic", "wait"},
    {"atomic_flag", "wait"},
    {"", "sleep_for"},
    {"", "sleep_until"},
};

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

/// In std or in a namespace or class of it: std::this_thread::sleep_for, std::thread::join.
bool isBelowStd(const Decl &D) {
  for (const DeclContext *Scope = D.getDeclContext(); Scope; Scope = Scope->getParent())
    if (Scope->isStdNamespace())
      return true;
  return false;
}

/// libstdc++ and libc++ put some members into a base: __basic_future, __future_base, __atomic_base.
bool hasStandardName(const CXXRecordDecl &Class, llvm::StringRef Name) {
  if (!Class.getIdentifier())
    return false;
  const llvm::StringRef Own = Class.getName();
  return Own == Name || (Own.starts_with("_") && Own.contains(Name));
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

std::vector<llvm::StringRef> namesOf(KnownType Kind) {
  std::vector<llvm::StringRef> Names;
  for (const TypeRow &Row : Types)
    if (Row.Kind == Kind)
      Names.push_back(Row.Name);
  return Names;
}

bool keepsStopState(llvm::StringRef MemberFunction) {
  return llvm::is_contained(StateKeepingMembers, MemberFunction);
}

bool constructsInPlace(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return Method && isNamed(F, "emplace") && isKnown(*Method->getParent(), KnownType::Optional);
}

bool testsWhetherFilled(const CXXMethodDecl &Method) {
  return llvm::any_of(FillTests, [&](llvm::StringRef Name) { return isNamed(Method, Name); });
}

bool makesHolder(const FunctionDecl &F) {
  return llvm::any_of(HolderMakers, [&](const FunctionRow &Row) {
    return isNamed(F, Row.Name) && isIn(F, Row.Namespace);
  });
}

bool givesSlotOfStack(const FunctionDecl &F) {
  return isNamed(F, runtime::SlotFor) && isIn(F, runtime::Namespace);
}

bool blocks(const FunctionDecl &F) {
  if (!isBelowStd(F))
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return llvm::any_of(BlockingFunctions, [&](const BlockingRow &Row) {
    return isNamed(F, Row.Function) &&
           (Method ? hasStandardName(*Method->getParent(), Row.Class) : Row.Class.empty());
  });
}

} // namespace cancel_tools
