# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How fast a coroutine is depends on the compiler more than most code does, so the loops are built by
# another one as well. CMake has one compiler per language and build, hence the rules by hand.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(CANCEL_SECOND_CXX NAMES clang++-22 clang++-19 clang++
               DOC "Builds the micro benchmarks a second time")
endif()

# second_compiler_executable(<target> <list>)
#
# Builds the sources of <target> with CANCEL_SECOND_CXX into <target>-second, in the same place and
# with the same optimization, and appends the name of that target to <list>. The target's usage
# requirements are taken from cancel::cancel and benchmark::benchmark. Without a second compiler it
# does nothing.
function(second_compiler_executable target list)
  if(NOT CANCEL_SECOND_CXX)
    return()
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
  list(APPEND flags -std=c++20 ${CANCEL_WARNINGS} -I${PROJECT_SOURCE_DIR}/runtime/include)

  set(objects)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(NOT definitions)
      set(definitions)
    endif()
    list(TRANSFORM definitions PREPEND -D)
    cmake_path(ABSOLUTE_PATH source)
    string(SHA1 name ${source})
    string(SUBSTRING ${name} 0 8 name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}-second/${name}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CANCEL_SECOND_CXX} ${flags} ${definitions}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Building ${source} with ${CANCEL_SECOND_CXX}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}-second)

  set(executable ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${target}-second)
  add_custom_command(
    OUTPUT ${executable}
    COMMAND ${CANCEL_SECOND_CXX} ${objects} $<TARGET_FILE:benchmark::benchmark> -pthread
            -o ${executable}
    DEPENDS ${objects}
    COMMENT "Linking ${executable}"
    VERBATIM)
  add_custom_target(${target}-second ALL DEPENDS ${executable})
  set(${list} ${${list}} ${target}-second PARENT_SCOPE)
endfunction()
