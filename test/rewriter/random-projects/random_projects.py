# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# random_projects.py DIRECTORY TESTS MIGRATE MOCK...: CANCEL_SEED draws other projects; the slow tier draws many, and new ones.
import collections
import difflib
import json
import os
import pathlib
import random
import re
import shutil
import sys
import time

from projects import contents, entry, expect, make, run

directory, tests, program, mock = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
slow = os.environ.get("CANCEL_SLOW_TESTS") == "1"
rounds = 40 if slow else 3
seed = int(os.environ.get("CANCEL_SEED") or (time.time_ns() % 1_000_000 if slow else 1))
draw = random.Random(seed)
project, state, cache = directory / "project", directory / "state", directory / "cache"


def corpus():
    """Every program that needs no header of its own, by a name that tells where it comes from."""
    programs = {}
    for path in sorted([*tests.glob("checks/*/*.cpp"), *tests.glob("rewriter/*/before/**/*.cpp")]):
        text = path.read_bytes()
        own = set(re.findall(rb'^\s*#\s*include\s*"(.*)"', text, re.M)) - {b"task.h"}
        if not own and b"split-file" not in text:
            programs["_".join(part for part in path.relative_to(tests).parts[1:] if part != "before").replace(" ", "_")] = text
    return programs


Outcome = collections.namedtuple("Outcome", "patch findings refusals failed")


def outcome(done):
    """What a run comes to, apart from how many units there were."""
    # Progress is told where a run takes long, and the note once, where it would depend on the subset.
    said = re.sub(r"^(?:\[\d+/\d+\] |note: your build ).*\n", "", done.stderr, flags=re.M)
    findings, _, counts = said.partition(" translation unit")
    findings = findings[:findings.rfind("\n") + 1]
    where = re.findall(r"^(\S+?):\d+:\d+: (.*)\n(?:    .*note: .*\n)*    (?:refused: (.*)|no rewrite is offered.*)$", findings, re.M)
    refusals = collections.Counter((file, message, re.sub(r":\d+:\d+|line \d+", "", why)) for file, message, why in where)
    return Outcome(done.stdout, findings, refusals, sorted(re.findall(r"^error: (\S+) does not parse", findings, re.M)))


def migrate(*words, settings=("--cache-dir", cache), where=project, code=None):
    done = run([program, *mock, *settings, "--state-dir", state, "-p", project / "build", *words], where)
    expect(done.returncode == code if code is not None else done.returncode in (0, 1), "unexpected exit code", done)
    return done


def spelled(name):
    return draw.choice([name, f"./{name}", f"alias/{name}", f"alias/alias/{name}", str(project / name)])


def write_database(names):
    """Each name at least once, in any order and spelling."""
    entries = [entry(draw.choice([project, project / "alias"]), spelled(name)) for name in names]
    entries += [draw.choice(entries) for _ in range(draw.randrange(len(names)))]
    entries += [entry(project, spelled(draw.choice(names))) for _ in range(draw.randrange(4))]
    draw.shuffle(entries)
    (project / "build" / "compile_commands.json").write_text(json.dumps(entries))


def paths(names):
    """Words that name all of the project."""
    return draw.choice([[], ["."], ["alias"], [str(project)], ["alias/alias", "."],
                        draw.sample(everything := [spelled(name) for name in names], len(everything))])


def fresh(programs):
    make(project, {}, [])
    for name, text in programs.items():
        (project / name).write_bytes(text)
    (project / "alias").symlink_to(".")


def sources(programs):
    return {name: text for name, text in contents(project).items() if name in programs}


def check(programs, units, alone):
    """All that must hold of a project of these files and units. `alone` is how each file is edited in the whole corpus."""
    before = sources(programs)
    results = []
    for _ in range(3):
        write_database(units)
        settings = [draw.choice(["-j1", "-j2"]), *draw.choice([["--cache-dir", cache]] * 2 + [["--no-cache"]])]
        results.append(outcome(migrate(*paths(programs), settings=settings)))
        expect(results[-1] == results[0], f"order matters:\n{results[0]}\n{results[-1]}")
    first = results[0]
    expect(not first.failed, f"these do not parse: {first.failed}")

    facts, decided, verified = (directory / name for name in ("facts", "decided.json", "verified.json"))
    remember = ["--cache-dir", cache]
    for words in (["collect", *mock, *remember, "-p", "build", "-o", facts, *paths(programs)], ["decide", facts, "-o", decided],
                  ["verify", decided, *remember, "-o", verified]):
        expect((done := run([program, *words], project)).returncode in (0, 1), "a stage fails", done)
    expect(outcome(run([program, "write", verified], project)) == first, "the stages come to something else")

    migrate("--apply", *paths(programs))
    after = sources(programs)
    for name, text in after.items():
        if text != (wanted := alone.get(name, before[name])):
            difference = difflib.unified_diff(*(str(side).split("\\n") for side in (wanted, text)), lineterm="")
            sys.exit("\n".join([f"{name} is edited in another way than in the whole corpus:", *difference]))
    expect((after != before) == bool(first.patch), "what was written is not what was shown")
    write_database(units)
    again = outcome(migrate(*paths(programs)))
    expect(not again.patch and again.refusals == first.refusals,
           f"a second run finds something else:\n{again.patch}\n{again.refusals - first.refusals}\n"
           f"and no more:\n{first.refusals - again.refusals}")
    migrate("--apply", *paths(programs))
    expect(sources(programs) == after, "a second run writes something")
    migrate("--undo", code=0)
    expect(sources(programs) == before, "--undo does not give every byte back")
    edited = sum(before[name] != text for name, text in after.items())
    print(f"{len(units)} units, {edited} files edited, {first.refusals.total()} refusals", flush=True)


def one_round(programs, alone):
    chosen = draw.sample(sorted(programs), draw.randint(4, 12))
    headers = draw.sample(chosen, draw.randint(0, 3))
    only_headers = draw.sample(headers, draw.randint(0, len(headers)))
    includers = {f"include{number}_{header}": f'#include "{spelled(header)}"\n'.encode()
                 for header in headers for number in range(draw.randint(1, 3))}
    files = {**{name: programs[name] for name in chosen}, **includers}
    fresh(files)
    check(files, [name for name in files if name not in only_headers], alone)


print(f"seed {seed}", flush=True)
shutil.rmtree(directory, ignore_errors=True)
programs = corpus()
fresh(programs)
write_database(list(programs))
unfit = sorted(set(outcome(migrate(code=2)).failed))  # to be rejected, or in need of the real library
for name in unfit:
    del programs[name]
expect(len(programs) > 30 and len(unfit) * 3 < len(programs), f"{len(programs)} programs of the corpus parse; these do not: {unfit}")
fresh(programs)
write_database(list(programs))
migrate("--apply", code=1)
alone = sources(programs)
migrate("--undo", code=0)
for number in range(rounds):
    try:
        one_round(programs, alone)
    except SystemExit as failure:
        sys.exit(f"round {number} of CANCEL_SEED={seed}: {failure}")
