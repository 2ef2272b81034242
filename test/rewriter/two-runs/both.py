# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# both.py BUILD BUILD MIGRATE...: two runs at once over one tree, each by its own build; the change is made once.
import pathlib
import subprocess
import sys

builds, migrate = sys.argv[1:3], sys.argv[3:]
header = pathlib.Path("include/serve.h")
original = header.read_text()
for _ in range(5):
    header.write_text(original)
    runs = [subprocess.Popen([*migrate, "-p", build, "--apply"], stderr=subprocess.PIPE, text=True) for build in builds]
    reports = [run.communicate()[1] for run in runs]
    written = sum("1 change in 1 file written" in report for report in reports)
    if written != 1 or header.read_text().count("cancel::stop_slot") != 1:
        sys.exit(f"written {written} times:\n" + "\n".join(reports) + header.read_text())
