#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the runtime with every compiler it was built with, and prints one table.

usage: runtime_table.py BUILD-DIRECTORY [GOOGLE-BENCHMARK-OPTION...]

Writes BUILD-DIRECTORY/bench/runtime.json: Google Benchmark's own output of each build. A row's figure is the
median over its repetitions, which are run in random order; the spread is the middle half of them, as a part of
the median. "ratio" is how many times less than the first row marked * of its question a row takes.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = ["runtime_bench", "runtime_bench-second", "runtime_bench-libcxx"]
OPTIONS = [
    "--benchmark_enable_random_interleaving=true",
    "--benchmark_repetitions=7",
    "--benchmark_min_time=0.03",
    "--benchmark_out_format=json",
]

LOOP, LOOP_2 = "await loop", "await loop, 2 threads, one source"
REGISTER = "register and deregister"
REGISTER_2 = "register and deregister, 2 threads, one source"
STOP, WHOLE = "stop 1000, each", "create, register, stop, destroy"
HELPERS, HELPERS_2 = "call 3 helpers", "call 3 helpers, 2 threads, one source"
POLL, POLL_BUSY = "poll", "poll while another thread registers"
SHUFFLED = "resume 100000 shuffled, each"
STD = "std::stop_callback"


def at_most(text, limit):
    return text, lambda value, of: value <= limit(of)


def added_below(times):
    """What a loop adds to the bare one, against what std::stop_callback adds."""
    return (f"adds at most 1/{times} of std",
            lambda value, of: times * (value - of(LOOP, "bare")) <= of(LOOP, STD) - of(LOOP, "bare"))


def beside_turned():
    return at_most("bare + 1.2", lambda of: of(LOOP, "bare") + 1.2)


def beside_shared(question):
    return at_most("two exchanges + 1.5", lambda of: of(question, "bound: two exchanges") + 1.5)


def beside_bare_helpers(question):
    return [at_most("bare + 4 for each of 3", lambda of: of(question, "bare") + 12),
            ("adds at most 1/10 of std", lambda value, of:
                10 * (value - of(question, "bare")) <= of(question, STD) - of(question, "bare"))]


def half_of_std():
    return at_most("1/2 of std", lambda of: of(REGISTER_2, STD) / 2)


# The numbers to reach: (question, row) -> [(text, met(value, of))], where of(question, row) gives another row's figure.
GOALS = {
    (LOOP, "slot, inplace, asymmetric"): [beside_turned(), added_below(30)],
    (LOOP, "slot, inplace, adaptive"): [beside_turned(), added_below(30)],
    (LOOP, "slot, std, asymmetric"): [beside_turned(), added_below(30)],
    (LOOP, "slot, std, adaptive"): [beside_turned(), added_below(30)],
    (LOOP, "slot, inplace, shared"): [beside_shared(LOOP)],
    (LOOP, "slot, std, shared"): [beside_shared(LOOP)],
    (LOOP_2, "slot, inplace, shared"): [beside_shared(LOOP_2)],
    (LOOP_2, "slot, std, shared"): [beside_shared(LOOP_2)],
    (HELPERS, "slot_for and guard, std"): beside_bare_helpers(HELPERS),
    (HELPERS, "slot_for and guard, inplace"): beside_bare_helpers(HELPERS),
    (HELPERS_2, "slot_for and guard, std"): beside_bare_helpers(HELPERS_2),
    (HELPERS_2, "slot_for and guard, inplace"): beside_bare_helpers(HELPERS_2),
    (WHOLE, "stop_frame, shared"): [
        at_most("24", lambda of: 24),
        at_most("1/17.5 of std", lambda of: of(WHOLE, "std::stop_source") / 17.5)],
    (STOP, "idle slot, inplace, shared"): [at_most("6", lambda of: 6)],
    (STOP, "idle slot, inplace, turned"): [at_most("6", lambda of: 6)],
    (STOP, "armed slot, inplace, shared"): [at_most("20", lambda of: 20)],
    (STOP, "armed slot, inplace, turned"): [at_most("20", lambda of: 20)],
    (REGISTER_2, "inplace_stop_callback"): [half_of_std()],
    (REGISTER_2, "slot and guard, inplace, adaptive"): [half_of_std()],
    (REGISTER_2, "inplace_stop_callback, sharded"): [
        half_of_std(),
        at_most("1.15 of 1 thread", lambda of: 1.15 * of(REGISTER, "inplace_stop_callback, sharded"))],
    (POLL_BUSY, "cancel::stop_token"): [at_most("1.2 of quiet", lambda of: 1.2 * of(POLL, "cancel::stop_token"))],
    (POLL_BUSY, "inplace_stop_token"): [at_most("1.2 of quiet", lambda of: 1.2 * of(POLL, "inplace_stop_token"))],
    (SHUFFLED, "resume_all, 8 ahead"): [
        at_most("0.7 of unfetched", lambda of: 0.7 * of(SHUFFLED, "resume_all, nothing fetched"))],
}


