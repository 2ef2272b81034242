# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# killed.py DIRECTORY MIGRATE... [every]: kills a run at the N-th call of each system call that changes something.
# The slow tier looks at every N; otherwise a few are taken from each.
import json
import os
import pathlib
import shutil
import subprocess
import sys

directory, migrate = pathlib.Path(sys.argv[1]), sys.argv[2:]
every = os.environ.get("CANCEL_SLOW_TESTS") == "1"
project, state, cache = directory / "project", directory / "state", directory / "cache"
flags = ["-p", "build", "--state-dir", str(state), "--cache-dir", str(cache)]

header = """#pragma once
#include <coroutine>
#include <stop_token>
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
"""
unit = """#include "task.h"
task serve(std::stop_token st, void (*cancel)()) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, cancel);
    co_await std::suspend_always();
  }
}
"""


def make_project():
    shutil.rmtree(directory, ignore_errors=True)
    (project / "build").mkdir(parents=True)
    (project / "task.h").write_text(header)
    names = [f"unit{number}.cpp" for number in range(4)]
    for name in names:
        (project / name).write_text(unit)
    commands = [{"directory": str(project), "arguments": ["c++", "-std=c++20", "-c", name], "file": name} for name in names]
    (project / "build" / "compile_commands.json").write_text(json.dumps(commands))


def sources():
    return {path.name: path.read_bytes() for path in sorted(project.iterdir()) if path.is_file()}


def run(*extra, prefix=()):
    return subprocess.run([*prefix, *migrate, *flags, *extra], cwd=project, capture_output=True, text=True)


make_project()
before = sources()
run()  # fills the cache, so that what follows is the writing alone
calls = ["openat", "write", "fsync", "rename", "mkdir", "unlink", "fchmod", "rmdir"]
killed = seen_before = seen_recovered = 0
for call in calls:
    trace = subprocess.run(["strace", "-f", "-c", "-e", f"trace={call}", *migrate, *flags, "--apply"], cwd=project,
                           capture_output=True, text=True)
    count = next((int(line.split()[3]) for line in trace.stderr.splitlines() if line.split()[-1:] == [call]), 0)
    after = sources()
    if after == before:
        sys.exit("the run wrote nothing:\n" + trace.stderr)
    run("--undo")
    if sources() != before:
        sys.exit("--undo does not restore the tree")
    # The last calls are those of the writing.
    moments = range(1, count + 1) if every else sorted({count, count - 1, count - 3, count - 6, count // 2 + 1} & set(range(1, count + 1)))
    for moment in moments:
        attempt = run("--apply", prefix=["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:signal=SIGKILL:when={moment}"])
        if attempt.returncode in (0, 1, 2):
            continue  # that call was not reached
        killed += 1
        recovery = run("--analysis-only")
        if sources() == after:
            run("--undo")
        elif "an earlier run was interrupted while it wrote and is taken back" in recovery.stderr:
            seen_recovered += 1
        else:
            seen_before += 1
        if sources() != before:
            sys.exit(f"killed at {call} {moment}: the tree is neither before nor after\n" + recovery.stderr)
        if left := [path.name for path in project.rglob("*.tmp")]:
            sys.exit(f"killed at {call} {moment}: left behind: {left}")
print(f"killed {killed} times: {seen_before} before the writing, {seen_recovered} taken back")
if killed == 0 or seen_recovered == 0:
    sys.exit("no run was killed while it wrote")
