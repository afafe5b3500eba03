#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an answer costs: all of IMB-MPI1 by the public program and by steelyard in given times.

Each round launches the public program and steelyard once per `--shares` entry, in random order; a share is of the median
wall time of the public program, measured first, and is what `--budget` allows the measuring. Every launch is a new set of
processes: its reported values differ from the last one's by what the schedule leaves to chance.

A launch counts only if the probes of the machine's state (state_probe) agree before and after it, as in live_spread.py,
and lie in the commonest class of all.

Printed per program and share: wall time of the whole command, share of the points whose interval is within +-2 %,
and the run-to-run spread of the points' values: per point the root mean square of successive differences of ln(value) / sqrt 2,
then the median over points and the ratio to the public program's spread of the same points. Points below 1 us are left out
of the spread, since the public program prints two decimals.

A machine whose speed drifts moves all programs alike, which no program can help. The second spread is without that: each
value is divided by how much slower than usual the other programs of the same round were at that length (the median over
their points, of each program on its own). The noise of those programs is in it, so that its ratio lies nearer to 1.
"""

import argparse
import collections
import json
import math
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
    for line in (folder / "result.jsonl").read_text().strip("\n").split("\n"):
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


Launch = collections.namedtuple("Launch", "round side state values within wall_s")


def usual_wall_s(args):
    """Of the public program: median of three launches in a row within a fifth of each other, of the tenth at the latest. The first
    ones take three times as long where the machine did something else just before."""
    times = []
    while len(times) < 3 or (max(times[-3:]) > 1.2 * min(times[-3:]) and len(times) < 10):
        times.append(public(args)[2])
    return statistics.median(times[-3:])


def launches(args, folder):
    whole_s = usual_wall_s(args)
    order, rows = random.Random(args.seed), []
    for number in range(args.launches):
        sides = [PUBLIC, *args.shares]
        order.shuffle(sides)
        for side in sides:
            before = live_spread.probe(args)
            if side == PUBLIC:
                measured = public(args)
            else:
                measured = ours(args, whole_s * side, folder / f"{side:g}-{number}")
            rows.append(Launch(number, side, live_spread.state(before, live_spread.probe(args)), *measured))
        print(f"launch {number + 1}: " + ", ".join(f"{row.side} {row.wall_s:.1f} s" for row in rows[-len(sides):]),
              file=sys.stderr)
    return rows


def keep(rows, file):
    """A line of JSON for every launch, with all its values."""
    with file.open("w") as out:
        for row in rows:
            values = [[name, size, value] for (name, size), value in sorted(row.values.items())]
            print(json.dumps(row._replace(values=values)._asdict()), file=out)


def kept_in(file):
    for line in file.read_text().splitlines():
        row = Launch(**json.loads(line))
        yield row._replace(values={(name, size): value for name, size, value in row.values})


def deviations(rows, side):
    """Of each launch of the side, by point: natural logarithm of the value over the point's median. Points of 1 us and more
    that all its launches have."""
    mine = [row for row in rows if row.side == side]
    common = set.intersection(*(set(row.values) for row in mine))
    middle = {key: statistics.median(row.values[key] for row in mine) for key in common}
    return {row.round: {key: math.log(row.values[key] / middle[key]) for key in common if middle[key] >= 1e-6} for row in mine}


def by_length(points):
    """Median over the points of a length."""
    lists = collections.defaultdict(list)
    for (_, size), value in points.items():
        lists[size].append(value)
    return {size: statistics.median(values) for size, values in lists.items()}


def without_drift(of_side, others):
    """Deviations less the mean of what the other programs' points of that length deviated by in the same round."""
    rest = {}
    for number, points in of_side.items():
        drifts = [by_length(other[number]) for other in others if number in other]
        if not drifts:
            continue
        rest[number] = {key: value - statistics.mean(drift[key[1]] for drift in drifts) for key, value in points.items()
                        if all(key[1] in drift for drift in drifts)}
    return rest


def scatter(points):
    """By point, of deviations launch by launch: root mean square of successive differences over the square root of 2."""
    ordered = [points[number] for number in sorted(points)]
    common = set.intersection(*(set(one) for one in ordered)) if len(ordered) > 2 else set()
    return {key: math.sqrt(statistics.mean((b[key] - a[key]) ** 2 for a, b in zip(ordered, ordered[1:])) / 2)
            for key in common}


def columns(own, theirs):
    """Median over the points that both have, and its ratio to the public program's."""
    both = own.keys() & theirs.keys()
    if not both:
        return f"{'-':>8} {'-':>10}"
    mine = statistics.median(own[key] for key in both)
    return f"{mine:8.2%} {mine / statistics.median(theirs[key] for key in both):10.2f}"


def report(rows):
    common = collections.Counter(row.state for row in rows if row.state is not None).most_common(1)[0][0]
    kept = [row for row in rows if row.state == common]
    sides = [side for side, count in collections.Counter(row.side for row in kept).items() if count >= 3]
    if PUBLIC not in sides:
        sys.exit("fewer than 3 launches of the public program in the commonest state: no statement")
    sides.sort(key=lambda side: (side != PUBLIC, side if side != PUBLIC else 0))
    of_side = {side: deviations(kept, side) for side in sides}
    spreads = {side: scatter(of_side[side]) for side in sides}
    beside = {side: scatter(without_drift(of_side[side], [of_side[other] for other in sides if other != side])) for side in sides}
    print(f"{len(kept)} of {len(rows)} launches in one state; {len(spreads[PUBLIC])} points of 1 us and more")
    print(f"{'program':12} {'launches':>8} {'wall s':>8} {'within':>8} {'spread':>8} {'to public':>10} {'no drift':>8} {'to public':>10}")
    for side in sides:
        mine = [row for row in kept if row.side == side]
        narrow = "-" if side == PUBLIC else f"{statistics.median(row.within for row in mine):.1%}"
        name = side if side == PUBLIC else f"ours, {side:g}"
        print(f"{name:12} {len(mine):8} {statistics.median(row.wall_s for row in mine):8.2f} {narrow:>8} "
              f"{columns(spreads[side], spreads[PUBLIC])} {columns(beside[side], beside[PUBLIC])}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--imb", help="the public IMB-MPI1, same MPI library")
    parser.add_argument("--steelyard", help="the program")
    parser.add_argument("--probe", help="build/.../bench/state_probe")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--bind", default="--bind-to core", help="words for the launcher")
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--shares", type=lambda word: [float(one) for one in word.split(",")], default=[1.0, 3.0],
                        help="budgets of ours as shares of the public program's time (1,3)")
    parser.add_argument("--interval", type=float, default=0.02, help="half width of an interval that is narrow (0.02)")
    parser.add_argument("--keep", type=pathlib.Path, help="file for every value of every launch, JSON Lines")
    parser.add_argument("--read", type=pathlib.Path, help="such a file, instead of measuring")
    parser.add_argument("--limit", type=float, default=600, help="seconds that one launch may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="further words of `run`, after --")
    args = parser.parse_args()
    if not args.read and not (args.imb and args.steelyard and args.probe):
        parser.error("--imb, --steelyard and --probe are needed, or --read")
    return args


def main():
    args = arguments()
    if args.read:
        return report(list(kept_in(args.read)))
    with tempfile.TemporaryDirectory() as folder:
        rows = launches(args, pathlib.Path(folder))
    if args.keep:
        keep(rows, args.keep)
    report(rows)


if __name__ == "__main__":
    main()
