#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures cancel-migrate over a generated tree, beside Clang alone over the same units.

usage: migrate_table.py BUILD-DIRECTORY [OPTION...]

Writes BUILD-DIRECTORY/bench/migrate.json and prints a table. What is compared with each other runs in turn, over one
shard of the tree after the other; a ratio is the median over the shards, its spread the range. The ratio of CPU times
says what the ratio of times would be if nothing else used the machine's processors.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCES = pathlib.Path(__file__).resolve().parent
SHARDS = 8


@dataclasses.dataclass
class Run:
    """What a command took, its children included; the peak memory is its own, in MiB."""
    wall: float
    cpu: float
    peak: float
    errors: str


def run(command, work_directory, accepted=(0,), stdin=subprocess.DEVNULL):
    with tempfile.TemporaryFile("w+") as errors:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=work_directory, stdin=stdin, stdout=subprocess.DEVNULL, stderr=errors)
        peak = 0
        while True:
            peak = max(peak, peak_of(process.pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.02)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()
    if process.returncode not in accepted:
        sys.exit(f"migrate_table.py: {' '.join(map(str, command))}: exit code {process.returncode}\n{said}")
    return Run(wall, usage.ru_utime + usage.ru_stime, peak, said)


def peak_of(pid):
    """wait4 would give the largest of the process and its children."""
    with open(f"/proc/{pid}/status") as status:
        return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:")), 0)


class Bench:
    def __init__(self, options):
        self.options = options
        self.tool = options.build.resolve() / "bin" / "cancel-migrate"
        self.clang = clang_of(options.build)
        self.tree = options.build.resolve() / "bench" / "migrate"
        shutil.rmtree(self.tree, ignore_errors=True)
        generate = [sys.executable, SOURCES / "migrate" / "generate.py", self.tree]
        for name in ("units", "headers", "findings", "calculations", "seed"):
            generate += [f"--{name}", str(getattr(options, name))]
        run(generate, "/")
        self.database = json.loads((self.tree / "build" / "compile_commands.json").read_text())
        self.expected = json.loads((self.tree / "build" / "tree.json").read_text())
        help_text = subprocess.run([self.tool, "--help"], capture_output=True, text=True, check=True).stdout
        self.every_unit = ["--no-prescan"] if "--no-prescan" in help_text else []

    def units(self, name, chosen):
        """A build directory whose database holds only the chosen commands."""
        directory = self.tree / name
        directory.mkdir(exist_ok=True)
        (directory / "compile_commands.json").write_text(json.dumps(chosen))
        return directory

    def parse(self, commands):
        """Clang alone."""
        if not commands:
            return Run(0, 0, 0, "")
        build = self.tree / "build"
        with tempfile.TemporaryFile() as names:
            names.write(b"".join(command["file"].encode() + b"\0" for command in commands))
            names.seek(0)
            flags = commands[0]["arguments"][1:-2]  # but for their spelling the same everywhere
            return run(["xargs", "-0", "-n1", f"-P{self.options.jobs}", self.clang, "-fsyntax-only", *flags],
                       build, stdin=names)

    def migrate(self, build, *arguments):
        runtime = SOURCES.parent / "test" / "rewriter" / "Inputs" / "runtime"
        return run([self.tool, *arguments, "-p", build, f"-j{self.options.jobs}", "--runtime", runtime],
                   self.tree, accepted=(0, 1))

    def collect(self, build, *arguments):
        return self.migrate(build, "collect", "-o", build / "facts", "--no-cache", *arguments)

    def whole(self, build):
        """With the cache of this build directory."""
        return self.migrate(build, "--patch", build / "patch", "--cache-dir", build / "cache", *self.every_unit)

    def affected(self, commands):
        """Those that see a file which would be edited."""
        affected = set(self.expected["affected units"])
        return [c for c in commands if int(re.search(r"unit_(\d+)", c["file"])[1]) in affected]

    def shards(self):
        chosen = self.database[:self.options.shard_units]
        size = -(-len(chosen) // SHARDS)
        for i, begin in enumerate(range(0, len(chosen), size)):
            commands = chosen[begin:begin + size]
            progress(f"shard {i + 1} of {SHARDS}, {len(commands)} units")
            build = self.units(f"shard_{i}", commands)
            tasks = [("parse", lambda: self.parse(commands)),
                     ("parse affected", lambda: self.parse(self.affected(commands))),
                     ("collect", lambda: self.collect(build, *self.every_unit)),
                     ("whole", lambda: self.whole(build))]
            if self.every_unit:
                tasks.append(("collect, pre-scan", lambda: self.collect(build)))
            yield {name: task() for name, task in (tasks if i % 2 else reversed(tasks))}

    def growth(self):
        """Of each size: units, parses, and the run with an empty cache."""
        for part in (4, 2, 1):
            commands = self.database[:max(1, len(self.database) // part)]
            progress(f"cold run over {len(commands)} units")
            parses = len(commands) + len(self.affected(commands))
            yield len(commands), parses, self.whole(self.units(f"first_{len(commands)}", commands))

    def warm(self):
        """Runs with the cache of the whole tree: name, run, units that were and that should be analysed anew."""
        build = self.tree / f"first_{len(self.database)}"
        for _ in range(3):
            yield "nothing touched", self.whole(build), 0
        readers = self.expected["readers"]
        source = next(path for path in readers if path.startswith("src/"))
        header = min((path for path in readers if "record" in path and readers[path]),
                     key=lambda path: abs(readers[path] - max(3, len(self.database) / 50)))
        for path in (source, header):
            with open(self.tree / path, "a") as file:
                file.write("// touched\n")
            yield f"{path} touched", self.whole(build), readers[path]


def clang_of(build):
    """The compiler of the LLVM that the tool was built against."""
    cache = (build / "CMakeCache.txt").read_text()
    directory = re.search(r"^Clang_DIR:\w+=(.*)$", cache, re.MULTILINE)[1]
    return pathlib.Path(directory).parents[2] / "bin" / "clang++"


def progress(text):
    print(text, file=sys.stderr, flush=True)


def summary(said):
    """Units analysed anew; findings rewritten and refused."""
    units = re.search(r"^(\d+) translation units? analysed(?: \((\d+) unchanged)?", said, re.MULTILINE)
    findings = re.search(r"^\d+ findings?: (\d+) to be rewritten, (\d+) refused", said, re.MULTILINE)
    return int(units[1]) - int(units[2] or 0), int(findings[1]), int(findings[2])


def row(what, taken="", cpu="", ratio="", cpu_ratio="", goal="", met=None):
    verdict = "" if met is None else " met" if met else " missed"
    print(f"{what:46} | {taken:>9} | {cpu:>9} | {ratio:>19} | {cpu_ratio:>19} | {goal}{verdict}".rstrip(" |"))


def ranged(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def compare(shards, what, name, base, goal=None):
    """A row that compares two tasks, or a task and the sum of several."""
    def ratios(of):
        return [getattr(s[name], of) / sum(getattr(s[b], of) for b in base) for s in shards]
    row(what, f"{sum(s[name].wall for s in shards):.1f}", f"{sum(s[name].cpu for s in shards):.1f}",
        ranged(ratios("wall")), ranged(ratios("cpu")), f"at most {goal}" if goal else "",
        statistics.median(ratios("wall")) <= goal if goal else None)


def print_table(bench, shards, growth, warm):
    row("", "time, s", "CPU, s", "ratio", "CPU ratio", "to reach")
    for name, what in (("parse", "clang -fsyntax-only"), ("parse affected", "the same, affected units alone")):
        row(what, f"{sum(s[name].wall for s in shards):.1f}", f"{sum(s[name].cpu for s in shards):.1f}")
    compare(shards, "collect, to parsing", "collect", ["parse"], 1.2)
    if bench.every_unit:
        compare(shards, "collect with the pre-scan, to parsing", "collect, pre-scan", ["parse"])
    compare(shards, "whole cold run, to parsing and affected again", "whole", ["parse", "parse affected"], 1.2)
    first_units, first_parses, first = growth[0]
    for units, parses, cold in growth:
        ratio = cold.wall / parses / (first.wall / first_parses)
        cpu_ratio = cold.cpu / parses / (first.cpu / first_parses)
        is_largest = units == growth[-1][0]
        row(f"cold run over {units} units, a parse to that of {first_units}", f"{cold.wall:.1f}", f"{cold.cpu:.1f}",
            f"{ratio:.2f}", f"{cpu_ratio:.2f}", "at most 1.1" if is_largest else "", ratio <= 1.1 if is_largest else None)
    cold_units, _, cold = growth[-1]
    row("  peak memory of its coordinator, MiB", f"{cold.peak:.0f}", "", "", "", "below 500", cold.peak < 500)
    for what in dict.fromkeys(name for name, _, _ in warm):
        runs = [one for name, one, _ in warm if name == what]
        readers = next(count for name, _, count in warm if name == what)
        wall, cpu = (statistics.median(getattr(one, of) for one in runs) for of in ("wall", "cpu"))
        anew = summary(runs[-1].errors)[0]
        goal, met = ("below 2 %", wall < 0.02 * cold.wall)
        if readers:
            goal, met = (f"{readers} of {cold_units} anew, were {anew};", anew == readers)
        row(what, f"{wall:.2f}", f"{cpu:.2f}",
            f"{100 * wall / cold.wall:.2f} %", f"{100 * cpu / cold.cpu:.2f} %", goal, met)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--units", type=int, default=2000, help="200 for a glance")
    parser.add_argument("--headers", type=int, default=300)
    parser.add_argument("--findings", type=int, default=500)
    parser.add_argument("--calculations", type=int, default=24, help="what makes a unit large")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard-units", type=int, default=400, help="how many are compared with Clang alone")
    parser.add_argument("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    if not (options.build / "bin" / "cancel-migrate").exists():
        sys.exit("migrate_table.py: cancel-migrate is not built")

    bench = Bench(options)
    shards = list(bench.shards())
    growth = list(bench.growth())
    warm = list(bench.warm())
    results = {"jobs": options.jobs, "tree": {k: v for k, v in bench.expected.items() if k != "readers"},
               "shards": shards, "growth": growth, "warm": warm}
    (options.build / "bench" / "migrate.json").write_text(
        json.dumps(results, indent=1, default=lambda r: {"wall": r.wall, "cpu": r.cpu, "peak": r.peak}) + "\n")
    print_table(bench, shards, growth, warm)
    found, promised = summary(growth[-1][2].errors)[1:], (bench.expected["rewrite"], bench.expected["refuse"])
    wrong = [name for name, one, count in warm if summary(one.errors)[0] != count]
    if found != promised or wrong:
        sys.exit(f"migrate_table.py: the tree promised {promised} rewritten and refused, found were {found}; "
                 f"analysed anew were too many or too few with: {', '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
