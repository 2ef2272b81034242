# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How fast a coroutine is depends on the compiler more than most code does, so the micro benchmarks are
# built by another one as well. CMake has one compiler per language and build, hence the rules by hand.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(CANCEL_SECOND_CXX NAMES clang++-22 clang++-19 clang++
               DOC "Builds the micro benchmarks a second time")
endif()

# second_compiler_executable(<target> <list> [SUFFIX <suffix>] [COMPILE_OPTIONS <option>...]
#                            [LINK <library or option>...] [DEPENDS <target>...])
#
# Builds the sources of <target> with CANCEL_SECOND_CXX into <target>-<suffix> ("second" by default), in
# the same place and with the same optimization, and appends the name of that target to <list>. The
# target's usage requirements are taken from cancel::cancel; it is linked with LINK,
# benchmark::benchmark by default. Without a second compiler it does nothing.
function(second_compiler_executable target list)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SUFFIX" "COMPILE_OPTIONS;LINK;DEPENDS")
  if(NOT CANCEL_SECOND_CXX)
    return()
  endif()
  if(NOT arg_SUFFIX)
    set(arg_SUFFIX second)
  endif()
  if(NOT arg_LINK)
    set(arg_LINK $<TARGET_FILE:benchmark::benchmark>)
  endif()
  set(name ${target}-${arg_SUFFIX})
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
  list(APPEND flags -std=c++20 ${CANCEL_WARNINGS} -I${PROJECT_SOURCE_DIR}/runtime/include
       ${arg_COMPILE_OPTIONS})
  get_target_property(target_definitions ${target} COMPILE_DEFINITIONS)
  if(target_definitions)
    list(TRANSFORM target_definitions PREPEND -D)
    list(APPEND flags ${target_definitions})
  endif()

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
    string(SHA1 object ${source})
    string(SUBSTRING ${object} 0 8 object)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}/${object}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CANCEL_SECOND_CXX} ${flags} ${definitions}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Building ${source} for ${name}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})

  set(executable ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  add_custom_command(
    OUTPUT ${executable}
    COMMAND ${CANCEL_SECOND_CXX} ${objects} ${arg_LINK} -pthread -o ${executable}
    DEPENDS ${objects} ${arg_DEPENDS}
    COMMENT "Linking ${executable}"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${executable})
  set(${list} ${${list}} ${name} PARENT_SCOPE)
endfunction()