def measure(program, options):
    print(f"running {program.name}, about two minutes", file=sys.stderr, flush=True)
    with tempfile.NamedTemporaryFile() as output:
        subprocess.run([program, *OPTIONS, f"--benchmark_out={output.name}", *options],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.load(output)


def rows_of(measured):
    """(question, row) -> CPU nanoseconds of each repetition, per turn and thread; in the table's order."""
    found = {}
    for run in sorted(measured["benchmarks"], key=lambda run: run["family_index"]):
        if run["run_type"] == "iteration":
            question, row = run["run_name"].split("/threads:")[0].split(": ", 1)
            found.setdefault((question, row), []).append(run["cpu_time"])
    return found


def spread(values):
    if len(values) < 4:
        return ""
    low, _, high = statistics.quantiles(values, n=4)
    return f"±{50 * (high - low) / statistics.median(values):.0f}%"


def base_of(question, rows):
    """The row that the others of a question are compared with: std's, else the first."""
    names = [name for asked, name in rows if asked == question]
    return next((name for name in names if name.startswith("std::")), names[0])


def cells(key, question_base, rows):
    if key not in rows:
        return f"{'':23}"
    value = statistics.median(rows[key])
    base = rows.get((key[0], question_base))
    ratio = f"{statistics.median(base) / value:.1f}" if base and key[1] != question_base else ""
    return f"{value:9.2f} {spread(rows[key]):>6} {ratio:>6}"


def verdicts(key, builds):
    for text, met in GOALS.get(key, []):
        answers = []
        for rows in builds:
            try:
                value = statistics.median(rows[key])
                good = met(value, lambda question, row: statistics.median(rows[question, row]))
                answers.append("met" if good else "missed")
            except KeyError:  # filtered out
                answers.append("-")
        yield f"{text}: {' '.join(answers)}"


def print_table(results):
    builds = [rows_of(measured) for measured in results.values()]
    keys = list(dict.fromkeys(key for rows in builds for key in rows))
    print(f"{'CPU ns per turn and thread':44}" + "".join(f" | {measured['context']['built_by']:>23}" for measured in results.values()))
    print(f"{'':44}" + f" | {'median':>9} {'spread':>6} {'ratio':>6}" * len(builds) + " | to reach")
    asked = None
    for key in keys:
        question, row = key
        base = base_of(question, keys)
        if question != asked:
            print(f"\n{question}")
            asked = question
        mark = " *" if row == base else ""
        goals = list(verdicts(key, builds)) or [""]
        print(f"  {row + mark:42}" + "".join(" | " + cells(key, base, rows) for rows in builds) + f" | {goals[0]}".rstrip())
        for goal in goals[1:]:
            print(f"{'':44}" + f" | {'':23}" * len(builds) + f" | {goal}")


def main():
    build, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    programs = [build / "bin" / name for name in PROGRAMS if (build / "bin" / name).exists()]
    if not programs:
        sys.exit("runtime_table.py: runtime_bench is not built")
    results = {program.name: measure(program, options) for program in programs}
    (build / "bench" / "runtime.json").write_text(json.dumps(results, indent=1))
    print_table(results)


if __name__ == "__main__":
    main()
