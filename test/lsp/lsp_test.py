# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Drives cancel-clangd the way an editor does: our diagnostics come without configuration, each quick-fix alone gives a
# program that compiles, and the project's .clang-tidy can switch the checks off.
import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

from language_client import LanguageClient

CHECK = "cancel-callback-across-suspend"
PROGRAM = """#include "task.h"

task first(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}

task second(std::stop_token st, connection &peer) {
  while (!st.stop_requested()) {
    std::stop_callback on_stop(st, [&] { peer.cancel(); });
    co_await peer.receive();
  }
}
"""


def apply(text, edits):
    """The text after one LSP list of edits, whose positions all refer to the text before."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(position):
        return starts[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class CancelClangd(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        self.flags = ["-std=c++20", *(f"-I{path}" for path in OPTIONS.include)]
        (self.folder / "compile_flags.txt").write_text("\n".join(self.flags) + "\n")
        self.file = self.folder / "session.cpp"
        self.file.write_text(PROGRAM)

    def open_in(self, client):
        """The diagnostics of our checks for the program, as the server publishes them."""
        client.request("initialize", {
            "processId": None, "rootUri": self.folder.as_uri(),
            "capabilities": {"textDocument": {"codeAction": {  # edits rather than commands that only clangd knows
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}}})
        client.notify("initialized", {})
        client.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.file.as_uri(), "languageId": "cpp", "version": 1, "text": PROGRAM}})
        published = client.wait_for(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                                    and message["params"]["uri"] == self.file.as_uri())
        return [d for d in published["params"]["diagnostics"] if str(d.get("code", "")).startswith("cancel-")]

    def client(self, *flags):
        return LanguageClient([OPTIONS.clangd, "--background-index=false", *flags], self.folder, self.folder / "log")

    def test_each_fix_alone_gives_a_program_that_compiles(self):
        with self.client() as client:
            diagnostics = self.open_in(client)
            self.assertEqual([(d["code"], d["range"]["start"]["line"]) for d in diagnostics],
                             [(CHECK, 4), (CHECK, 11)])
            for diagnostic in diagnostics:
                actions = client.request("textDocument/codeAction", {
                    "textDocument": {"uri": self.file.as_uri()}, "range": diagnostic["range"],
                    "context": {"diagnostics": [diagnostic], "only": ["quickfix"]}})
                fixed = self.fixed_by(actions)
                self.assertEqual(fixed.count("#include <cancel/stop_slot.hpp>"), 1)
                self.assertEqual(fixed.count("cancel::stop_guard on_stop(cancel_slot,"), 1)
                self.assertEqual(fixed.count("std::stop_callback"), 1)
                self.file.write_text(fixed)
                subprocess.run([OPTIONS.clang, "-fsyntax-only", *self.flags, self.file], check=True)
            self.assertEqual(client.stop(), 0)

    def fixed_by(self, actions):
        """The program after the one quick-fix that rewrites the registration."""
        edits = [list(a["edit"]["changes"].values()) for a in actions if "cancel" in str(a.get("edit", ""))]
        self.assertEqual(len(edits), 1, actions)
        self.assertEqual(len(edits[0]), 1, "the fix stays in one file")
        return apply(PROGRAM, edits[0][0])

    def test_the_projects_configuration_switches_checks_off(self):
        (self.folder / ".clang-tidy").write_text(f"Checks: '-{CHECK}'\n")
        with self.client() as client:
            self.assertEqual(self.open_in(client), [])

    def test_without_clang_tidy_there_are_no_checks(self):
        with self.client("--clang-tidy=0") as client:
            self.assertEqual(self.open_in(client), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--clangd", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--include", action="append", required=True)
    OPTIONS = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
