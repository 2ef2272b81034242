# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rules of docs/ARCHITECTURE.md that a script can check. Each takes the root of a source tree and yields one
# sentence for each breach.
import dataclasses
import re

SOURCES = {".h", ".hpp", ".cpp", ".def"}
SCRIPTS = {".py", ".cmake", ".sh", ".in", ".txt"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)"|(\w+))', re.MULTILINE)
CATALOGUE_LINE = re.compile(r'^CHECK\((\w+), "([\w-]+)"\)', re.MULTILINE)

# Headers of the operating system that the runtime may use, each for one thing the standard does not give.
RUNTIME_SYSTEM_HEADERS = {"linux/membarrier.h", "sys/syscall.h", "unistd.h"}


@dataclasses.dataclass(frozen=True)
class Layer:
    """The files of `folder` and below; they may include headers of `sees` and of these libraries."""
    folder: str
    sees: tuple
    libraries: tuple


# Dependencies run one way: each layer sees itself and what stands below it. The libraries are told by their prefix;
# a prefix that is listed nowhere for a layer is not for that layer.
LAYERS = (
    Layer("runtime/include", (), ("cancel/",)),
    Layer("plugin/analysis", ("plugin/analysis",), ("clang/", "llvm/")),
    Layer("plugin/tidy", ("plugin/tidy", "plugin/analysis"), ("clang-tidy/", "clang/", "llvm/")),
    Layer("plugin/clangd", ("plugin/clangd", "plugin/tidy", "plugin/analysis"), ("clang-tidy/", "clang/", "llvm/")),
    Layer("rewriter", ("rewriter", "plugin/analysis"), ("clang/", "llvm/")),
)
LIBRARIES = {"cancel/", "clang-tidy/", "clang/", "llvm/", "gtest/", "benchmark/"}


def includes_run_one_way(root):
    for layer in LAYERS:
        for file in files_below(root / layer.folder, SOURCES):
            for angled, quoted, macro in INCLUDE.findall(file.read_text()):
                reason = include_breach(root, layer, angled, quoted, macro)
                if reason:
                    yield f"{file.relative_to(root)} includes {angled or quoted or macro}: {reason}"


def include_breach(root, layer, angled, quoted, macro):
    if macro:  # only LLVMCompat.h defines such a name, for a header of clang-tidy
        return None if "clang-tidy/" in layer.libraries else f"{layer.folder} does not see clang-tidy"
    name = angled or quoted
    library = next((prefix for prefix in LIBRARIES if name.startswith(prefix)), None)
    if library:
        return None if library in layer.libraries else f"{layer.folder} does not see {library}"
    if angled:
        if layer.folder == "runtime/include" and "." in name and name not in RUNTIME_SYSTEM_HEADERS:
            return "the runtime depends on the standard library alone"
        return None
    # A header of ours stands directly in a layer's folder, so checks/ and what is above cannot be reached.
    if any((root / folder / name).is_file() and "/" not in name for folder in layer.sees):
        return None
    return f"no header of that name in {', '.join(layer.sees) or 'any layer below'}"


def checks_are_single_files(root):
    """A check has no header, so no check and no fact can include one."""
    for file in (root / "plugin/analysis/checks").iterdir():
        if file.suffix != ".cpp":
            yield f"{file.relative_to(root)}: a check is one .cpp file"


def checks_have_four_places(root):
    catalogue = CATALOGUE_LINE.findall((root / "plugin/analysis/Catalogue.def").read_text())
    names = [name for _, name in catalogue]
    if names != sorted(names):
        yield "plugin/analysis/Catalogue.def is not sorted by name"
    for file, name in catalogue:
        camel_case = "".join(word.capitalize() for word in name.removeprefix("cancel-").split("-"))
        if not name.startswith("cancel-") or file != camel_case:
            yield f"plugin/analysis/Catalogue.def: the file of {name} is {camel_case}, not {file}"
        for place in (f"plugin/analysis/checks/{file}.cpp", f"docs/checks/{name}.md",
                      *(f"test/checks/{name}/{kind}.cpp" for kind in ("warns", "quiet"))):
            if not (root / place).is_file():
                yield f"{name} has no {place}"

    def orphans(found, known, what):
        return (f"{what} {orphan} belongs to no check of the catalogue" for orphan in sorted(set(found) - set(known)))

    yield from orphans((f.stem for f in (root / "plugin/analysis/checks").glob("*.cpp")),
                       (file for file, _ in catalogue), "plugin/analysis/checks: file")
    yield from orphans((f.stem for f in (root / "docs/checks").glob("cancel-*.md")), names, "docs/checks: page")
    yield from orphans((f.name for f in (root / "test/checks").iterdir() if f.is_dir() and f.name.startswith("cancel-")),
                       names, "test/checks: folder")


def sources_name_their_licence(root):
    for folder in ("bench", "plugin", "rewriter", "runtime", "test"):
        for file in files_below(root / folder, SOURCES | SCRIPTS):
            first_lines = file.read_text(errors="replace").splitlines()[:2]  # the second, after a #! line
            if not any("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" in line for line in first_lines):
                yield f"{file.relative_to(root)} has no SPDX line"


def files_below(folder, suffixes):
    return sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix in suffixes)


RULES = (includes_run_one_way, checks_are_single_files, checks_have_four_places, sources_name_their_licence)
