# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# interrupt.py DIRECTORY MIGRATE...: sends SIGINT to the process group of a run, as a terminal does, at several moments;
# and SIGSEGV to the coordinator alone, as if it crashed.
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

directory, migrate = pathlib.Path(sys.argv[1]), sys.argv[2:]
project, temporary = directory / "project", directory / "tmp"
# Real headers, so that a parse takes long enough to be interrupted.
program = """#include <coroutine>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
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

task serve(std::stop_token st, std::function<void()> cancel) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, cancel);
    co_await std::suspend_always();
  }
}
"""


def wait(what, condition):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    sys.exit(f"waited in vain: {what}")


def group_is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def tree():
    return {path.relative_to(project): path.read_bytes() for path in project.rglob("*") if path.is_file()}


def interrupt(delay, by=signal.SIGINT, send=os.killpg):
    shutil.rmtree(directory, ignore_errors=True)
    (project / "build").mkdir(parents=True)
    temporary.mkdir()
    names = [f"unit{number}.cpp" for number in range(8)]
    for name in names:
        (project / name).write_text(program)
    commands = [{"directory": str(project), "arguments": ["c++", "-std=c++20", "-c", name], "file": name} for name in names]
    (project / "build" / "compile_commands.json").write_text(json.dumps(commands))
    before = tree()

    # A shell starts background jobs with SIGINT ignored, and tests may be one.
    process = subprocess.Popen([*migrate, "-p", "build", "--apply"], cwd=project, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": str(temporary)},
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    wait("a temporary file", lambda: any(temporary.iterdir()) or process.poll() is not None)
    time.sleep(delay)
    if process.poll() is not None:
        sys.exit(f"the run ended after {delay} s, before it could be interrupted")
    send(process.pid, by)
    process.wait()
    wait("the workers' end", lambda: group_is_gone(process.pid))
    if process.returncode != -by:
        sys.exit(f"ended with {process.returncode} after {delay} s")
    if left := sorted(path.name for path in temporary.iterdir()):
        sys.exit(f"left behind after {delay} s: {left}")
    if tree() != before:
        sys.exit(f"the tree changed after {delay} s")


for delay in 0, 0.02, 0.1, 0.3, 0.6:
    interrupt(delay)
# LLVM 19 goes on after a fault that somebody sent; one of its own would come again.
if "(LLVM 19." not in subprocess.run([migrate[0], "--version"], capture_output=True, text=True, check=True).stdout:
    interrupt(0.3, signal.SIGSEGV, os.kill)
