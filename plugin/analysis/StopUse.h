// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fact: which local variables of a coroutine hold stop callbacks, where each is registered, and
// where it ends early.
#ifndef CANCEL_ANALYSIS_STOPUSE_H
#define CANCEL_ANALYSIS_STOPUSE_H

#include "Suspension.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <vector>

namespace cancel_tools {

/// How a variable holds its callback.
enum class HolderKind {
  Object,    ///< `std::stop_callback cb(st, f);`
  Optional,  ///< `std::optional<std::stop_callback<F>> cb;` registered by emplace
  UniquePtr, ///< `auto cb = std::make_unique<std::stop_callback<F>>(st, f);`
  Aggregate, ///< a class or array that contains one
};

/// A local variable, or a data member of one, that can hold a stop callback.
struct Holder {
  const clang::VarDecl *Variable = nullptr;
  /// The statement that declares the variable.
  const clang::DeclStmt *Declaration = nullptr;
  /// `scope.cb.emplace(st, f)`: the member that holds; null for the variable itself.
  const clang::FieldDecl *Member = nullptr;
  HolderKind Kind = HolderKind::Object;
  /// A use that is neither a registration, nor an end, nor a test for emptiness: its address, its
  /// type.
  const clang::Expr *OtherUse = nullptr;

  llvm::StringRef name() const { return Member ? Member->getName() : Variable->getName(); }
};

/// One place where a callback is registered.
struct Registration {
  unsigned HolderIndex = 0;
  /// The expression that registers: a construction, emplace, make_unique or new.
  const clang::Expr *Made = nullptr;
  /// The call or assignment; null where the variable's declaration registers.
  const clang::Expr *Call = nullptr;
  /// The token as written, without implicit copies; null where it cannot be seen.
  const clang::Expr *Token = nullptr;
  /// The callback as written; null where it cannot be seen.
  const clang::Expr *Callback = nullptr;
  clang::SourceLocation Where;
};

struct StopUse {
  std::vector<Holder> Holders;
  std::vector<Registration> Registrations;
  /// Begins (numbered as `Registrations`) and ends of every holder's lifetimes.
  std::vector<LifetimeEvent> Events;
};

/// Linear in the size of the body. Callbacks inside nested lambdas are not this coroutine's.
StopUse stopUseIn(const Coroutine &);

/// Whether the call forwards its arguments to the constructor of a stop callback: make_unique,
/// make_optional or emplace of one.
bool makesCallback(const clang::CallExpr &);

/// std::nullopt or nullptr, also as a conversion's operand: an empty optional or pointer.
bool namesNothing(const clang::Expr &);

/// The expression below implicit casts, temporaries, parentheses and copies of a token or source.
const clang::Expr *withoutCopies(const clang::Expr *);

} // namespace cancel_tools

#endif
