# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# corpus.py TESTS DIRECTORY MIGRATE...: analyses every program below TESTS/checks and TESTS/rewriter/*/before with and
# without the pre-scan, and compares.
import json
import pathlib
import re
import subprocess
import sys

tests, directory, migrate = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
inputs = tests / "Inputs"
flags = ["-std=c++20", "-nostdinc++", "-isystem", inputs / "std", "-I", inputs, "-I", tests.parent / "runtime" / "include"]


def commands():
    for source in sorted(tests.glob("checks/**/*.cpp")):
        yield source, flags
    for before in sorted(tests.glob("rewriter/*/before")):
        for source in sorted(before.rglob("*.cpp")):
            yield source, [*flags, "-DWANTED", "-I", before, "-I", before / "include"]


def report(*options):
    done = subprocess.run([*migrate, "--no-cache", "--analysis-only", "-p", directory, *options,
                           "--check-option=cancel-callback-across-suspend.WarnOutsideLoops=true"],
                          capture_output=True, text=True)
    if done.returncode not in (1, 2):
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    lines = done.stderr.splitlines()
    counts = next(number for number, line in enumerate(lines) if " analysed" in line)
    failures = {line for line in lines[:counts] if line.startswith("error: ")}
    return [line for line in lines[:counts] if line not in failures], failures, lines[counts]


def main():
    directory.mkdir(parents=True, exist_ok=True)
    units = [{"directory": str(directory), "file": str(source), "arguments": ["c++", *map(str, words), "-c", str(source)]}
             for source, words in commands()]
    (directory / "compile_commands.json").write_text(json.dumps(units))
    full, full_failures, full_count = report("--no-prescan")
    findings, failures, count = report()

    if findings != full:
        sys.exit("\n".join(["the pre-scan changes the findings:", *(f"< {line}" for line in full if line not in findings),
                            *(f"> {line}" for line in findings if line not in full)]))
    if not failures <= full_failures:
        sys.exit("\n".join(["the pre-scan brings failures:", *sorted(failures - full_failures)]))
    skipped = re.search(r"(\d+) never mentions? what the checks look for", count)
    analysed = int(count.split()[0])
    if not skipped or analysed + int(skipped[1]) != len(units) or int(full_count.split()[0]) != len(units):
        sys.exit(f"of {len(units)} units: {count}; without the pre-scan: {full_count}")
    if len(full_failures - failures) > int(skipped[1]):
        sys.exit("\n".join(["more failures are gone than units are skipped:", *sorted(full_failures - failures)]))
    if sum("[cancel-callback-across-suspend]" in line for line in full) < 100:
        sys.exit(f"hardly anything is found at all:\n{full}")


main()
