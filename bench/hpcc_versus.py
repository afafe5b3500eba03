#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HPC Challenge of steelyard beside the public program, Debian's hpcc for example.

Runs both alternately with the same order, block and grid of the linear system (from which all sizes follow), processes
and BLAS threads; within a round the order changes from round to round. A round in which somebody else used more than a
few percent of the processors is thrown away and measured again.

Printed per key of the Summary: median, least and largest value of either side, ratio of the medians such that more
than 1 is better for ours (times are turned over), range of the ratios of the rounds, and the goal.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

# The two variables force kernels that a processor does not deserve.
FOREIGN = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
ENV = dict({k: v for k, v in os.environ.items() if k not in FOREIGN},
           OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1",
           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
SIZES = ("DGEMM_N", "PTRANS_n", "STREAM_VectorSize", "RandomAccess_N", "MPIRandomAccess_N", "FFT_N", "MPIFFT_N")
GOALS = {  # of 2 processes; None: shown without a goal
    "SingleSTREAM_Copy": None, "SingleSTREAM_Scale": None, "SingleSTREAM_Add": None, "SingleSTREAM_Triad": 1.3,
    "StarSTREAM_Copy": None, "StarSTREAM_Scale": None, "StarSTREAM_Add": None, "StarSTREAM_Triad": 1.25,
    "HPL_Tflops": None, "SingleDGEMM_Gflops": None, "StarDGEMM_Gflops": 0.98, "PTRANS_GBs": 3,
    "MPIRandomAccess_GUPs": 15, "StarRandomAccess_GUPs": 1.8, "SingleRandomAccess_GUPs": 2.4,
    "MPIRandomAccess_LCG_GUPs": None, "StarRandomAccess_LCG_GUPs": None, "SingleRandomAccess_LCG_GUPs": None,
    "SingleFFT_Gflops": 4, "StarFFT_Gflops": 3, "MPIFFT_Gflops": 3,
    "MaxPingPongLatency_usec": 0.95, "RandomlyOrderedRingLatency_usec": 0.95, "NaturallyOrderedRingLatency_usec": 0.95,
    "MinPingPongBandwidth_GBytes": 0.95, "NaturallyOrderedRingBandwidth_GBytes": 0.95,
    "RandomlyOrderedRingBandwidth_GBytes": 0.95,
}
GOALS_OF_ONE = dict(GOALS, PTRANS_GBs=4)

INPUT = """HPLinpack benchmark input file
steelyard beside it
HPL.out
8
1
{n}
1
{nb}
0
1
{p}
{q}
16.0
1
2
1
4
1
2
1
1
1
1
1
1
2
64
0
0
1
8
##### PTRANS #####
0
0
0
0
"""


def others_share(before, after, own_s, wall_s):
    """Part of all processors' time that neither idled nor was ours."""
    ticks = os.sysconf("SC_CLK_TCK")
    busy = (sum(after) - after[3] - after[4] - sum(before) + before[3] + before[4]) / ticks
    return max(0.0, busy - own_s) / (wall_s * os.cpu_count())


def processor_ticks():
    with open("/proc/stat", encoding="ascii") as stat:
        return [int(word) for word in stat.readline().split()[1:9]]


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def launch(args, words, folder):
    """Runs it, tells others' share and seconds."""
    before, own, begin = processor_ticks(), own_seconds(), time.monotonic()
    done = subprocess.run([*shlex.split(args.mpiexec), "-n", str(args.n), *words], cwd=folder, env=ENV,
                          capture_output=True, text=True, timeout=args.limit)
    wall = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return others_share(before, processor_ticks(), own_seconds() - own, wall), wall


def run_public(args, folder):
    folder.mkdir()
    text = INPUT.format(n=args.order, nb=args.block, p=args.grid[0], q=args.grid[1])
    (folder / "hpccinf.txt").write_text(text)
    others, wall = launch(args, [args.reference], folder)
    summary = (folder / "hpccoutf.txt").read_text().split("Begin of Summary section.")[1]
    values = dict(re.findall(r"^(\w+)=(\S+)$", summary, re.MULTILINE))
    if values["Success"] != "1":
        sys.exit(f"the public program says Success={values['Success']}: {folder}")
    return dict(values, others=others, seconds=wall)


def run_ours(args, folder):
    words = [args.steelyard, "run", "hpcc", "--hpcc-n", str(args.order), "--hpcc-nb", str(args.block), "--hpcc-grid",
             f"{args.grid[0]}x{args.grid[1]}", "-o", str(folder), "--table", "none", "--progress", "none", "--quiet",
             "--preset", "official", *args.words]
    others, wall = launch(args, words, folder.parent)
    records = [json.loads(line) for line in (folder / "result.jsonl").read_text().split("\n") if line.strip()]
    summary = [r for r in records if r["type"] == "summary" and r["name"] == "hpcc"][-1]["classic"]
    if summary["Success"] != 1:
        sys.exit(f"ours says Success={summary['Success']}: {folder}")
    return dict(summary, others=others, seconds=wall)


def measure(args, folder):
    kept, thrown = [], 0
    while len(kept) < args.rounds:
        number = len(kept) + thrown
        sides = {}
        runs = [("public", run_public), ("ours", run_ours)]
        for name, run in runs if number % 2 == 0 else reversed(runs):
            sides[name] = run(args, folder / f"{name}{number}")
        others = max(sides["public"]["others"], sides["ours"]["others"])
        if others > args.others:
            thrown += 1
            print(f"round {number + 1}: others used {100 * others:.1f} % of the processors, thrown away", file=sys.stderr)
            if thrown > 3 * args.rounds:
                sys.exit("this machine is not quiet")
            continue
        kept.append((sides["public"], sides["ours"]))
        print(f"round {number + 1}: public {sides['public']['seconds']:.0f} s, ours {sides['ours']['seconds']:.0f} s",
              file=sys.stderr)
    return kept, thrown


def check_sizes(public, ours):
    for key in SIZES:
        if float(public.get(key, -1)) != float(ours.get(key, -1)):
            print(f"sizes differ: {key} is {public.get(key)} there, {ours.get(key)} here")


def row(key, goal, rounds):
    theirs, mine = [float(p[key]) for p, _ in rounds], [float(o[key]) for _, o in rounds]
    if min(mine) <= 0 or min(theirs) <= 0:
        return f"{key:36} not measured"
    less_is_better = key.endswith("_usec")
    better = (lambda ours, public: public / ours) if less_is_better else (lambda ours, public: ours / public)
    ratio = better(statistics.median(mine), statistics.median(theirs))
    ratios = [better(b, a) for a, b in zip(theirs, mine)]
    met = "" if goal is None else f"{goal:7g} {'met' if ratio >= goal else 'MISSED'}"
    side = lambda v: f"{statistics.median(v):11.5g} {min(v):10.4g} {max(v):10.4g}"
    return f"{key:36} |{side(theirs)} |{side(mine)} | {ratio:7.3f} {min(ratios):7.3f} {max(ratios):7.3f} {met}"


def report(args, rounds, thrown):
    public, ours = rounds[0]
    print(f"{args.n} processes, N = {args.order}, NB = {args.block}, grid {args.grid[0]}x{args.grid[1]}, {args.rounds} rounds"
          f" ({thrown} thrown away); ours: {ours.get('Sy_run')}, {ours.get('Sy_BLAS', '')} {ours.get('Sy_BLAS_kernel', '')}")
    check_sizes(public, ours)
    head = f"{'median':>11} {'least':>10} {'largest':>10}"
    print(f"{'':36} |{'public':^33} |{'steelyard':^33} | ours/public")
    print(f"{'':36} |{head} |{head} | {'median':>7} {'least':>7} {'most':>7}    goal")
    for key, goal in (GOALS_OF_ONE if args.n == 1 else GOALS).items():
        if key in public and key in ours:
            print(row(key, goal, rounds))


def grid(word):
    rows, columns = word.split("x")
    return int(rows), int(columns)


def parser(description):
    """What this and hpl_versus.py understand."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", default="hpcc", help="the public program")
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program, same MPI library")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher and its own words; -n N follows")
    parser.add_argument("-n", type=int, default=2, help="processes")
    parser.add_argument("--block", type=int, default=128, help="NB")
    parser.add_argument("--grid", type=grid, help="PxQ; 1xN if not said")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--others", type=float, default=0.03, help="part of the processors that others may use")
    parser.add_argument("--limit", type=float, default=3600, help="seconds that one run may take")
    parser.add_argument("--keep", type=pathlib.Path, help="directory in which all files stay")
    parser.add_argument("words", nargs="*", help="more words for our run, after --: --base for example")
    return parser


def arguments():
    own = parser(__doc__)
    own.add_argument("--order", type=int, default=10240, help="N of the linear system")
    args = own.parse_args()
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
