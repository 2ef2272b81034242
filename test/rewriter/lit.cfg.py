# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How the cases are run. A case is a directory: run.test, the project before/, and what becomes of it, after/.
#   %project             a fresh copy of before/, entered
#   %exits CODE COMMAND  COMMAND must exit with CODE
#   %migrate             cancel-migrate; code is parsed against the mock library of test/Inputs and the mock runtime
#   %cached-migrate      the same, with a cache: the others remember nothing
#   %real-migrate        cancel-migrate as it is, remembering nothing
#   %{migrate}           its path
#   %{mock}              what %migrate adds for the mock library and runtime
#   %{python}            for a case that a shell cannot make; it finds the modules in Inputs/drivers
#   %private-mounts COMMAND   COMMAND may mount what nobody else sees; for cases that require private-mounts
#   %{generate-tree}     the script that writes trees of any size
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "rewriter"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)
if shutil.which("strace"):
    config.available_features.add("strace")
private_mounts = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
if shutil.which("unshare"):
    probe = subprocess.run([*private_mounts, "mount", "-t", "tmpfs", "none", config.test_source_root], capture_output=True)
    if probe.returncode == 0:
        config.available_features.add("private-mounts")
for name in "CANCEL_SLOW_TESTS", "CANCEL_SEED":
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Each case copies its project into its own directory; so does what --undo needs.
config.environment["XDG_STATE_HOME"] = os.path.join(config.test_exec_root, "state")
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs", "drivers")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment["PATH"]])

inputs = os.path.join(config.project_source, "test", "Inputs")
runtime = os.path.join(config.test_source_root, "Inputs", "runtime")
mock = f"--extra-arg=-nostdinc++ --extra-arg=-isystem{inputs}/std --extra-arg=-I{inputs}"

config.substitutions += [
    ("%project", "cd %S && rm -rf %t && cp -r %S/before %t && cd %t"),
    ("%exits", f"{sys.executable} {config.test_source_root}/exits.py"),
    ("%migrate", f"{config.cancel_migrate} --no-cache {mock} --runtime {runtime}"),
    ("%cached-migrate", f"{config.cancel_migrate} {mock} --runtime {runtime}"),
    ("%{migrate}", config.cancel_migrate),
    ("%{mock}", f"{mock} --runtime {runtime}"),
    ("%real-migrate", f"{config.cancel_migrate} --no-cache"),
    ("%{python}", sys.executable),
    ("%{generate-tree}", os.path.join(config.project_source, "bench", "migrate", "generate.py")),
    ("%{tests}", os.path.join(config.project_source, "test")),
    ("%private-mounts", " ".join(private_mounts)),
    ("%{runtime}", os.path.join(config.project_source, "runtime", "include")),
    ("%{checks-docs}", os.path.join(config.project_source, "docs", "checks")),
]
