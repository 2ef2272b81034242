# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Other compilers than the one that builds the tests: which of them are here, and for what.

set(compiler_probe ${CMAKE_CURRENT_BINARY_DIR}/probe.cpp)
file(WRITE ${compiler_probe} "#include <stop_token>\n#include <cerrno>\nint main() { std::stop_source(); }\n")

# gcc-multilib, which says where asm/ is for 32 bits, excludes the cross compilers; hence the directory.
set(bits32 -m32 -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})

# Sets `command` to the compiler with the options, or to nothing, and then says why.
function(cancel_find_compiler name program)
  set(command "" PARENT_SCOPE)
  string(MAKE_C_IDENTIFIER CANCEL_COMPILER_${program} variable)
  find_program(${variable} ${program})
  if(NOT ${variable})
    message(STATUS "runtime, ${name}: ${program} not found: not tested")
    return()
  endif()
  execute_process(COMMAND ${${variable}} ${ARGN} -c ${compiler_probe} -o ${CMAKE_CURRENT_BINARY_DIR}/probe.o
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    string(JOIN " " options ${ARGN})
    message(STATUS "runtime, ${name}: ${program} does not build for '${options}' here: not tested")
    return()
  endif()
  set(command ${${variable}} ${ARGN} PARENT_SCOPE)
endfunction()
