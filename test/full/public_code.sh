#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Applies cancel-migrate to copies of public code bases: each must still build and pass its own tests, a second run must change
# nothing, and --undo must give every byte back.
# usage: CANCEL_PUBLIC_CODE=DIRECTORY public_code.sh CANCEL-MIGRATE
#
# Neither the code nor how it is built belongs to this repository, and nothing is downloaded. DIRECTORY holds, for each code base,
# a git work tree NAME and a file NAME.recipe, a piece of bash that says:
#   commit=HASH              what is tested
#   packages=(PACKAGE...)    the Debian packages that it needs
#   port() { ... }           optional: changes to the copy, in which it runs, so that it builds with what Debian has
#   configure() { ... }      makes "$build" from "$source", with compile_commands.json; flags that it needs are in CXXFLAGS
#   build() { ... }          builds it in "$build", tests included
#   run_tests() { ... }      fails if one of its tests fails
#   arguments=(ARGUMENT...)  optional: for cancel-migrate, where Clang does not accept all that the code base's compiler does
# "$checkouts" is DIRECTORY. Exits with 77, which is not a pass, where one is missing or there are fewer than four.
set -euo pipefail
skipped=77
tool=$(realpath "$1")
repository=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
checkouts=${CANCEL_PUBLIC_CODE:-}
if [[ -z $checkouts ]]; then
  echo "skipped: CANCEL_PUBLIC_CODE names no directory with checkouts of public code; see the head of $0"
  exit $skipped
fi
checkouts=$(realpath "$checkouts")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cancel-public.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

skip() { # REASON
  echo "$name: skipped: $1"
  exit $skipped
}

fail() { # WHAT
  echo "$name: FAILED: $1"
  tail -n 60 "$log" | sed 's/^/    /'
  exit 1
}

# In a process of its own that is waited for, because what stands before || runs without errexit.
step() { # WHAT COMMAND...
  (set -e; "${@:2}") >>"$log" 2>&1 &
  wait $! || fail "$1"
}

# Does a step and puts the processor seconds that it took into the variable NAME.
timed() { # NAME WHAT COMMAND...
  local TIMEFORMAT='%U %S' took
  { time step "${@:2}"; } 2>"$copy/time"
  took=$(awk '{ printf "%.2f", $1 + $2 }' "$copy/time")
  printf -v "$1" %s "$took"
}

migrate() { # EXIT-CODES ARGUMENT...
  local code=0
  (cd "$source" && "$tool" -p "$build" --cache-dir "$copy/cache" --state-dir "$copy/state" \
    "${arguments[@]}" "${@:2}") >"$copy/out" 2>"$copy/report" || code=$?
  cat "$copy/report"
  [[ $code == [$1] ]]
}

# Every file of the copy: its name, its permissions and its content.
fingerprint() {
  (cd "$source" && find . -path ./.git -prune -o -type f -printf '%m %p\0' | sort -z | sha256sum &&
    find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum
}

number() { # WHAT: the number before that word in the report
  sed -n -E "s/^(.*[ :])?([0-9]+) $1.*/\2/p" "$copy/report" | tail -n 1
}

# Runs in a process of its own, with errexit in force.
check() { # NAME
  name=$1 copy=$scratch/$1 log=$scratch/$1/log source=$scratch/$1/source build=$scratch/$1/build
  mkdir -p "$copy"
  local package original proposed applied before first again
  local commit="" packages=() arguments=()
  # shellcheck source=/dev/null
  . "$checkouts/$name.recipe"
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || skip "needs the package $package"
  done
  git -C "$checkouts/$name" cat-file -e "$commit^{commit}" 2>/dev/null || skip "no checkout with commit $commit in $checkouts"

  git -C "$checkouts" clone -q --no-checkout "$checkouts/$name" "$source" >"$log" 2>&1 || fail "git clone"
  cd "$source"
  git checkout -q "$commit"
  if declare -F port >/dev/null; then
    step "port" port
    git add -A
    git -c user.name=test -c user.email=test@localhost commit -q -m "Port"
  fi
  export CXXFLAGS="-I$repository/runtime/include"
  step "its configuration" configure
  timed before "its build, before" build
  step "its tests, before" run_tests

  original=$(fingerprint)
  timed first "cancel-migrate" migrate 01
  local units findings rewritten refused
  units=$(number 'translation units?') findings=$(number 'findings?')
  rewritten=$(number 'to be rewritten') refused=$(number refused)
  [[ $(fingerprint) == "$original" ]] || fail "the preview writes"
  if [[ -s $copy/out ]]; then
    step "git takes the patch" git apply "$copy/out"
    proposed=$(fingerprint)
    git checkout -q .
  else
    proposed=$original
  fi
  timed again "--apply" migrate 01 --apply
  applied=$(fingerprint)
  [[ $applied == "$proposed" ]] || fail "--apply writes something else than the preview proposes"
  if [[ $applied != "$original" ]]; then
    step "its build, after" build
    step "its tests, after" run_tests
  fi
  step "the second --apply" migrate 01 --apply --allow-dirty
  [[ $(fingerprint) == "$applied" ]] || fail "the second --apply changes something"
  [[ $applied == "$original" ]] || step "--undo" migrate 0 --undo
  [[ $(fingerprint) == "$original" && -z $(git status --porcelain) ]] || fail "--undo does not give every byte back"

  step "with WarnOutsideLoops" migrate 01 --analysis-only \
    --check-option=cancel-callback-across-suspend.WarnOutsideLoops=true
  echo "$name: $units units, $findings findings: $rewritten rewritten, $refused refused;" \
    "$(($(number 'findings?') - findings)) registrations outside loops;" \
    "processor seconds: its build $before, cancel-migrate $first, again $again"
}

shopt -s nullglob
tested=0 failed=0 missing=0
for recipe in "$checkouts"/*.recipe; do
  set +e
  (set -e; check "$(basename "$recipe" .recipe)")
  status=$?
  set -e
  case $status in
    0) tested=$((tested + 1)) ;;
    "$skipped") missing=$((missing + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
  rm -rf "${scratch:?}"/*
done
((failed == 0)) || exit 1
if ((tested < 4 || missing != 0)); then
  echo "skipped: $tested code bases tested, of at least 4; $missing missing"
  exit $skipped
fi
