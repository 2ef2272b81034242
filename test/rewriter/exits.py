# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exits.py CODE COMMAND...: succeeds if the command exits with exactly that code. "not" cannot tell 1 from 2.
import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command).returncode
if code != expected:
    sys.exit(f"exit code {code}, expected {expected}: {' '.join(command)}")
