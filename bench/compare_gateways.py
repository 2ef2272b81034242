#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two gateways under the same load, in alternating runs on 127.0.0.1.

usage: compare_gateways.py BEFORE AFTER CLIENT [--pairs N] [--seconds N]
"""

import argparse
import statistics

from run_gateway import run

def cpu_per_order(client, gateway):
    return 1e9 * (gateway["user_seconds"] + gateway["system_seconds"]) / client["orders"]


# What a run is judged by: name, format, value of what the client and the gateway measured.
METRICS = [
    ("orders per second", "{:.0f}", lambda c, g: c["orders_per_second"]),
    ("latency p50, us", "{:.1f}", lambda c, g: c["p50_us"]),
    ("latency p99, us", "{:.1f}", lambda c, g: c["p99_us"]),
    ("latency p99.9, us", "{:.1f}", lambda c, g: c["p999_us"]),
    ("gateway CPU per order, ns", "{:.1f}", cpu_per_order),
]


def median_and_spread(values, form):
    low, middle, high = (form.format(f(values)) for f in (min, statistics.median, max))
    return f"{middle} ({low} .. {high})"


def print_table(before, after):
    rows = [("median (min .. max)", "before", "after", "after / before")]
    for name, form, value in METRICS:
        old, new = [value(*r) for r in before], [value(*r) for r in after]
        # Of each pair, because its two runs are close in time and met the same machine.
        ratios = [n / o for o, n in zip(old, new)]
        rows.append(
            (
                name,
                median_and_spread(old, form),
                median_and_spread(new, form),
                median_and_spread(ratios, "{:.3f}"),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("client")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=2, help="of each run")
    options = parser.parse_args()

    def measure(gateway, seconds):
        return run(gateway, options.client, [f"--seconds={seconds}"])

    measure(options.before, 1), measure(options.after, 1)  # page cache, CPU frequency
    before, after = [], []
    for pair in range(1, options.pairs + 1):
        # A B, B A, ...: neither side always runs on a machine that the other has warmed.
        turns = [("before", options.before, before), ("after", options.after, after)]
        for name, gateway, results in turns if pair % 2 else reversed(turns):
            results.append(measure(gateway, options.seconds))
            client, _ = results[-1]
            print(
                f"  pair {pair} of {options.pairs}, {name + ':':7} "
                f"{client['orders_per_second']:.0f} orders/s, p99 {client['p99_us']:.0f} us",
                flush=True,
            )
    print()
    print_table(before, after)


if __name__ == "__main__":
    main()
