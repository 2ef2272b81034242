# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# large.py DIRECTORY MIGRATE MOCK...: neither size costs more than a reader would expect.
import itertools
import pathlib
import random
import shutil
import sys

from projects import PROGRAM, contents, entry, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
shutil.rmtree(directory, ignore_errors=True)
project = directory / "project"


def migrate(*words, **more):
    return run([program, *mock, "--cache-dir", directory / "cache", "--state-dir", directory / "state", "-p", "build", *words], project, **more)


# The finding stands at the end; that the lines are laid out makes clang-format read all of it.
include, serve = PROGRAM.split("\n", 1)
filling, size = [include], 0
for number in itertools.count():
    filling.append(f"inline int filling_{number}(int x) {{ return x * {number} + 1; }} // {'-' * 140}")
    size += len(filling[-1]) + 1
    if size > 10_000_000:
        break
make(project, {"large.cpp": "\n".join(filling) + "\n" + serve})
(project / ".clang-format").write_text("BasedOnStyle: LLVM\nColumnLimit: 250\n")
before = contents(project)
done = migrate("--apply", code=1, says=[f"large.cpp:{len(filling) + 4}:24: ", "1 change in 1 file written"])
after = contents(project)["large.cpp"].decode()
expect(after.endswith("""task serve(std::stop_token st, connection &peer) {
  cancel::stop_slot cancel_slot(st);
  while (co_await more()) {
    cancel::stop_guard on_stop(cancel_slot, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
""") and after.startswith(include) and "\n".join(filling[1:]) in after, "the wrong bytes changed", done)
migrate("--undo", code=0)
expect(contents(project) == before, "not given back")

# Each source fifty times: the very entry, by another spelling, into another output, and in any order.
names = [f"unit{number}.cpp" for number in range(100)]
distinct = [entry(project, name) for name in names]
outputs = [{**one, "output": f"{turn}.o", "arguments": [*one["arguments"], "-o", f"{turn}.o", "-MD", "-MF", f"{turn}.d"]}
           for turn in range(24) for one in distinct]
spelled = [entry(project, f"./{name}") for name in names] + [entry(project, str(project / name)) for name in names]
entries = distinct * 24 + outputs + spelled
random.Random(5000).shuffle(entries)
expect(len(entries) == 5000, f"{len(entries)} entries")
make(project, {name: PROGRAM for name in names}, distinct)
alone = migrate(code=1, says="100 translation units analysed, 100 parsed again over the edits\n100 findings:")
make(project, {name: PROGRAM for name in names}, entries)
for repeated in migrate(code=1), migrate("-p", "build", code=1):  # a build that is named twice is another repetition
    expect(repeated.stdout == alone.stdout, "repetitions make a difference", repeated)
    # Each is the parse that is known.
    remembered = alone.stderr.replace("analysed,", "analysed (100 unchanged since an earlier run),")
    expect(repeated.stderr == remembered, "repetitions are parsed", repeated)
