# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# held.py DIRECTORY COMMAND...: holds the directory as another run does. Where the command comes to wait for it, changes a
# file in it and lets go.
import fcntl
import os
import pathlib
import subprocess
import sys
import time

directory = pathlib.Path(sys.argv[1])
descriptor = os.open(directory, os.O_RDONLY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
process = subprocess.Popen(sys.argv[2:])


def is_awaited():
    inode = os.stat(directory).st_ino
    return any("->" in line and f":{inode} " in line for line in open("/proc/locks"))


while process.poll() is None and not is_awaited():
    time.sleep(0.01)
if process.poll() is not None:
    sys.exit(process.returncode)
file = directory / "serve.h"
changed = file.read_text() + "// by another run\n"
file.write_text(changed)
os.close(descriptor)
process.wait()
if file.read_text() == changed:
    print("the file is as the other run left it", flush=True)
