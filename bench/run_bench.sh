#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a micro benchmark with every compiler it was built with.
# usage: run_bench.sh BUILD-DIRECTORY [NAME [GOOGLE-BENCHMARK-OPTION...]]
set -euo pipefail

bin=$1/bin
name=${2:-await}
[[ $name == await ]] || { echo "run_bench.sh: no benchmark '$name'; there is: await" >&2; exit 2; }

for program in "$bin"/await_loop_bench{,-second}; do
  [[ -x $program ]] || continue
  echo "running $(basename "$program"), about 15 seconds"
  "$program" "${@:3}"
  echo
done
