# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# between.py DIRECTORY MIGRATE MOCK...: kills "collect" and "decide" at calls that change something on disk.
import os
import pathlib
import shutil
import sys

from projects import PROGRAM, contents, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
every = os.environ.get("CANCEL_SLOW_TESTS") == "1"
shutil.rmtree(directory, ignore_errors=True)
project, facts, proposal = directory / "project", directory / "facts", directory / "proposal.json"
make(project, {f"unit{number}.cpp": PROGRAM for number in range(3)})
collect = [program, "collect", *mock, "--cache-dir", directory / "cache", "-p", "build", "-o", facts]
decide = [program, "decide", facts, "-o", proposal]


def moments(command, call):
    """Where to kill: the main thread alone writes results, and its last calls do."""
    trace = run(["strace", "-c", "-e", f"trace={call}", *command], project).stderr
    count = next((int(line.split()[3]) for line in trace.splitlines() if line.split()[-1:] == [call]), 0)
    return range(1, count + 1) if every else range(max(1, count - 4), count + 1)


def killed(command, call, moment):
    done = run(["strace", "-o", "/dev/null", "-e", f"inject={call}:signal=SIGKILL:when={moment}", *command], project)
    return done.returncode not in (0, 1, 2)


run(collect, project, code=0)
run(collect, project, code=0)  # all is remembered, so that the results do not differ in that
run(decide, project, code=1)
whole, decided = contents(facts), proposal.read_bytes()
interrupted = unfinished = 0
for call in "openat", "write", "rename", "unlink":
    for moment in moments(collect, call):
        if not killed(collect, call, moment):
            continue
        interrupted += 1
        if (facts / "collection.json").exists():
            run(decide, project, code=1)
            expect(proposal.read_bytes() == decided, f"killed at {call} {moment}: another proposal")
        else:
            unfinished += 1
            run(decide, project, code=2, says=f"holds no finished collection: run 'cancel-migrate collect -o {facts}'")
        run(collect, project, code=0)
        expect(contents(facts) == whole, f"killed at {call} {moment}: another collection: {sorted(contents(facts))}")
    for moment in moments(decide, call):
        if killed(decide, call, moment):
            interrupted += 1
            expect(proposal.read_bytes() == decided, f"killed at {call} {moment}: half a proposal")
expect(unfinished > 0, f"of {interrupted} that were killed none was at work on a collection")

# Facts that are lost are missed.
(facts / "units" / next(pathlib.Path(name).name for name in whole if name.startswith("units"))).unlink()
run(decide, project, code=2, says="has the facts of 2 of its 3 translation units: collect again")
