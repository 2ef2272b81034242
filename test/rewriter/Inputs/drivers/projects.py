# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the cases that a shell cannot make have in common: projects, runs over them, and what is on disk afterwards.
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROGRAM = """#include "task.h"

task serve(std::stop_token st, connection &peer) {
  while (co_await more()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
"""


def entry(directory, file, *flags):
    return {"directory": str(directory), "arguments": ["c++", "-std=c++20", *flags, "-c", str(file)], "file": str(file)}


def make(project, programs, commands=None):
    """A fresh project of these programs, by name, and a database that compiles each, or these commands."""
    shutil.rmtree(project, ignore_errors=True)
    (project / "build").mkdir(parents=True)
    for name, text in programs.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    if commands is None:
        commands = [entry(project, name) for name in programs]
    (project / "build" / "compile_commands.json").write_text(json.dumps(commands))


def contents(directory):
    """Every file below, links not followed, by path."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in sorted(pathlib.Path(directory).rglob("*"))
            if path.is_file() and not path.is_symlink()}


def expect(condition, message, done=None):
    if not condition:
        sys.exit(message + (f"\n{done.args}: exit code {done.returncode}\n{done.stdout}{done.stderr}" if done else ""))


def run(command, cwd, code=None, says=(), **environment):
    """Runs to the end and returns what came of it. Each of `says` must be found in what it says, as an expression."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, errors="surrogateescape",
                          timeout=300, env={**os.environ, **environment})
    if code is not None:
        expect(done.returncode == code, f"exit code {done.returncode}, expected {code}", done)
    for expression in [says] if isinstance(says, str) else says:
        expect(re.search(expression, done.stderr), f"does not say '{expression}'", done)
    return done
