# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs clang-tidy over one program and compares: the reported lines with the marked ones, or the fixed program with a
# compiler's opinion of it. lit.cfg.py says how tests call it.
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

CHECK_LINE = re.compile(r"^// [A-Z]+(-NEXT|-NOT|-SAME|-LABEL|-DAG|-COUNT-\d+)?:.*$", re.MULTILINE)


class Failed(Exception):
    pass


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def clang_tidy(args, source, *extra):
    # The configuration is given, or the project's own .clang-tidy would take part.
    return run(["clang-tidy", "--quiet", f"--load={args.load}", "--checks=-*,cancel-*", f"--config={args.config}",
                *extra, source, "--", *args.compiler_flags])


def reported_lines(output, source):
    place = re.compile(rf"^{re.escape(str(source))}:(\d+):\d+: (?:warning|error): ", re.MULTILINE)
    return [int(line) for line in place.findall(output)]


def flags(args):
    """Every line marked FLAG is reported once; nothing else is."""
    lines = args.source.read_text().splitlines()
    output = clang_tidy(args, args.source)
    reported = reported_lines(output, args.source)
    marked = [number for number, text in enumerate(lines, 1) if re.search(r"// FLAG\b", text)]
    if reported != marked:
        difference = difflib.unified_diff([f"{n}: {lines[n - 1].strip()}" for n in marked],
                                          [f"{n}: {lines[n - 1].strip()}" for n in reported],
                                          "marked", "reported", lineterm="", n=0)
        raise Failed("\n".join([f"{args.source}: marked and reported lines differ", *difference, output]))


def fixed(args):
    """After --fix the program compiles and nothing that has a fix is left."""
    # FileCheck reads the result, which must not contain the very lines to look for.
    before = CHECK_LINE.sub("//", args.source.read_text())
    args.output.write_text(before)
    output = clang_tidy(args, args.output, "--fix", "--format-style=none")
    after = args.output.read_text()
    if after == before:
        raise Failed(f"{args.source}: --fix changed nothing\n{output}")
    try:
        run(["clang++", "-fsyntax-only", "-Werror", *args.compiler_flags, args.output])
        left = clang_tidy(args, args.output)
    except Failed as reason:
        raise Failed(f"the fixed program is wrong: {reason}\n{after}")
    if reported_lines(left, args.output):
        raise Failed(f"the fixed program is still reported:\n{left}\n{after}")


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["flags", "fixed"])
    parser.add_argument("--load", required=True)
    parser.add_argument("--config", default="{}")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    args = parser.parse_args(sys.argv[1:split])
    args.compiler_flags = sys.argv[split + 1:]
    try:
        {"flags": flags, "fixed": fixed}[args.mode](args)
    except Failed as reason:
        sys.exit(str(reason))


main()
