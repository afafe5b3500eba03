#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The linear solver of steelyard beside that of the public hpcc, which cannot run it alone.

Both get the same orders (all in one run, as the other tests of the public program take long), block, grid, options and
BLAS threads; ours runs StarDGEMM and HPL only. Rounds alternate as in hpcc_versus.py, whose rule about others' use of the
processors holds here, too.

Printed per order: median, least and largest Gflop/s of either side, ratio of the medians, range of the ratios of the
rounds, and the part of the DGEMM rate of all processes at once (of the same run, at the size that follows from the
largest order) that each side's solver reaches.
"""

import json
import pathlib
import re
import statistics
import sys
import tempfile

import hpcc_versus

ROW = re.compile(r"^W[RC]\S+ +(\d+) +\d+ +\d+ +\d+ +\d+\.\d+ +([\d.e+-]+) *$", re.MULTILINE)


def input_text(args):
    orders = " ".join(map(str, args.orders))
    text = hpcc_versus.INPUT.format(n=orders, nb=args.block, p=args.grid[0], q=args.grid[1])
    lines = text.splitlines()
    lines[4] = str(len(args.orders))
    return "\n".join(lines) + "\n"


def run_public(args, folder):
    folder.mkdir()
    (folder / "hpccinf.txt").write_text(input_text(args))
    others, wall = hpcc_versus.launch(args, [args.reference], folder)
    text = (folder / "hpccoutf.txt").read_text()
    star = float(re.search(r"^StarDGEMM_Gflops=(\S+)$", text, re.MULTILINE).group(1))
    rates = {int(n): float(rate) for n, rate in ROW.findall(text)}
    return {"rates": rates, "dgemm": star * args.n, "others": others, "seconds": wall}


def run_ours(args, folder):
    (folder.parent / "ours.dat").write_text(input_text(args))
    words = [args.steelyard, "hpcc", "--input", folder.parent / "ours.dat", "--output", folder.parent / "ours.txt",
             "--truncate", "--only", "StarDGEMM,HPL", "--out", folder, "--quiet", *args.words]
    others, wall = hpcc_versus.launch(args, [str(word) for word in words], folder.parent)
    rates, star = {}, 0
    for line in (folder / "result.jsonl").read_text().strip("\n").split("\n"):
        record = json.loads(line)
        if record["type"] != "point":
            continue
        if record["status"] != "ok" or record["verified"] is not True:
            sys.exit(f"ours failed: {folder}")
        classic = record["classic"]
        if record["benchmark"] == "HPL":
            rates[classic["HPL_N"]] = 1e3 * classic["HPL_Tflops"]
        else:
            star = classic["StarDGEMM_Gflops"]
    return {"rates": rates, "dgemm": star * args.n, "others": others, "seconds": wall}


def measure(args, folder):
    kept, thrown = [], 0
    while len(kept) < args.rounds:
        number = len(kept) + thrown
        sides = {}
        runs = [("public", run_public), ("ours", run_ours)]
        for name, run in runs if number % 2 == 0 else reversed(runs):
            if name == "public" and args.alone:
                continue
            sides[name] = run(args, folder / f"{name}{number}")
        others = max(side["others"] for side in sides.values())
        if others > args.others:
            thrown += 1
            print(f"round {number + 1}: others used {100 * others:.1f} % of the processors, thrown away", file=sys.stderr)
            if thrown > 3 * args.rounds:
                sys.exit("this machine is not quiet")
            continue
        kept.append(sides)
        print(f"round {number + 1}: " + ", ".join(f"{name} {side['seconds']:.0f} s" for name, side in sides.items()),
              file=sys.stderr)
    return kept, thrown


def goals(args, order):
    """Ratio to the public program, part of DGEMM; None: no goal."""
    if args.n == 2:
        return (1.15 if order >= 16000 else 1.08 if order >= 8000 else None), (0.93 if order >= 16000 else None)
    return 1.0, None


def verdict(value, goal):
    return "" if goal is None else f"{goal:g} {'met' if value >= goal else 'MISSED'}"


def side(values):
    return f"{statistics.median(values):9.2f} {min(values):8.2f} {max(values):8.2f}"


def report(args, rounds, thrown):
    print(f"{args.n} processes, NB = {args.block}, grid {args.grid[0]}x{args.grid[1]}, {len(rounds)} rounds ({thrown} thrown away)")
    head = f"{'median':>9} {'least':>8} {'largest':>8}"
    print(f"{'N':>6} | public {head} | ours {head} | ratio, its range | of DGEMM: public, ours")
    for order in args.orders:
        of = lambda name: [sides[name]["rates"][order] for sides in rounds]
        part = lambda name: statistics.median(sides[name]["rates"][order] / sides[name]["dgemm"] for sides in rounds)
        mine, (ratio_goal, part_goal) = of("ours"), goals(args, order)
        mark = verdict(part("ours"), part_goal)
        if args.alone:
            print(f"{order:6} | {'-':^34} | {'':4} {side(mine)} | {'-':^16} | {part('ours'):.3f} {mark}")
            continue
        theirs = of("public")
        ratio = statistics.median(mine) / statistics.median(theirs)
        ratios = [a / b for a, b in zip(mine, theirs)]
        print(f"{order:6} | {'':6} {side(theirs)} | {'':4} {side(mine)} | {ratio:.3f}, {min(ratios):.3f} {max(ratios):.3f} "
              f"{verdict(ratio, ratio_goal)} | {part('public'):.3f}, {part('ours'):.3f} {mark}")


def arguments():
    parser = hpcc_versus.parser(__doc__)
    parser.add_argument("--orders", type=lambda word: [int(one) for one in word.split(",")], default=[8000, 16000],
                        help="N of the linear system, N,N,...")
    parser.add_argument("--alone", action="store_true", help="leave the public program out")
    args = parser.parse_args()
    args.grid = args.grid or (1, args.n)
    return args


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep.absolute() if args.keep else pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        report(args, *measure(args, folder))


if __name__ == "__main__":
    main()
