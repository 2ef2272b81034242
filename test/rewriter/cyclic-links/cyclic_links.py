# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cyclic_links.py DIRECTORY MIGRATE MOCK...: links in the tree, in the database's paths and in its include directories.
import pathlib
import sys

from projects import PROGRAM, contents, entry, expect, make, run

project, program, mock = pathlib.Path(sys.argv[1]) / "project", sys.argv[2], sys.argv[3:]
deep = "source/again/source/again/source"
make(project, {"source/unit.cpp": '#include "source/again/source/own.h"\n' + PROGRAM.replace("serve", "other"),
               "source/own.h": "#pragma once\n" + PROGRAM}, [
    entry(project, "source/unit.cpp", "-I.", "-Iloop", "-Iping/include"),
    entry(project / "source/again", f"{deep}/unit.cpp", "-Isource/again", "-Iloop/loop"),
    entry(project, "self.cpp"),
    entry(project / "loop", "unit.cpp")])
for link, target in ("source/again", ".."), ("loop", "loop"), ("ping", "pong"), ("pong", "ping"), ("self.cpp", "self.cpp"):
    (project / link).symlink_to(target)
before = contents(project)
bad = ["error: .*/self.cpp does not parse: no such file or directory",
       "error: .*/loop/unit.cpp does not parse: .*/loop: Too many levels of symbolic links"]


def migrate(*words, **more):
    return run([program, *mock, "--no-cache", "--state-dir", project.parent / "state", *words], project, **more)


def written(done):
    expect("2 findings: 2 rewritten" in done.stderr and "2 changes in 2 files written" in done.stderr, "not written once", done)
    after = contents(project)
    expect(all(after[name].count(b"stop_slot cancel_slot") == 1 for name in ("source/unit.cpp", "source/own.h")),
           "not edited once", done)
    expect((project / "source/again").is_symlink() and (project / "self.cpp").is_symlink(), "a link was replaced", done)
    migrate("-p", "build", "--undo", code=0, says="2 files restored")
    expect(contents(project) == before, "not given back", done)


written(migrate("-p", "build", "--apply", code=2, says=bad))
# Units that no path covers may read what is edited: they are tried as well, and fail with and without.
written(migrate("-p", "source/again/build", "source/again/source", "--apply", code=1))
# A copy of the tree has the same links.
written(migrate("-p", "build", "--apply", "--verify-with", "test -L loop && test -L source/again && test ! -e self.cpp", code=2))

# Named on the command line.
for path in "loop", "ping", "self.cpp":
    done = migrate("-p", "build", f"{project}/{path}", code=2, says="Too many levels of symbolic links")
    expect(not done.stdout, "a patch nevertheless", done)
migrate("-p", "loop", code=2, says="no compile_commands.json in 'loop'")
migrate("-p", "build", "--out-dir", "loop", code=2, says="cannot write 'loop/source/own.h': Too many levels of symbolic links")
migrate("-p", "build", "--apply", "--state-dir", "loop", code=2, says="cannot make the journal '.*/loop/.*': Too many levels")
database = project / "build" / "compile_commands.json"
database.rename(project / "database")
database.symlink_to("compile_commands.json")
migrate("-p", "build", code=2, says="no compile_commands.json in 'build'")
database.unlink()
(project / "database").rename(database)
expect(contents(project) == before, "something changed")
