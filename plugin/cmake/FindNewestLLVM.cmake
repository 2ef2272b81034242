# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the LLVM and Clang to build against: CANCEL_LLVM if set, else the newest installed of 22 to 19.
# The version is checked after the search: find_package(LLVM 22) would refuse 22.1.8, whose config file asks for 22.1.

set(_candidates ${CANCEL_LLVM})
if(NOT _candidates)
  set(_candidates 22 21 20 19)
endif()
foreach(_major IN LISTS _candidates)
  if(NOT _major MATCHES "^(19|20|21|22)$")
    message(FATAL_ERROR "CANCEL_LLVM=${_major}: supported are LLVM 19 to 22")
  endif()
  find_package(Clang QUIET CONFIG PATHS /usr/lib/llvm-${_major}/lib/cmake/clang
               /usr/local/lib/llvm-${_major}/lib/cmake/clang NO_DEFAULT_PATH)
  if(Clang_FOUND)
    break()
  endif()
endforeach()
if(NOT Clang_FOUND) # An LLVM elsewhere: CMAKE_PREFIX_PATH or Clang_DIR says where.
  find_package(Clang QUIET CONFIG)
endif()
if(NOT Clang_FOUND)
  list(JOIN _candidates ", " _wanted)
  message(FATAL_ERROR "No LLVM ${_wanted} with development files found. Run './dev setup', set Clang_DIR, "
                      "or configure with -DCANCEL_BUILD_TOOLS=OFF for the runtime alone.")
endif()
list(GET _candidates 0 _newest)
if(CANCEL_LLVM AND NOT LLVM_VERSION_MAJOR EQUAL CANCEL_LLVM)
  message(FATAL_ERROR "CANCEL_LLVM=${CANCEL_LLVM}, but ${Clang_DIR} is LLVM ${LLVM_PACKAGE_VERSION}")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# One interface for all that sees Clang. Debian builds Clang as two shared libraries; other builds give
# the component libraries.
add_library(cancel_clang INTERFACE)
target_include_directories(cancel_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(cancel_clang INTERFACE ${_definitions})
# GCC 12 sees overflows and null pointers in inlined headers that are not there (its bugs 105329 and 105651, for example).
target_compile_options(cancel_clang INTERFACE ${CANCEL_WARNINGS} -Wno-unused-parameter
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-restrict;-Wno-array-bounds;-Wno-nonnull>
                       $<$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>:-fno-rtti> -fno-exceptions)
target_compile_features(cancel_clang INTERFACE cxx_std_20)
add_library(cancel_clang_link INTERFACE) # what an executable links, once
if(TARGET clang-cpp)
  target_link_libraries(cancel_clang_link INTERFACE cancel_clang clang-cpp LLVM)
else()
  llvm_map_components_to_libnames(_llvm support frontendopenmp option targetparser AllTargetsInfos)
  target_link_libraries(cancel_clang_link INTERFACE cancel_clang clangTooling clangToolingInclusions clangIndex
                        clangFormat clangAnalysis clangFrontend clangDriver clangAST clangLex clangBasic ${_llvm})
endif()
get_filename_component(CANCEL_RESOURCE_DIR "${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}" REALPATH)
