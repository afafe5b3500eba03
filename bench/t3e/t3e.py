#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""b_eff of a simulated Cray T3E-900 beside the values that were published for it.

    t3e.py BUILD [-p 2,4,8] [--polygons N] [--method non-blk] [--set NAME=VALUE ...]

BUILD is a build directory of the preset dev-smpi. The published values are those of data/systems.json."""

import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "scale"))

import smpi  # noqa: E402  (found there)

# Where each figure comes from is told in docs/scale.md.
FIGURES = {"STEELYARD_X": 8, "STEELYARD_Y": 16, "STEELYARD_Z": 4,
           "STEELYARD_BLOCK_X": 4, "STEELYARD_BLOCK_Y": 4,
           "STEELYARD_ONE_WAY": 330e6, "STEELYARD_BOTH": 420e6, "STEELYARD_LINK": 210e6,
           "STEELYARD_HOP_S": 1e-6, "STEELYARD_ENVELOPE": 880}
OVERHEAD_S = 2.5e-6
PROCESSES = (2, 4, 8, 12, 16, 24, 32, 64, 128)


def published():
    """b_eff per process in MB/s by number of processes."""
    records = json.loads((ROOT / "data" / "systems.json").read_text())["records"]
    return {record["config"]["processes"]: record["values"]["b_eff_per_process_mbyte_s"]
            for record in records if record["id"].startswith("002-T3E-")}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-p", "--processes", default=",".join(map(str, PROCESSES)))
    parser.add_argument("--polygons", type=int, default=30)
    parser.add_argument("--method", default="non-blk", choices=("non-blk", "Sndrcv", "both"))
    parser.add_argument("--loop", type=float, default=5e-4, help="seconds of a loop")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--overhead", type=float, default=OVERHEAD_S)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="a figure of the platform: LINK=3e8")
    return parser.parse_args()


def machine(chosen):
    figures = dict(FIGURES)
    figures.update((f"STEELYARD_{name}", value) for name, value in (word.split("=") for word in chosen.set))
    hosts = int(figures["STEELYARD_X"]) * int(figures["STEELYARD_Y"]) * int(figures["STEELYARD_Z"])
    torus = smpi.Machine(chosen.build / "bench/t3e/torus.so", hosts, figures,
                         smpi.overheads(chosen.overhead, chosen.overhead))
    # The simulator refuses a table of bandwidths beside the torus's own rule.
    torus.options = [option for option in torus.options if "bw-factor" not in option]
    return torus


def row(processes, told, seconds, known):
    """One line of the table; MB = 10^6 byte."""
    each = 1e-6 / processes
    simulated = told["b_eff_byte_s"] * each
    return (f"| {processes:4} | {known:9.2f} | {simulated:9.2f} | {100 * (simulated / known - 1):+6.1f} % "
            f"| {told['at_longest_byte_s'] * each:7.1f} | {told['rings_at_longest_byte_s'] * each:7.1f} "
            f"| {'yes' if told['verified'] else 'NO'} | {seconds:6.0f} |")


def run():
    chosen = arguments()
    known = published()
    print("| PEs | published | simulated | deviation | at L_max | rings at L_max | verified | seconds |")
    print("|-----|-----------|-----------|-----------|----------|----------------|----------|---------|")
    for processes in map(int, chosen.processes.split(",")):
        start = time.monotonic()
        told = machine(chosen).run(chosen.build / "tests/scale/scale.so", processes, "b-eff",
                                   f"polygons={chosen.polygons}", f"loop_s={chosen.loop}",
                                   f"seed={chosen.seed}", f"method={chosen.method}", limit_s=3600)
        print(row(processes, told, time.monotonic() - start, known[processes]), flush=True)


if __name__ == "__main__":
    run()
