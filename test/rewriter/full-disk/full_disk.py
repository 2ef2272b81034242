# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# full_disk.py DIRECTORY MIGRATE MOCK...: mounts a small file system, which nobody else sees, and lets each place that the
# program writes to lie in it, with no room, with a page, with two, and so on until there is enough.
import json
import os
import pathlib
import shutil
import subprocess
import sys

from projects import PROGRAM, contents, expect, make, run

directory, program, mock = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
small, elsewhere = directory / "small", directory / "elsewhere"
page = os.sysconf("SC_PAGESIZE")
full = "No space left on device"
# What is said of a disk that another process met.
unsaid = "no space left, or a broken device", "is the temporary directory full?"
# Each a page longer than the one before, so that a run may get some of them written and not the next.
programs = {f"unit{number}.cpp": PROGRAM + f"// {'-' * page}\n" * number for number in range(4)}
cache = ["--cache-dir", elsewhere / "cache"]


def mount():
    shutil.rmtree(directory, ignore_errors=True)
    small.mkdir(parents=True)
    elsewhere.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={64 * page}", "none", str(small)], check=True)


def leave(pages):
    """Fills the small file system up but for so many pages."""
    filler = small / "filler"
    filler.unlink(missing_ok=True)
    if pages is not None:
        state = os.statvfs(small)
        filler.write_bytes(b"-" * (state.f_bavail * state.f_frsize - pages * page))


def migrate(*words, where, **more):
    return run([program, *mock, "--state-dir", elsewhere / "state", *cache, "-p", "build", *words], where, **more)


def stage(*words, **more):
    return run([program, *words], elsewhere / "project", **more)


def temporaries(where):
    return [name for name in contents(where) if name.endswith(".tmp")]


def at_each_page(attempt, failure, success):
    """`attempt` with more and more room. It ends with 2 and a word about the disk, `failure` looks at what is there, until
    it does not; then `success` does. Returns how often it failed."""
    for pages in range(64):
        leave(pages)
        done = attempt()
        leave(None)
        if done.returncode != 2:
            expect(done.returncode == 1, f"with {pages} pages left", done)
            success(done)
            return pages
        expect(any(words in done.stderr for words in (full, *unsaid)), f"with {pages} pages left it does not say that there is no room", done)
        expect(not temporaries(small), f"with {pages} pages left, stay behind: {temporaries(small)}", done)
        failure(done)
    sys.exit("no room is enough")


def tree(project, before, what, done):
    expect(contents(project) == before, f"{what}: the tree is not as it was", done)


def source_tree():
    project = small / "project"
    make(project, programs)
    before = contents(project)
    migrate(where=project, code=1)

    def unchanged(done):
        tree(project, before, "source tree", done)
        expect("nothing was changed" in done.stderr and "4 changes in 4 files possible" in done.stderr,
               "does not say what became of the tree", done)

    failures = at_each_page(lambda: migrate("--apply", where=project), unchanged,
                            lambda done: expect("4 changes in 4 files written" in done.stderr, "not written", done))
    expect(failures >= 3, f"the disk was full only {failures} times")
    after = contents(project)

    # As a run leaves it that is killed after its last file: what it has written cannot be taken back while there is no room.
    journal = next((elsewhere / "state").glob("*/run-*/journal.json"))
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "done": False}))
    leave(0)
    migrate(where=project, code=2, says=["0 files restored", f"unit0.cpp cannot be restored: {full}",
                                         "remove the cause and run again"])
    tree(project, after, "recovery", None)
    leave(None)
    migrate("--analysis-only", where=project, code=1, says="is taken back: 4 files restored")
    tree(project, before, "recovery", None)
    shutil.rmtree(project)


def state():
    project = elsewhere / "project"
    before = contents(project)

    def unchanged(done):
        tree(project, before, "state", done)
        expect("4 changes in 4 files possible" in done.stderr or "cannot open the journal" in done.stderr
               or "cannot make the journal" in done.stderr, "does not say what became of the tree", done)
        # A run that only looks has nothing to take back.
        looked = migrate("--state-dir", small / "state", where=project, code=1)
        expect("taken back" not in looked.stderr, "the failed run left something to take back", looked)

    command = ["--apply", "--state-dir", small / "state"]
    failures = at_each_page(lambda: migrate(*command, where=project), unchanged,
                            lambda done: expect("4 files written" in done.stderr, "not written", done))
    expect(failures > 10, f"the disk was full only {failures} times")
    migrate("--undo", "--state-dir", small / "state", where=project, code=0, says="4 files restored")
    tree(project, before, "undo", None)
    shutil.rmtree(small / "state")


