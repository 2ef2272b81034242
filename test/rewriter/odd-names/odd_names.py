# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# odd_names.py DIRECTORY MIGRATE...: the patch makes the same of oddly named files as --apply, be it applied by patch or
# by git. The files are made here because not every file system of a developer takes their names.
import json
import pathlib
import shutil
import subprocess
import sys

directory, migrate = pathlib.Path(sys.argv[1]), sys.argv[2:]
names = ["with\ttab.cpp", "with\nline.cpp", 'with"quote.cpp', "with\\backslash.cpp", "with space.cpp", "gr\u00fc\u00dfe.cpp",
         "all \t\n\"\\ of them.cpp"]
program = """#include "task.h"
#include <cancel/stop_slot.hpp>

task serve(std::stop_token st, connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
"""


def project(where):
    shutil.rmtree(directory / where, ignore_errors=True)
    (directory / where / "build").mkdir(parents=True)
    for name in names:
        (directory / where / name).write_text(program)
    commands = [{"directory": str(directory / where), "arguments": ["c++", "-std=c++20", "-c", name], "file": name}
                for name in names]
    (directory / where / "build" / "compile_commands.json").write_text(json.dumps(commands))
    return directory / where


def run(command, where, expected=0, **more):
    done = subprocess.run(command, cwd=where, capture_output=True, **more)
    if done.returncode != expected:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout


def texts(where):
    return {name: (where / name).read_text() for name in names}


applied = project("applied")
patch = run([*migrate, "-p", "build"], applied, expected=1)
run([*migrate, "-p", "build", "--apply"], applied, expected=1)
wanted = texts(applied)
if any("cancel_slot" not in text for text in wanted.values()):
    sys.exit(f"--apply left a file alone: {wanted}")
for tool in ["patch", "-p1"], ["git", "apply"]:
    copy = project(tool[0])
    run(tool, copy, input=patch)
    if texts(copy) != wanted:
        sys.exit(f"{tool} makes something else of\n{patch.decode()}")
