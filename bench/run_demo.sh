#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shows what cancel-migrate makes of a real program, then what that is worth.
# usage: run_demo.sh BUILD-DIRECTORY
set -euo pipefail

build=$1
here=$(dirname "${BASH_SOURCE[0]}")
heading() { printf '\n\033[1m%s\033[0m\n\n' "$*"; }

heading "What cancel-migrate makes of bench/programs/gateway"
copy=$build/bench/programs/gateway/before # with a compilation database of its own
status=0
"$build"/bin/cancel-migrate -p "$copy" "$copy" || status=$?
if ((status != 1)); then
  echo "run_demo.sh: cancel-migrate ended with $status, expected findings (1)" >&2
  exit 1
fi

heading "The gateway, before and after, under the same load"
python3 "$here"/compare_gateways.py "$build"/bin/gateway{,-after} "$build"/bin/gateway-client

heading "One turn of an await loop"
"$here"/run_bench.sh "$build" await
