# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# interrupt.py MIGRATE...: interrupts a run once the command that it verifies with has begun, as Ctrl-C does.
import os
import pathlib
import signal
import subprocess
import sys
import time

temporary = pathlib.Path("interrupted").absolute()
temporary.mkdir()
process = subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env={**os.environ, "TMPDIR": str(temporary)},
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def wait(what, condition):
    for _ in range(6000):
        if value := condition():
            return value
        time.sleep(0.01)
    sys.exit(f"waited in vain: {what}")


def number(path):
    text = path.read_text()
    return int(text) if text.endswith("\n") else None


pid_file = wait("the command's start", lambda: next(temporary.glob("*/pid"), None))
command = wait("the command's number", lambda: number(pid_file))
os.killpg(process.pid, signal.SIGINT)
if process.wait() != -signal.SIGINT:
    sys.exit(f"ended with {process.returncode}")
wait("the command's end", lambda: not pathlib.Path(f"/proc/{command}").exists())
if left := sorted(path.name for path in temporary.iterdir()):
    sys.exit(f"left behind: {left}")
