# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# generated_tree.py GENERATE DIRECTORY MIGRATE...: generates a tree and compares what the tool says of it with tree.json.
import json
import pathlib
import re
import shutil
import subprocess
import sys

generate, directory, migrate = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
# A unit that mentions nothing would be skipped; here every one counts.
if "--no-prescan" in subprocess.run([migrate[0], "--help"], capture_output=True, text=True).stdout:
    migrate.append("--no-prescan")


def make(where, seed=1):
    subprocess.run([sys.executable, generate, where, "--units=12", "--headers=15", "--findings=12", "--calculations=1",
                    f"--seed={seed}"], check=True, stdout=subprocess.DEVNULL)
    return {file.relative_to(where): file.read_text() for file in where.rglob("*") if file.suffix in (".cpp", ".hpp")}


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}, expected were {expected}")


def run(*options):
    """The numbers that the summary names: units analysed anew, verified; findings rewritten, refused; files edited."""
    done = subprocess.run([*migrate, "-p", "build", "--cache-dir", "cache", *options],
                          cwd=directory, capture_output=True, text=True)
    expect(f"exit code, with {done.stderr}", done.returncode, 1)
    def number(pattern):
        match = re.search(pattern, done.stderr)
        return int(match[1]) if match else 0
    return {"anew": number(r"(\d+) translation units? analysed") - number(r"(\d+) unchanged since"),
            "verified": number(r"(\d+) parsed again"), "rewrite": number(r"(\d+) to be rewritten"),
            "rewritten": number(r"(\d+) rewritten"), "refuse": number(r"(\d+) refused"),
            "files": number(r"changes? in (\d+) files?")}


shutil.rmtree(directory, ignore_errors=True)
texts = make(directory)
expect("the same arguments give the same tree", make(directory) == texts, True)
expect("another seed gives another tree", make(directory / "other", seed=2) != texts, True)
tree = json.loads((directory / "build" / "tree.json").read_text())
expect("findings", tree["rewrite"] + tree["refuse"], 12)

cold = {"anew": 12, "verified": len(tree["affected units"]), "rewrite": tree["rewrite"], "rewritten": 0,
        "refuse": tree["refuse"], "files": tree["edited files"]}
expect("first run", run(), cold)
expect("nothing touched", run(), {**cold, "anew": 0})
for kind in "src/", "include/tree/record_", "include/tree/service_":
    path = min((path for path, count in tree["readers"].items() if path.startswith(kind) and count),
               key=tree["readers"].get)
    with open(directory / path, "a") as file:
        file.write("// touched\n")
    expect(f"{path} touched", run(), {**cold, "anew": tree["readers"][path]})

expect("applied", run("--apply"), {**cold, "anew": 0, "rewrite": 0, "rewritten": tree["rewrite"]})
expect("applied again", run(), {"anew": len(tree["affected units"]), "verified": 0, "rewrite": 0, "rewritten": 0,
                                "refuse": tree["refuse"], "files": 0})
