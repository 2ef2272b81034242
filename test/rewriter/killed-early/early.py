# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# early.py DIRECTORY MIGRATE MOCK...: the parsers wait at a header that is a pipe, so that there is all the time to kill.
import errno
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from projects import PROGRAM, contents, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2], sys.argv[3:]
project, state, temporary = directory / "project", directory / "state", directory / "tmp"
gate = project / "gate.h"
names = ["unit0.cpp", "unit1.cpp", "unit2.cpp"]
whole = [program, *mock, "--no-cache", "--state-dir", str(state), "-p", "build", "-j1"]
environment = {"TMPDIR": str(temporary)}


def prepare():
    make(project, {name: ('#include "gate.h"\n' if name == "unit0.cpp" else "") + PROGRAM for name in names})
    before = contents(project)
    os.mkfifo(gate)
    temporary.mkdir(exist_ok=True)
    return before


def wait(what, condition):
    for _ in range(6000):
        if value := condition():
            return value
        time.sleep(0.01)
    sys.exit(f"waited in vain: {what}")


def parsers(parent):
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(path.parent.name)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has just ended


class Run:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.met = set()

    def at_the_gate(self):
        """The next parser that waits, and the gate's end that holds it."""
        for parser in parsers(self.process.pid):
            if parser not in self.met:
                try:
                    end = os.open(gate, os.O_WRONLY | os.O_NONBLOCK)
                except OSError as error:
                    if error.errno != errno.ENXIO:
                        raise
                    continue
                self.met.add(parser)
                return parser, end
        return None

    def next_parser(self):
        return wait("a parser at the gate", self.at_the_gate)

    def end(self, code, *says):
        """Lets every other parser pass."""
        def ended():
            if met := self.at_the_gate():
                os.close(met[1])
            return self.process.poll() is not None

        wait("the run's end", ended)
        out, err = self.process.communicate()
        done = subprocess.CompletedProcess(self.process.args, self.process.returncode, out, err)
        expect(done.returncode == code and all(text in err for text in says), f"expected {code} and {says}", done)
        expect(not any(temporary.iterdir()), "something stays in the temporary directory", done)

    def kill(self, passing):
        """Kills it while the parser that comes after so many waits, and lets that one go its way."""
        for _ in range(passing):
            os.close(self.next_parser()[1])
        parser, end = self.next_parser()
        self.process.kill()
        self.process.communicate()
        os.close(end)
        wait("the parser's end", lambda: not pathlib.Path(f"/proc/{parser}").exists())


def forget_gate():
    gate.unlink()
    gate.write_text("")


def works(before):
    """The next run knows nothing of the one that was killed."""
    forget_gate()
    done = run([*whole, "--apply"], project, code=1, says="3 changes in 3 files written", **environment)
    expect("taken back" not in done.stderr, "there was nothing to take back", done)
    run([*whole, "--undo"], project, code=0, **environment)
    gate.unlink()
    expect(contents(project) == before, "the tree is not as it was")


shutil.rmtree(directory, ignore_errors=True)
directory.mkdir()
for passing in 0, 1:  # while it collects, while it verifies
    before = prepare()
    Run(*whole, "--apply").kill(passing)
    expect(contents(project) == before, "the tree changed")
    works(before)

# While the user's command runs, which has a process group of its own.
before = prepare()
forget_gate()
trying = Run(*whole, "--apply", "--verify-with", f"echo $$ >{directory}/pid; exec sleep 100")
pid = directory / "pid"
command = int(wait("the command's number", lambda: pid.exists() and pid.read_text().endswith("\n") and pid.read_text()))
trying.process.kill()
trying.process.communicate()
os.killpg(command, signal.SIGKILL)
gate.unlink()
expect(contents(project) == before, "the tree changed")
os.mkfifo(gate)
works(before)

# The stages alone: what an earlier one has left is still there, and whole.
before = prepare()
forget_gate()
facts, proposal = directory / "facts", directory / "proposal.json"
collect = [program, "collect", *mock, "--no-cache", "-p", "build", "-j1", "-o", str(facts)]
run(collect, project, code=0)
run([program, "decide", facts, "-o", proposal], project, code=1)
gate.unlink()
os.mkfifo(gate)
results = contents(facts), proposal.read_bytes()
Run(*collect).kill(0)
Run(program, "verify", str(proposal), "--no-cache", "-j1", "-o", str(proposal)).kill(0)
expect((contents(facts), proposal.read_bytes()) == results, "a killed stage changed an earlier one's result")

for path in temporary.iterdir():
    path.rename(directory / path.name)  # what runs that were killed could not remove

before = prepare()
collecting = Run(*whole, "--apply")
parser, end = collecting.next_parser()
os.kill(parser, signal.SIGKILL)
os.close(end)
collecting.end(2, "error: unit0.cpp does not parse: the parser was killed; if memory was short, try fewer --jobs",
               "2 changes in 2 files written")
after = contents(project)
expect(after["unit0.cpp"] == before["unit0.cpp"] and b"cancel_slot" in after["unit2.cpp"], "the wrong files were written")
run([*whole, "--undo"], project, code=0)

verifying = Run(*whole, "--apply")
os.close(verifying.next_parser()[1])
parser, end = verifying.next_parser()
os.kill(parser, signal.SIGKILL)
os.close(end)
verifying.end(1, "refused: taken back: unit0.cpp does not compile with it: the parser was killed", "2 changes in 2 files written")
expect(contents(project) == after, "an edit that was not verified was made")
forget_gate()
run([*whole, "--apply"], project, code=1, says="1 change in 1 file written")
