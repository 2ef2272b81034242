#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one gateway under one load on 127.0.0.1, checks both sides, prints what they measured.

usage: run_gateway.py GATEWAY CLIENT [CLIENT-OPTION...]
"""

import json
import re
import subprocess
import sys

LONGEST_RUN = 100  # seconds; both programs end by themselves before that


def run(gateway, client, client_options):
    """What the client measured and what the gateway used. RuntimeError if anything is wrong."""
    server = subprocess.Popen(
        [gateway, f"--max-seconds={LONGEST_RUN}"], stdout=subprocess.PIPE, text=True
    )
    try:
        greeting = server.stdout.readline()
        address = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", greeting)
        if not address:
            raise RuntimeError(f"{gateway} said {greeting!r} instead of its address")
        load = subprocess.run(
            [client, f"--port={address[1]}", f"--timeout={LONGEST_RUN}", *client_options],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        server.terminate()
        remaining, _ = server.communicate(timeout=LONGEST_RUN)
    if load.returncode or server.returncode:
        raise RuntimeError(
            f"client ended with {load.returncode}, gateway with {server.returncode}: {load.stdout}"
        )

    asked, served = json.loads(load.stdout), json.loads(remaining)
    if asked["orders"] != served["orders"] or asked["cancelled"] == 0:
        raise RuntimeError(f"the two disagree: {asked} against {served}")
    return asked, served


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        for measured in run(sys.argv[1], sys.argv[2], sys.argv[3:]):
            print(json.dumps(measured))
    except (OSError, RuntimeError) as error:
        sys.exit(f"run_gateway.py: {error}")
