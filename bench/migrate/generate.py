#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a source tree of any size with a known number of findings, to try the tools at scale.

The translation units share headers, which include each other; some headers hold findings of their
own, so that the same finding is seen by many units. As in grown trees, files are reached by several
names: through symbolic links, with relative and absolute paths. Half of the units have no coroutine.

The compilation database stands in build/ and parses against the mock library of test/Inputs. What
is to be expected of the tree goes to tree.json beside it, and the numbers to standard output. The
same arguments give the same content.
"""

import argparse
import json
import pathlib
import random
import re

import texts

MOCK_LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "test" / "Inputs" / "std"
KINDS = ["rewrite", "refuse", "quiet"]
# How an include directive names a header; legacy/ is a symbolic link to tree/.
SPELLINGS = ["tree/{}", "tree/{}", "legacy/{}", "../../include/tree/{}"]


class Tree:
    """Every file's text, by path, and who reads what.

    A third of the services, a fifth of the headers, hold two findings each; the others stand in
    sources, two in each that has any.
    """

    def __init__(self, units, headers, findings, calculations, seed):
        self.chance = random.Random(seed)
        self.calculations = calculations
        self.texts = {"include/tree/stream.hpp": texts.STREAM, "include/tree/channel.hpp": texts.CHANNEL}
        self.includes = {path: [] for path in self.texts}
        self.sources = []

        services = max(1, headers // 5)
        self.records = headers - services - len(self.texts)
        for number in range(self.records):
            self.add_record(number)
        carriers = min(-(-services // 3), findings // 2)
        for number in range(services):
            self.add_service(number, has_findings=number < carriers)
        left = self.findings_of_units(units, findings - 2 * carriers)
        for number in range(units):
            self.add_unit(number, services, left.get(number, 0))

    def findings_of_units(self, units, count):
        """Of each unit that has any, how many."""
        with_coroutines = range(0, units, 2)
        chosen = self.chance.sample(with_coroutines, min(len(with_coroutines), -(-count // 2)))
        return {unit: count // len(chosen) + (i < count % len(chosen)) for i, unit in enumerate(chosen)}

    def add(self, path, includes, text):
        """Includes are names in include/tree."""
        self.texts[path] = text
        self.includes[path] = [f"include/tree/{name}" for name in includes]

    def add_record(self, number):
        includes = ["stream.hpp", *(f"record_{n}.hpp" for n in sorted({number // 2, number // 3} - {number}))]
        directives = "".join(f'#include "{name}"\n' for name in includes)
        text = texts.RECORD_HEADER.replace("%", directives).replace("@", str(number))
        self.add(f"include/tree/record_{number}.hpp", includes, text)

    def add_service(self, number, has_findings):
        text = texts.SERVICE_HEADER.replace("%", texts.SERVICE_FINDINGS if has_findings else "")
        self.add(f"include/tree/service_{number}.hpp", ["channel.hpp"], text.replace("@", str(number)))

    def add_unit(self, number, services, findings):
        includes = [f"record_{n}.hpp" for n in sorted(self.chance.sample(range(self.records), min(self.records, 3)))]
        functions = [texts.CALCULATION] * self.calculations
        uses = "".join(
            f"  sum += {name[:-4]}::count_if({{}}, [&](const auto &r) {{ return {name[:-4]}::total_of(r) > sum; }});\n"
            for name in includes)
        if number % 2 == 0:
            service = f"service_{number // 2 % services}"
            includes.append(f"{service}.hpp")
            functions += self.chance.sample(texts.QUIET, 2)
            functions += [self.chance.choice(texts.FINDINGS) for _ in range(findings)]
            uses += f"  {service}::for_each(in, [&sum](int value) {{ sum += value; }}, st);\n"
            if "until_negative" in self.texts[f"include/tree/{service}.hpp"]:
                uses += f"  {service}::until_negative(in, [&sum](int value) {{ sum -= value; }}, st);\n"
            parameters = "channel &in, int sum, std::stop_token st"
        else:
            parameters = "int sum"
        functions.append(f"int start_@({parameters}) {{\n{uses}  return sum;\n}}\n")
        body = "\n".join(text.replace("@", f"{number}_{i}") for i, text in enumerate(functions))
        directives = "".join(f'#include "{self.chance.choice(SPELLINGS).format(name)}"\n' for name in includes)
        path = f"src/part_{number // 100}/unit_{number}.cpp"
        self.sources.append(path)
        self.add(path, includes, f"{directives}\nnamespace tree {{\n\n{body}\n}} // namespace tree\n")

    def read_by(self, path):
        """The file and all that it includes, directly or not."""
        found, pending = {path}, [path]
        while pending:
            for included in self.includes[pending.pop()]:
                if included not in found:
                    found.add(included)
                    pending.append(included)
        return found

    def expected(self):
        """What the tools should say, however many units see a line."""
        counts = {kind: sum(len(re.findall(f"// {kind}\\b", text)) for text in self.texts.values()) for kind in KINDS}
        edited = {path for path, text in self.texts.items() if "// rewrite" in text}
        reads = [self.read_by(source) for source in self.sources]
        readers = {path: sum(path in files for files in reads) for path in self.texts}
        return {"units": len(self.sources), "headers": len(self.texts) - len(self.sources), **counts,
                "edited files": sum(readers[path] > 0 for path in edited),
                "affected units": [unit for unit, files in enumerate(reads) if not files.isdisjoint(edited)],
                "readers": readers}

    def command(self, root, number):
        """Some paths relative, some absolute, some through the symbolic link linked/."""
        source = self.sources[number]
        include = f"-I{root}/include" if number % 3 else "-I../include"
        file = [f"../{source}", f"{root}/{source}", f"../linked/{source[len('src/'):]}"][number % 3]
        return {"directory": f"{root}/build", "file": file,
                "arguments": ["c++", "-std=c++20", "-nostdinc++", "-isystem", str(MOCK_LIBRARY), include, "-c", file]}

    def write(self, root):
        for path, text in self.texts.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for link, target in [("include/legacy", "tree"), ("linked", "src")]:
            (root / link).unlink(missing_ok=True)
            (root / link).symlink_to(target)
        build = root / "build"
        build.mkdir(exist_ok=True)
        database = [self.command(root, number) for number in range(len(self.sources))]
        (build / "compile_commands.json").write_text(json.dumps(database, indent=1) + "\n")
        (build / "tree.json").write_text(json.dumps(self.expected(), indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--units", type=int, default=2000)
    parser.add_argument("--headers", type=int, default=300, help="at least 5")
    parser.add_argument("--findings", type=int, default=500)
    parser.add_argument("--calculations", type=int, default=24, help="in each unit: they take most of its time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.units < 1 or options.headers < 5:
        parser.error("a tree has a unit and 5 headers at least")

    tree = Tree(options.units, options.headers, options.findings, options.calculations, options.seed)
    tree.write(options.directory.resolve())
    numbers = {**tree.expected(), "affected units": len(tree.expected()["affected units"])}
    del numbers["readers"]
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
