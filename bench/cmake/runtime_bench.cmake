# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# runtime_bench: what each part of the runtime costs; with g++, with the second compiler, and with that
# one's own standard library, linked statically so that it need not match an installed shared one.

find_path(CANCEL_ASIO_INCLUDE_DIR asio/cancellation_signal.hpp DOC "Where standalone Asio is")
if(NOT CANCEL_ASIO_INCLUDE_DIR)
  message(STATUS "asio not found: no runtime_bench")
  return()
endif()

set(questions poll token register guard await helper cancel stop stop_slots resume)
list(TRANSFORM questions PREPEND runtime_)
list(TRANSFORM questions APPEND _bench.cpp)

# Google Benchmark stays behind an interface that knows no standard library.
add_library(runtime_bench_driver SHARED runtime_driver.cpp)
target_compile_options(runtime_bench_driver PRIVATE ${CANCEL_WARNINGS})
target_compile_features(runtime_bench_driver PRIVATE cxx_std_20)
target_link_libraries(runtime_bench_driver PRIVATE benchmark::benchmark)

add_executable(runtime_bench runtime_bench.cpp ${questions})
target_compile_options(runtime_bench PRIVATE ${CANCEL_WARNINGS})
target_compile_definitions(runtime_bench PRIVATE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(runtime_bench PRIVATE cancel::cancel runtime_bench_driver)
set(runtime_benches runtime_bench)

set(driver $<TARGET_FILE:runtime_bench_driver> -Wl,-rpath,$<TARGET_FILE_DIR:runtime_bench_driver>)
second_compiler_executable(runtime_bench runtime_benches LINK ${driver} DEPENDS runtime_bench_driver)

if(CANCEL_SECOND_CXX)
  execute_process(COMMAND ${CANCEL_SECOND_CXX} -print-file-name=libc++.a
                  OUTPUT_VARIABLE libcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS ${libcxx})
    # Hidden, because libstdc++ comes with the driver.
    second_compiler_executable(runtime_bench runtime_benches SUFFIX libcxx
      COMPILE_OPTIONS -stdlib=libc++
      LINK ${driver} -nostdlib++ -Wl,-Bstatic -lc++ -lc++abi -Wl,-Bdynamic -Wl,--exclude-libs,ALL
      DEPENDS runtime_bench_driver)
  endif()
endif()

# Each row once: that it works, not how fast.
foreach(program IN LISTS runtime_benches)
  string(REPLACE runtime_bench runtime test ${program})
  add_test(NAME ${CANCEL_TEST_PREFIX}bench.${test}
    COMMAND ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${program} --benchmark_min_time=0.000001)
  list(APPEND tests ${CANCEL_TEST_PREFIX}bench.${test})
endforeach()
add_custom_target(runtime-bench DEPENDS ${runtime_benches})
