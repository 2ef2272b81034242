// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fast paths compile to. A fast path is what stands between a function's label and its
// first return: compilers lay out what is unlikely behind that.
#include <cancel/inplace_stop_source.hpp>
#include <cancel/slot_for.hpp>
#include <cancel/stop_flag.hpp>
#include <cancel/stop_slot.hpp>

#include <coroutine>
#include <stop_token>

// Marks a place in the assembly.
#if defined(__x86_64__)
#define COMMENT "#"
#else
#define COMMENT "//"
#endif

struct helper_promise : cancel::stop_frame {};

extern "C" {

// A poll is one load and a branch.

// CHECK-LABEL: {{^}}polls_a_flag:
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{(movzbl|cmpb).*}}(%rdi)
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{[[:space:]]jn?e}}
// AARCH64:     {{[[:space:]]}}ldrb
// AARCH64-NOT: {{[[:space:]](ld|dmb)}}
// AARCH64:     {{[[:space:]](tbn?z|cbn?z|b\.?ne|b\.?eq)}}
void polls_a_flag(const cancel::stop_flag &flag, void (*work)()) {
  if (!flag.stop_requested())
    work();
}

// CHECK-LABEL: {{^}}asks_a_flag:
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{(movzbl|cmpb).*}}(%rdi)
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{[[:space:]]jn?e}}
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{[[:space:]]ret}}
// AARCH64:     {{[[:space:]]}}ldrb
// AARCH64-NOT: {{[[:space:]](ld|dmb)}}
// AARCH64:     {{[[:space:]](tbn?z|cbn?z|b\.?ne|b\.?eq)}}
bool asks_a_flag(const cancel::stop_flag &flag) { return flag.should_stop(); }

// CHECK-LABEL: {{^}}polls_an_inplace_source:
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{(movzbl|cmpb).*}}(%rdi)
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{[[:space:]]jn?e}}
// AARCH64:     {{[[:space:]]}}ldarb
// AARCH64-NOT: {{[[:space:]](ld|dmb)}}
// AARCH64:     {{[[:space:]](tbn?z|cbn?z|b\.?ne|b\.?eq)}}
void polls_an_inplace_source(const cancel::inplace_stop_source &source, void (*work)()) {
  if (!source.stop_requested())
    work();
}

// A token may have no source, which is a branch more.
// CHECK-LABEL: {{^}}polls_an_inplace_token:
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{(movzbl|cmpb).*}}(%rdi)
// X86-NOT:     {{[(]%r|[[:space:]](lock|xchg|.fence)}}
// X86:         {{[[:space:]]jn?e}}
// AARCH64:     {{[[:space:]]}}ldarb
// AARCH64-NOT: {{[[:space:]](ld|dmb)}}
// AARCH64:     {{[[:space:]](tbn?z|cbn?z|b\.?ne|b\.?eq)}}
void polls_an_inplace_token(cancel::inplace_stop_token token, void (*work)()) {
  if (!token.stop_requested())
    work();
}

// On a slot that has turned, arming and disarming are plain stores; on AArch64 one release store
// each. Nothing is called.

// CHECK-LABEL: {{^}}arms_on_an_inplace_slot:
// X86-NOT:     {{[[:space:]](lock|xchg|.fence|call)}}
// AARCH64-NOT: {{[[:space:]](dmb|blr?[[:space:]]|lda?xr|cas|swp|ldadd|ldset|stlr)}}
// AARCH64:     {{[[:space:]]}}stlr
// AARCH64-NOT: {{[[:space:]](dmb|blr?[[:space:]]|lda?xr|cas|swp|ldadd|ldset|stlr)}}
// CHECK:       the await
// X86-NOT:     {{[[:space:]](lock|xchg|.fence|call)}}
// AARCH64-NOT: {{[[:space:]](dmb|blr?[[:space:]]|lda?xr|cas|swp|ldadd|ldset|stlr)}}
// AARCH64:     {{[[:space:]]}}stlr
// AARCH64-NOT: {{[[:space:]](dmb|blr?[[:space:]]|lda?xr|cas|swp|ldadd|ldset|stlr)}}
// CHECK:       {{[[:space:]]ret}}
void arms_on_an_inplace_slot(cancel::stop_slot<cancel::inplace_stop_token> &slot, int &stopped) {
  cancel::stop_guard guard(slot, [&] { stopped = 1; });
  asm volatile(COMMENT " the await" ::: "memory");
}

// Here the slow path's call may stand in between, behind a branch: whether the token's state is
// likely to be stopped is the standard library's to say.
// CHECK-LABEL: {{^}}arms_on_a_std_slot:
// X86-NOT:     {{[[:space:]](lock|xchg|.fence)}}
// AARCH64-NOT: {{[[:space:]](dmb|lda?xr|cas|swp|ldadd|ldset)}}
// CHECK:       the await
// X86-NOT:     {{[[:space:]](lock|xchg|.fence)}}
// AARCH64-NOT: {{[[:space:]](dmb|lda?xr|cas|swp|ldadd|ldset)}}
// CHECK:       {{[[:space:]]ret}}
void arms_on_a_std_slot(cancel::stop_slot<std::stop_token> &slot, int &stopped) {
  cancel::stop_guard guard(slot, [&] { stopped = 1; });
  asm volatile(COMMENT " the await" ::: "memory");
}

// A helper whose caller has the slot: neither finding it, nor arming on it, nor leaving it locks
// anything. The slow paths' calls may stand in between, behind a branch.
// CHECK-LABEL: {{^}}helps_below_a_slot:
// X86-NOT:     {{[[:space:]](lock|xchg|.fence)}}
// AARCH64-NOT: {{[[:space:]](dmb|lda?xr|cas|swp|ldadd|ldset)}}
// CHECK:       the await
// X86-NOT:     {{[[:space:]](lock|xchg|.fence)}}
// AARCH64-NOT: {{[[:space:]](dmb|lda?xr|cas|swp|ldadd|ldset)}}
// CHECK:       {{[[:space:]]ret}}
void helps_below_a_slot(std::coroutine_handle<helper_promise> helper,
                        const cancel::inplace_stop_token &token, int &stopped) {
  auto request = cancel::slot_for(token);
  request.await_suspend(helper);
  auto &&slot = request.await_resume();
  cancel::stop_guard guard(slot, [&] { stopped = 1; });
  asm volatile(COMMENT " the await" ::: "memory");
}

} // extern "C"
