#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs one of the benchmarks, those of code with every compiler that it was built with.
# usage: run_bench.sh BUILD-DIRECTORY [NAME [OPTION...]]; options are Google Benchmark's, or the script's
set -euo pipefail

bin=$1/bin
name=${2:-await}

case $name in
  await)
    for program in "$bin"/{await_loop,session}_bench{,-second}; do
      [[ -x $program ]] || continue
      echo "running $(basename "$program"), about 15 seconds"
      "$program" "${@:3}"
      echo
    done ;;
  runtime) exec python3 "$(dirname "${BASH_SOURCE[0]}")"/runtime_table.py "$1" "${@:3}" ;;
  migrate) exec python3 "$(dirname "${BASH_SOURCE[0]}")"/migrate_table.py "$1" "${@:3}" ;;
  *) echo "run_bench.sh: no benchmark '$name'; there are: await, runtime, migrate" >&2; exit 2 ;;
esac
