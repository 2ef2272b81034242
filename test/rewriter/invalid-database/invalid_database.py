# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# invalid_database.py DIRECTORY MIGRATE MOCK...: one database after the other.
import json
import os
import pathlib
import sys

from projects import PROGRAM, contents, entry, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
project, state = directory / "project", directory / "state"
make(project, {"one.cpp": PROGRAM, "two.cpp": PROGRAM})
before = contents(project)
database = project / "build" / "compile_commands.json"
one, two = (json.dumps(entry(project, name)) for name in ("one.cpp", "two.cpp"))
where = json.dumps(str(project))


def migrate(*words, **more):
    return run([program, *mock, "--no-cache", "--state-dir", state, *words], project, **more)


def error(text, *says):
    """One line, which names the file, the fault and the remedy; nothing is written."""
    database.write_bytes(text if isinstance(text, bytes) else text.encode())
    for words in ["-p", "build"], ["-p", "build/compile_commands.json"]:
        done = migrate("--apply", *words, code=2, says=["^cancel-migrate: error: cannot read 'build/compile_commands.json': ", *says,
                                             "; let your build write it anew, or name another one with -p\n$"])
        expect(done.stderr.count("\n") == 1 and not done.stdout, f"more than a line about {text}", done)
    expect(all(before[name] == text for name, text in contents(project).items() if name.endswith(".cpp")),
           "a source changed", done)


error("", "it is empty")
error(" \n", "it is empty")
error(one, "Expected array")
error("null", "Expected array")
error("{", r"\[1:1, byte=1\]")
error("[[]]", "Expected object")
for end in ",", "", ",{", ',{"directory":"/', f",{two}", f",{two[:-1]}", f",{two}]]", f",{two}] more":
    error(f"[{one}{end}", r"\[1:\d+, byte=\d+\]")
error(b"[\0" + one.encode() + b"]", r"\[1:\d+, byte=\d+\]")
error(f'[{one},{{"directory":{where},"file":"two.cpp"}}]', 'Missing key: "command" or "arguments"')
error(f'[{one},{{"directory":{where},"command":"c++ two.cpp"}}]', 'Missing key: "file"')
error(f'[{one},{{"file":"two.cpp","command":"c++ two.cpp"}}]', 'Missing key: "directory"')
error(f'[{one},{{"directory":{where},"file":"two.cpp","arguments":"c++ two.cpp"}}]', "Expected sequence|Expected array")
database.unlink()
database.mkdir()
migrate("-p", "build", "--apply", code=2, says="cannot read 'build/compile_commands.json': Is a directory; let your build write it anew")
database.rmdir()


def goes_on(entries, reason):
    """One unit fails for this reason; the other is rewritten."""
    database.write_bytes(entries if isinstance(entries, bytes) else json.dumps(entries).encode())
    migrate("-p", "build", "--apply", code=2, says=[reason, "1 change in 1 file written"])
    migrate("-p", "build", "--undo", code=0, says="1 file restored")


good = entry(project, "one.cpp")
goes_on([good, entry(project, "gone.cpp")], "error: .*/gone.cpp does not parse: no such file or directory")
goes_on([good, entry("/nonexistent", "two.cpp")], "error: /nonexistent/two.cpp does not parse: /nonexistent: No such file")
goes_on([good, entry(project / "one.cpp", "two.cpp")], "error: .*/one.cpp/two.cpp does not parse: .*: Not a directory")
goes_on([good, {"directory": str(project), "file": "build", "command": "c++ -x c++ -c build"}],
        "error: build does not parse: .*")
# Bytes that are no UTF-8 are the fault of their unit alone, whether or not the file is there.
name = os.fsencode(project) + b"/gr\xfc\xdfe.cpp"
text = json.dumps([good, entry(project, "HERE.cpp")]).encode().replace(b"HERE", b"gr\xfc\xdfe")
goes_on(text, "error: .* does not parse: its path or its flags are not UTF-8; rename what they name")
with open(name, "w") as source:
    source.write(PROGRAM)
goes_on(text, "error: .* does not parse: its path or its flags are not UTF-8; rename what they name")
os.unlink(name)

database.write_text("[]")
migrate("-p", "build", "--apply", code=2, says="there is no C\\+\\+ source to analyse")
database.write_bytes(before["build/compile_commands.json"])
expect(contents(project) == before, "something stays behind")
migrate("-p", "build", "--apply", code=1, says="2 changes in 2 files written")
