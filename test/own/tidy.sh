#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy with the module just built, over every source of the tools and the headers of the runtime.
# usage: tidy.sh LLVM-BIN BUILD-DIRECTORY
set -euo pipefail
llvm=$1 build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The build's commands are g++'s: clang knows neither its precompiled headers nor all of its warnings.
"$llvm"/clang-tidy --load "$build"/lib/CancelTidy.so --verify-config --config-file "$here"/.clang-tidy
mapfile -t sources < <(git -C "$here" ls-files 'plugin/*.cpp' 'rewriter/*.cpp' 'test/runtime/stop_guard_test.cpp')
"$llvm"/run-clang-tidy -quiet -j "$(nproc)" -p "$build" -load "$build"/lib/CancelTidy.so \
  -clang-tidy-binary "$llvm"/clang-tidy -config-file "$here"/.clang-tidy \
  -extra-arg=-Wno-unknown-warning-option -extra-arg=-Wno-ignored-gch \
  $(printf '^%s$ ' "${sources[@]/#/$here/}")