def parse_cache():
    project = elsewhere / "project"
    cold = migrate("--no-cache", where=project, code=1)
    for pages in 0, 2:
        leave(pages)
        done = migrate("--cache-dir", small / "cache", where=project, code=1,
                       says=f"warning: cannot write to the cache '{small}/cache': {full}")
        leave(None)
        expect(done.stdout == cold.stdout, "another patch without a cache", done)
        expect(not temporaries(small), "a temporary file stays in the cache", done)
    migrate("--cache-dir", small / "cache", where=project, code=1)
    shutil.rmtree(small / "cache")


def temporary():
    project = elsewhere / "project"
    before = contents(project)
    scratch = small / "tmp"
    scratch.mkdir()

    def clean(done):
        tree(project, before, "temporary directory", done)
        expect(not any(scratch.iterdir()), f"stay behind: {list(scratch.iterdir())}", done)
        expect("TMPDIR" in done.stderr, "does not say what to do", done)

    def undone(done):
        migrate("--undo", where=project, code=0)
        clean_after = contents(project) == before
        expect(clean_after and not any(scratch.iterdir()), "something stays behind", done)

    parsing = ["--no-cache", "-j1"]
    failures = at_each_page(lambda: migrate(*parsing, "--apply", where=project, TMPDIR=str(scratch)), clean, undone)
    expect(failures >= 2, f"the disk was full only {failures} times")

    # Other programs write there too, and cannot say so: git, diff, cp and the user's own command.
    said = "|".join([full, *unsaid]).replace("?", r"\?")
    (project / ".git").mkdir()
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    (project / "noise").write_text("x" * 100)
    subprocess.run("git add . && git -c user.name=n -c user.email=e commit -qm m && echo >noise", shell=True, cwd=project,
                   check=True)
    dirty = contents(project)
    for pages, words in (0, ["--apply"]), (0, []), (1, ["--verify-with", "true"]), (3, ["--verify-with", "true"]):
        leave(pages)
        done = migrate("--verify=none", *words, where=project, code=2, says=said, TMPDIR=str(scratch))
        leave(None)
        tree(project, dirty, "other programs", done)
        expect(not any(scratch.iterdir()), f"stay behind: {list(scratch.iterdir())}", done)
    shutil.rmtree(project / ".git")
    (project / "noise").unlink()


def outputs():
    project = elsewhere / "project"
    before = contents(project)
    patch = migrate(where=project, code=1).stdout
    target = small / "all.patch"
    target.write_text("an older patch\n")

    def older(done):
        expect(target.read_text() == "an older patch\n", "the older patch is lost", done)
        expect(f"cannot write the patch '{target}': {full}" in done.stderr and "in " + str(target) not in done.stderr,
               "claims that there is a patch", done)

    at_each_page(lambda: migrate("--patch", target, where=project), older,
                 lambda done: expect(target.read_text() == patch, "another patch", done))
    target.unlink()

    out = small / "out"

    def whole(done):
        for name, text in contents(out).items() if out.exists() else ():
            expect(b"cancel_slot" in text and text.endswith(before[name][-20:]), f"{name} is not whole", done)
        expect(f"cannot write '{out}" in done.stderr and "proposed, in" not in done.stderr, "claims too much", done)

    failures = at_each_page(lambda: migrate("--out-dir", out, where=project), whole,
                            lambda done: expect(len(contents(out)) == 4, "some are missing", done))
    expect(failures >= 3, f"the disk was full only {failures} times")
    shutil.rmtree(out)
    tree(project, before, "outputs", None)


def stages():
    facts = small / "facts"

    def unfinished(done):
        expect(not (facts / "collection.json").exists(), "half a collection passes for a whole one", done)
        if facts.exists():
            stage("decide", facts, "-o", elsewhere / "decided.json", code=2, says="holds no finished collection: run")

    def collect():
        done = stage("collect", *mock, *cache, "-p", "build", "-o", facts)
        return done if done.returncode else subprocess.CompletedProcess(done.args, 1, done.stdout, done.stderr)

    failures = at_each_page(collect, unfinished, lambda done: None)
    expect(failures >= 3, f"the disk was full only {failures} times")

    decided = small / "decided.json"
    decided.write_text("an older one")

    def older(done):
        expect(decided.read_text() == "an older one", "the older proposal is lost", done)

    at_each_page(lambda: stage("decide", facts, "-o", decided), older, lambda done: None)
    stage("verify", decided, *cache, "-o", elsewhere / "verified.json", code=1)


mount()
source_tree()
make(elsewhere / "project", programs)
state()
parse_cache()
temporary()
outputs()
stages()
