# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# read_only.py DIRECTORY MIGRATE MOCK...: mounts directories read-only, for nobody else, and lets the program want to write there.
import json
import pathlib
import subprocess
import sys

from projects import PROGRAM, contents, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
project, state, locked = directory / "project", directory / "state", directory / "locked"
refusal = "Read-only file system"
make(project, {"one.cpp": PROGRAM, "two.cpp": PROGRAM})
before = contents(project)
locked.mkdir(exist_ok=True)


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def migrate(*words, **more):
    return run([program, *mock, "--no-cache", "--state-dir", state, "-p", "build", *words], project, **more)


def unchanged(done):
    expect(contents(project) == before, "the tree changed", done)


for place in project, locked:
    mount("--bind", place, place)
mount("-o", "remount,bind,ro", locked)

# The tree becomes read-only when all is decided.
remount = f"mount -o remount,bind,ro {project}"
unchanged(migrate("--apply", "--verify-with", remount, code=2, says=f"one.cpp': {refusal}; nothing was changed"))
expect(not list(state.glob("*/run-*")), "a run that did nothing is remembered")

# It is read-only from the beginning.
unchanged(migrate("--apply", code=1, says=["refused: one.cpp is read-only", "2 findings: 0 rewritten, 2 refused"]))

# A run that was killed after it had written cannot be taken back now, but later.
mount("-o", "remount,bind,rw", project)
migrate("--apply", code=1, says="2 changes in 2 files written")
after = contents(project)
journal = next(state.glob("*/run-*/journal.json"))
journal.write_text(json.dumps({**json.loads(journal.read_text()), "done": False}))
mount("-o", "remount,bind,ro", project)
migrate("--apply", code=2, says=[f"one.cpp cannot be restored: {refusal}", "remove the cause and run again"])
expect(contents(project) == after, "a file changed")
mount("-o", "remount,bind,rw", project)
migrate(code=1, says="taken back: 2 files restored")
unchanged(None)

# Everything else that is written.
cold = migrate(code=1)
cached = run([program, *mock, "--cache-dir", locked / "cache", "--state-dir", state, "-p", "build"], project, code=1,
             says=f"warning: cannot write to the cache '{locked}/cache': {refusal}")
expect(cached.stdout == cold.stdout, "another patch without a cache", cached)
unchanged(migrate("--apply", "--state-dir", locked / "state", code=2,
                  says=f"cannot make the journal '{locked}/state/.*': {refusal}; --state-dir names another place"))
migrate("--state-dir", locked / "state", code=1)
migrate("--patch", locked / "all.patch", code=2, says=f"cannot write the patch '{locked}/all.patch': {refusal}")
migrate("--out-dir", locked / "out", code=2, says=f"cannot write '{locked}/out/.*': {refusal}")
run([program, "collect", *mock, "--no-cache", "-p", "build", "-o", locked / "facts"], project, code=2,
    says=f"cannot write to '{locked}/facts': {refusal}")
migrate(code=2, says=f"cannot create a temporary file: {refusal}; make room there, or name another directory in TMPDIR",
        TMPDIR=str(locked))
unchanged(migrate("--apply", code=1, says="2 files written") and migrate("--undo", code=0))
