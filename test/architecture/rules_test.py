# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The project keeps its rules; and each rule can fail: a small tree that keeps them all breaks it when one breach is
# planted.
import pathlib
import sys
import tempfile
import unittest

import rules

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
GOOD_TREE = {
    "runtime/include/cancel/slot.hpp": SPDX + "#include <atomic>\n#include <cancel/config.hpp>\n#include <unistd.h>\n",
    "plugin/analysis/Check.h": SPDX + '#include "llvm/ADT/StringRef.h"\n#include <vector>\n',
    "plugin/analysis/Catalogue.def": SPDX + 'CHECK(ThingFault, "cancel-thing-fault")\n',
    "plugin/analysis/checks/ThingFault.cpp": SPDX + '#include "Check.h"\n#include "clang/AST/Expr.h"\n',
    "plugin/tidy/Host.h": SPDX + '#include "Check.h"\n#include "clang-tidy/ClangTidyCheck.h"\n',
    "plugin/clangd/Main.cpp": SPDX + '#include "Host.h"\n#include REGISTRY\n',
    "rewriter/Decide.cpp": SPDX + '#include "Check.h"\n',
    "docs/checks/cancel-thing-fault.md": "# cancel-thing-fault\n",
    "test/checks/cancel-thing-fault/warns.cpp": SPDX,
    "test/checks/cancel-thing-fault/quiet.cpp": SPDX,
    "test/run.py": "#!/usr/bin/env python3\n" + SPDX.replace("//", "#"),
    "bench/loop.cpp": SPDX,
}

# (rule, file, its content or None to leave it out, what the breach says)
PLANTED = (
    ("includes_run_one_way", "runtime/include/cancel/slot.hpp", '#include "llvm/ADT/StringRef.h"\n', "does not see llvm/"),
    ("includes_run_one_way", "runtime/include/cancel/slot.hpp", "#include <boost/asio.hpp>\n", "standard library alone"),
    ("includes_run_one_way", "runtime/include/cancel/slot.hpp", '#include "Check.h"\n', "no header of that name"),
    ("includes_run_one_way", "plugin/analysis/Check.h", "#include <cancel/slot.hpp>\n", "does not see cancel/"),
    ("includes_run_one_way", "plugin/analysis/Check.h", '#include "clang-tidy/ClangTidy.h"\n', "does not see clang-tidy/"),
    ("includes_run_one_way", "plugin/analysis/Check.h", "#include REGISTRY\n", "does not see clang-tidy"),
    ("includes_run_one_way", "plugin/analysis/Check.h", '#include "Host.h"\n', "no header of that name"),
    ("includes_run_one_way", "plugin/analysis/Check.h", '#include "checks/ThingFault.cpp"\n', "no header of that name"),
    ("includes_run_one_way", "plugin/analysis/checks/ThingFault.cpp", '#include "OtherFault.cpp"\n',
     "no header of that name"),
    ("includes_run_one_way", "plugin/tidy/Host.h", '#include "../clangd/Main.cpp"\n', "no header of that name"),
    ("includes_run_one_way", "rewriter/Decide.cpp", '#include "Host.h"\n', "no header of that name"),
    ("includes_run_one_way", "rewriter/Decide.cpp", '#  include "clang-tidy/ClangTidy.h"\n', "does not see clang-tidy/"),
    ("checks_are_single_files", "plugin/analysis/checks/ThingFault.h", SPDX, "one .cpp file"),
    ("checks_have_four_places", "plugin/analysis/checks/ThingFault.cpp", None, "has no plugin/analysis/checks"),
    ("checks_have_four_places", "docs/checks/cancel-thing-fault.md", None, "has no docs/checks"),
    ("checks_have_four_places", "test/checks/cancel-thing-fault/quiet.cpp", None, "has no test/checks"),
    ("checks_have_four_places", "plugin/analysis/checks/OtherFault.cpp", SPDX, "file OtherFault belongs to no check"),
    ("checks_have_four_places", "docs/checks/cancel-other-fault.md", "#\n", "page cancel-other-fault belongs to no check"),
    ("checks_have_four_places", "test/checks/cancel-other-fault/warns.cpp", SPDX, "folder cancel-other-fault belongs"),
    ("checks_have_four_places", "plugin/analysis/Catalogue.def", 'CHECK(Fault, "cancel-thing-fault")\n',
     "is ThingFault, not Fault"),
    ("checks_have_four_places", "plugin/analysis/Catalogue.def",
     'CHECK(ThingFault, "cancel-thing-fault")\nCHECK(A, "cancel-a")\n', "not sorted"),
    ("sources_name_their_licence", "runtime/include/cancel/slot.hpp", "#pragma once\n", "no SPDX line"),
    ("sources_name_their_licence", "test/run.py", "#!/usr/bin/env python3\n", "no SPDX line"),
    ("sources_name_their_licence", "bench/loop.cpp", "\n\n" + SPDX, "no SPDX line"),
)


class Rules(unittest.TestCase):
    def test_the_project_keeps_them(self):
        breaches = [breach for rule in rules.RULES for breach in rule(PROJECT)]
        self.assertEqual(breaches, [], "\n" + "\n".join(breaches))

    def test_a_good_tree_keeps_them(self):
        with planted({}) as root:
            self.assertEqual([breach for rule in rules.RULES for breach in rule(root)], [])

    def test_each_can_fail(self):
        for name, file, content, expected in PLANTED:
            with self.subTest(rule=name, breach=expected, file=file), planted({file: content}) as root:
                breaches = list(getattr(rules, name)(root))
                self.assertTrue(any(expected in breach for breach in breaches), breaches)
        self.assertEqual({name for name, *_ in PLANTED}, {rule.__name__ for rule in rules.RULES})


class planted:
    """GOOD_TREE with some files replaced, added or, where the content is None, left out."""

    def __init__(self, changes):
        self.tree = {**GOOD_TREE, **changes}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.folder.name)
        for path, content in self.tree.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            if content is not None:
                (root / path).write_text(content)
        return root

    def __exit__(self, *_):
        self.folder.cleanup()


if __name__ == "__main__":
    PROJECT = pathlib.Path(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
