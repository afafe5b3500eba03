#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FTIO of steelyard beside the same written down plainly on FFTW's distributed transform and MPI-IO (ftio_peer).

Both transform the same matrix with the same number of processes in the same directory, the page cache left alone, one
after the other; within a round the order changes from round to round. A round in which somebody else used more than a few
percent of the processors is thrown away and measured again. Both must be built with the same MPI library.

Printed per phase and in total: median, least and largest seconds of either side, ratio of the medians (more than 1 is
better for ours), range of the ratios of the rounds. The goal: a total ratio of at least 1.
"""

import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from hpcc_versus import ENV, others_share, own_seconds, processor_ticks

PHASES = ["A init", "B dft1", "C transpose", "D exchange", "E dft2", "F verify"]


def launch(args, words):
    """What it prints, and the part of the processors that others used."""
    before, own, begin = processor_ticks(), own_seconds(), time.monotonic()
    done = subprocess.run([*shlex.split(args.mpiexec), "-n", str(args.n), *map(str, words)], env=ENV, capture_output=True,
                          text=True, timeout=args.limit)
    wall = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {words}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout, others_share(before, processor_ticks(), own_seconds() - own, wall)


def run_peer(args, _):
    text, others = launch(args, [args.peer, args.directory, args.parameter])
    result = json.loads(text.splitlines()[-1])
    if not result["largest_difference"] <= result["allowed_difference"]:
        sys.exit(f"the peer's transform is wrong: {result}")
    return result, others


def run_ours(args, folder):
    words = [args.steelyard, "ftio", args.parameter, "-dir", args.directory, "--out", folder, "--quiet", *args.words]
    _, others = launch(args, words)
    lines = (folder / "result.jsonl").read_text().strip("\n").split("\n")
    point, = [record for record in map(json.loads, lines) if record["type"] == "point"]
    if point["verified"] is not True:
        sys.exit(f"ours is wrong: {folder}")
    return point["classic"], others


def measure(args, folder):
    kept, thrown = [], 0
    while len(kept) < args.rounds:
        number = len(kept) + thrown
        sides, shares = {}, []
        runs = [("peer", run_peer), ("ours", run_ours)]
        for name, run in runs if number % 2 == 0 else reversed(runs):
            sides[name], others = run(args, folder / f"{name}{number}")
            shares.append(others)
        if max(shares) > args.others:
            thrown += 1
            print(f"round {number + 1}: others used {100 * max(shares):.1f} % of the processors, thrown away", file=sys.stderr)
            if thrown > 3 * args.rounds:
                sys.exit("this machine is not quiet")
            continue
        kept.append((sides["peer"], sides["ours"]))
        print(f"round {number + 1}: peer {sides['peer']['total_s']:.2f} s, ours {sides['ours']['total_s']:.2f} s",
              file=sys.stderr)
    return kept, thrown


def row(name, peer, ours, goal=""):
    side = lambda v: f"{statistics.median(v):9.4f} {min(v):9.4f} {max(v):9.4f}"
    ratios = [a / b for a, b in zip(peer, ours)]
    ratio = statistics.median(peer) / statistics.median(ours)
    met = f"{goal} {'met' if ratio >= goal else 'MISSED'}" if goal else ""
    return f"{name:18} |{side(peer)} |{side(ours)} | {ratio:7.3f} {min(ratios):7.3f} {max(ratios):7.3f} {met}"


def report(args, rounds, thrown):
    print(f"{args.n} processes, i = {args.parameter}, {args.rounds} rounds ({thrown} thrown away), seconds")
    head = f"{'median':>9} {'least':>9} {'largest':>9}"
    print(f"{'':18} |{'peer':^29} |{'steelyard':^29} | peer/ours")
    print(f"{'':18} |{head} |{head} | {'median':>7} {'least':>7} {'most':>7} goal")
    for index, name in enumerate(PHASES):
        print(row(name, *[[side["phase_s"][index] for side in sides] for sides in zip(*rounds)]))
        print(row("  I/O of it", *[[side["phase_io_s"][index] for side in sides] for sides in zip(*rounds)]))
    print(row("A to E", *[[side["total_s"] for side in sides] for sides in zip(*rounds)], goal=1.0))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program")
    parser.add_argument("--peer", required=True, type=os.path.abspath, help="ftio_peer of the same build")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher and its own words; -n N follows")
    parser.add_argument("-n", type=int, default=2, help="processes")
    parser.add_argument("--parameter", type=int, default=64, help="i; the matrix takes 16 i^4 n^2 bytes")
    parser.add_argument("--directory", default=".", help="directory in whose file system both work")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--others", type=float, default=0.05, help="part of the processors that others may use")
    parser.add_argument("--limit", type=float, default=3600, help="seconds that one run may take")
    parser.add_argument("words", nargs="*", help="more words for our run, after --")
    return parser.parse_args()


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        report(args, *measure(args, pathlib.Path(temporary)))


if __name__ == "__main__":
    main()
