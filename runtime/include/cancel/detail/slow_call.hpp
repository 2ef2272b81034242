// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling convention of what is rarely called from where every register counts.
#ifndef CANCEL_DETAIL_SLOW_CALL_HPP
#define CANCEL_DETAIL_SLOW_CALL_HPP

// A slow path that preserves its caller's registers costs nothing where it is not taken: the
// coroutine around it need not save any on entry. The convention is part of the function's name,
// because objects of compilers that disagree on it may end up in one program.
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define CANCEL_SLOW_CALL [[gnu::noinline, clang::preserve_most]]
namespace cancel::detail {
using slow_call = struct preserves_most_registers;
}
#else
#define CANCEL_SLOW_CALL [[gnu::noinline]]
namespace cancel::detail {
using slow_call = struct preserves_callee_saved_registers;
}
#endif

#endif
