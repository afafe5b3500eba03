#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an answer costs: all of IMB-MPI1 by the public program and by steelyard in given times.

Each round launches the public program and steelyard once per `--shares` entry, in random order; a share is of the median
wall time of the public program, measured first, and is what `--budget` allows the measuring. Every launch is a new set of
processes: its reported values differ from the last one's by what the schedule leaves to chance.

A launch counts only if the probes of the machine's state (state_probe) agree before and after it, as in live_spread.py,
and lie in the commonest class of all.

Printed per program and share: wall time of the whole command, share of the points whose interval is within +-2 %,
and the run-to-run spread of the points' values: per point the root mean square of successive differences / sqrt 2 / mean,
then the median over points and the ratio to the public program's spread of the same points. Points below 1 us are left out
of the spread, since the public program prints two decimals.
"""

import argparse
import collections
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import imb_versus
import live_spread

PUBLIC = "public"


def run(words, limit_s):
    began = time.monotonic()
    done = subprocess.run(list(map(str, words)), env=live_spread.ENV, capture_output=True, text=True, timeout=limit_s, check=False)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout, time.monotonic() - began


def public(args):
    """Seconds per point, and of the whole launch."""
    words = [args.mpiexec, "-n", "2", *args.bind.split(), args.imb, "-npmin", "2"]
    text, wall_s = run(words, args.limit)
    found = {(name, size): value for (name, processes, mode, size), value in imb_versus.rows(text).items()
             if processes == 2 and value > 0}
    return found, None, wall_s


def ours(args, budget_s, folder):
    words = [args.steelyard, "run", "imb-mpi1", "-n", "2", "--np", "2", "--preset", "standard", "--budget",
             f"{budget_s:.2f}s", "-o", folder, "--table", "none", "--progress", "none", *args.words]
    _, wall_s = run(words, args.limit)
    values, narrow, points = {}, 0, 0
    for line in (folder / "result.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["type"] != "point" or record["status"] not in ("ok", "partial"):
            continue
        points += 1
        time_s = record["metrics"]["time_s"]
        middle, interval = time_s["median"], time_s.get("ci")
        if interval and interval[1] - interval[0] <= 2 * args.interval * middle:
            narrow += 1
        values[record["benchmark"], record["params"].get("message_byte", 0)] = middle
    return values, narrow / max(points, 1), wall_s


def launches(args, folder):
    """(side, class of the machine's state, values, share of narrow intervals, wall time) of every launch."""
    whole_s = statistics.median(public(args)[2] for _ in range(3))
    order, rows = random.Random(args.seed), []
    for number in range(args.launches):
        sides = [PUBLIC, *args.shares]
        order.shuffle(sides)
        for side in sides:
            before = live_spread.probe(args)
            if side == PUBLIC:
                values, narrow, wall_s = public(args)
            else:
                values, narrow, wall_s = ours(args, whole_s * side, folder / f"{side:g}-{number}")
            rows.append((side, live_spread.state(before, live_spread.probe(args)), values, narrow, wall_s))
        print(f"launch {number + 1}: " + ", ".join(f"{row[0]} {row[4]:.1f} s" for row in rows[-len(sides):]), file=sys.stderr)
    return rows


def spreads(rows, side):
    """Spread by point, of points that every launch of the side has."""
    of_side = [row[2] for row in rows if row[0] == side]
    common = set.intersection(*(set(values) for values in of_side))
    return {key: live_spread.spread([values[key] for values in of_side]) for key in common
            if statistics.median(values[key] for values in of_side) >= 1e-6}


def report(args, rows):
    common = collections.Counter(row[1] for row in rows if row[1] is not None).most_common(1)[0][0]
    kept = [row for row in rows if row[1] == common]
    theirs = spreads(kept, PUBLIC)
    print(f"{len(kept)} of {len(rows)} launches in one state; {len(theirs)} points of 1 us and more")
    print(f"{'program':12} {'launches':>8} {'wall s':>8} {'within 2 %':>10} {'spread':>8} {'to public':>10}")
    for side in [PUBLIC, *args.shares]:
        mine = [row for row in kept if row[0] == side]
        if len(mine) < 3:
            print(f"{side}: {len(mine)} launches in this state, no statement")
            continue
        own = spreads(kept, side)
        both = [key for key in own if key in theirs]
        narrow = "-" if side == PUBLIC else f"{statistics.median(row[3] for row in mine):.1%}"
        ratio = statistics.median(own[key] for key in both) / statistics.median(theirs[key] for key in both)
        name = side if side == PUBLIC else f"ours, {side:g}"
        print(f"{name:12} {len(mine):8} {statistics.median(row[4] for row in mine):8.2f} {narrow:>10} "
              f"{statistics.median(own[key] for key in both):8.2%} {ratio:10.2f}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--imb", required=True, help="the public IMB-MPI1, same MPI library")
    parser.add_argument("--steelyard", required=True, help="the program")
    parser.add_argument("--probe", required=True, help="build/.../bench/state_probe")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--bind", default="--bind-to core", help="words for the launcher")
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--shares", type=lambda word: [float(one) for one in word.split(",")], default=[1.0, 3.0],
                        help="budgets of ours as shares of the public program's time (1,3)")
    parser.add_argument("--interval", type=float, default=0.02, help="half width of an interval that is narrow (0.02)")
    parser.add_argument("--limit", type=float, default=600, help="seconds that one launch may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="further words of `run`, after --")
    return parser.parse_args()


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as folder:
        report(args, launches(args, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
