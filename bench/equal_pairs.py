#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often `compare` calls equal runs different, and whether it finds what was made slower, live.

Measures pairs of runs of the same command, one after the other, each of several launches, and counts the verdicts of
their comparison. With --slower the second run of each of the last pairs has the library of bench/slower.c preloaded,
which makes every operation longer by --ratio: most points should be called slower. The machine may be busy: what it
does to the numbers is what the comparison has to see through.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def called(words, env=None):
    done = subprocess.run([*map(str, words)], env=env or ENV, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def measured(asked, directory, env=None):
    called([asked.steelyard, "run", *asked.benchmarks.split(","), "-n", asked.n, "--launches", asked.launches, "--budget",
            asked.budget, "-o", directory, "--table", "none", "--progress", "none"], env)
    return directory


def verdicts(asked, base, new):
    compared = json.loads(called([asked.steelyard, "compare", base, new, "--format", "json"]))
    return collections.Counter(compared["counts"])


def pair(asked, place, number, slower):
    env = dict(ENV, LD_PRELOAD=str(asked.slower.resolve()), STEELYARD_BENCH_SLOWER=str(asked.ratio)) if slower else None
    base = measured(asked, place / f"{number}-base")
    new = measured(asked, place / f"{number}-new", env)
    found = verdicts(asked, base, new)
    load = os.getloadavg()[0]
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items()) if count)
    print(f"{'slower' if slower else 'equal':6} {number:3}  load {load:4.1f}  {told}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steelyard", required=True, help="the program")
    parser.add_argument("-n", type=int, default=os.cpu_count(), help="processes (all cores)")
    parser.add_argument("--pairs", type=int, default=20, help="of equal runs (20)")
    parser.add_argument("--launches", type=int, default=5, help="of a run (5)")
    parser.add_argument("--benchmarks", default="imb-mpi1/PingPong,imb-mpi1/Sendrecv,imb-mpi1/Allreduce")
    parser.add_argument("--budget", default="4s", help="of each launch (4s)")
    parser.add_argument("--slower", type=pathlib.Path, help="the library of slower.c")
    parser.add_argument("--ratio", type=float, default=0.10, help="by which it makes operations longer (0.10)")
    parser.add_argument("--planted", type=int, default=2, help="pairs with that library (2)")
    parser.add_argument("--keep", type=pathlib.Path, help="directory for the results (removed otherwise)")
    asked = parser.parse_args()
    sums = {False: collections.Counter(), True: collections.Counter()}
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        place = asked.keep or pathlib.Path(scratch)
        for number in range(asked.pairs + (asked.planted if asked.slower else 0)):
            slower = number >= asked.pairs
            found = pair(asked, place, number, slower)
            sums[slower] += found
            wrong += not slower and found["slower"] + found["faster"] > 0
    print(f"of {asked.pairs} pairs of equal runs {wrong} had a point called slower or faster")
    for slower, sum_of in sums.items():
        if sum_of:
            print("made slower:" if slower else "equal:", ", ".join(f"{n} {verdict}" for verdict, n in sorted(sum_of.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
