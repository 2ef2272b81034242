# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How the programs below <check>/ are run. Their RUN lines are made of
#   %flags FILE -- %mock         the lines marked "// FLAG", and no others, are reported
#   %fixed FILE -o OUT -- %cxx   OUT is what --fix makes of FILE; it compiles and is reported no more
#   %tidy FILE -- %mock          clang-tidy itself, for FileCheck to read
#   %cxx, %mock                  compiler flags; %mock takes the standard library from test/Inputs/std, which parses in
#                                milliseconds. Fixed programs include the runtime and so need the real one.
import os
import sys

import lit.formats

config.name = "checks"
config.test_format = lit.formats.ShTest()
config.suffixes = [".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment["PATH"]])

inputs = os.path.join(config.project_source, "test", "Inputs")
runtime = os.path.join(config.project_source, "runtime", "include")
compiler_flags = f"-std=c++20 -Wall -Wextra -Wno-unused-variable -I{inputs} -I{runtime}"
tidy_test = f"{sys.executable} {config.test_source_root}/tidy_test.py"

config.substitutions += [
    ("%flags", f"{tidy_test} flags --load={config.tidy_module}"),
    ("%fixed", f"{tidy_test} fixed --load={config.tidy_module}"),
    ("%module", config.tidy_module),
    ("%tidy", f"clang-tidy --quiet --load={config.tidy_module} '--checks=-*,cancel-*' '--config={{}}'"),
    ("%cxx", compiler_flags),
    ("%mock", f"{compiler_flags} -nostdinc++ -isystem {inputs}/std"),
]
