// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and functions that the analysis knows by name, as tables: to know another, add a row.
#ifndef CANCEL_ANALYSIS_VOCABULARY_H
#define CANCEL_ANALYSIS_VOCABULARY_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace cancel_tools {

/// What the analysis takes a class for. Names are compared without inline namespaces, so that
/// libstdc++, libc++ and their ABI namespaces are one.
enum class KnownType {
  StopCallback,    ///< registers in its constructor, deregisters in its destructor
  StopToken,       ///< names a stop state; copies name the same one
  StopSource,      ///< owns a stop state
  Optional,        ///< holds a value or not: emplace, reset
  UniquePtr,       ///< owns an object on the heap
  FixedArray,      ///< holds its elements by value
  InPlaceTag,      ///< the first argument of a constructor that forwards the others to what is held
  EmptyTag,        ///< leaves an optional without a value
  RuntimeHolder,   ///< the runtime's own, which registers for others
  StopFrame,       ///< the runtime's base of promises, which knows the slots of the async stack
  NeverSuspends,   ///< an awaiter that is always ready
  AlwaysSuspends,  ///< an awaiter that is never ready
  CoroutineHandle, ///< refers to a coroutine, of a promise that it names or of any
};

/// Whether the type (without references, pointers not followed) is, or is a specialisation of, such
/// a class.
bool isKnown(clang::QualType, KnownType);
bool isKnown(const clang::NamedDecl &, KnownType);

/// The names of the classes that are taken for it, without their namespaces.
std::vector<llvm::StringRef> namesOf(KnownType);

inline bool isNeverSuspendingAwaiter(clang::QualType Type) {
  return isKnown(Type, KnownType::NeverSuspends);
}

/// The member functions that a stop source or token has and that do not change which state it
/// names.
bool keepsStopState(llvm::StringRef MemberFunction);

/// Functions that make the holder of an object: make_unique, make_optional. They forward their
/// arguments to the object's constructor.
bool makesHolder(const clang::FunctionDecl &);
/// A member function of a holder that does the same: emplace.
bool constructsInPlace(const clang::FunctionDecl &);

/// A member function of a holder whose result is true, or not null, if it holds something.
bool testsWhetherFilled(const clang::CXXMethodDecl &);

/// Functions that return only when something elsewhere has happened: join, wait, get. A mutex is
/// none of them.
bool blocks(const clang::FunctionDecl &);

/// The runtime's slot_for.
bool givesSlotOfStack(const clang::FunctionDecl &);

/// The names of the runtime that rewritten code uses. The analysis knows the runtime as text alone.
namespace runtime {
inline constexpr llvm::StringLiteral Namespace = "cancel";
inline constexpr llvm::StringLiteral Slot = "stop_slot";
inline constexpr llvm::StringLiteral Guard = "stop_guard";
inline constexpr llvm::StringLiteral SlotFor = "slot_for";
inline constexpr llvm::StringLiteral Frame = "stop_frame";
inline constexpr llvm::StringLiteral Adopt = "adopt";
inline constexpr llvm::StringLiteral SlotHeader = "cancel/stop_slot.hpp";
inline constexpr llvm::StringLiteral SlotForHeader = "cancel/slot_for.hpp";
inline constexpr llvm::StringLiteral FrameHeader = "cancel/stop_frame.hpp";
inline constexpr llvm::StringLiteral Umbrella = "cancel/cancel.hpp";
inline constexpr llvm::StringLiteral SlotVariable = "cancel_slot";
} // namespace runtime

} // namespace cancel_tools

#endif
