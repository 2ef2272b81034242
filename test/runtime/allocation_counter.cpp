// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what is allocated. In a translation unit of its own, so that no compiler sees through it.
#include "allocation_counter.hpp"

#include <cstdlib>
#include <new>

thread_local std::size_t cancel_test::allocations = 0;
thread_local std::size_t cancel_test::last_allocated_size = 0;

namespace {

void *counted(std::size_t size, std::size_t alignment) {
  ++cancel_test::allocations;
  cancel_test::last_allocated_size = size;
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void *const memory = std::aligned_alloc(alignment, rounded ? rounded : alignment);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

} // namespace

void *operator new(std::size_t size) { return counted(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void *operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
