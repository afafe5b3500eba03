#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Patterns of b_eff_io beside the public IOR, which moves as many bytes by the same MPI-IO library in the same directory.

Each variant names a launcher and the IOR that was built with its library. In a round every variant runs b-eff-io once,
in turning order, and right after it IOR once for each pattern and access: writing a new file, writing it again, reading
it. What both programs do alike is compared:

    scatter    strided and collective, chunks of all processes in turn       IOR -c, a segment per call
    separated  a file per process                                            IOR -F
    segmented  one file, a part per process                                  IOR
    seg_coll   the same, collective                                          IOR -c

with chunks of 1 MB, 32 kB and 1 kB (scatter: 1 MB), each pattern with its sync inside the time (IOR -e), without opening
and closing. Types with a shared file pointer and calls that scatter many chunks have no like in IOR.

A virtual machine gets memory, and blocks of a disk, that its host has not given yet more slowly than those that it has,
and then the program that writes more new files waits for them, which is b_eff_io, while IOR writes into what its last
file had. With --touch a file of so many MiB is written in the directory and removed before every run that writes new
files, ours and IOR's, so that both find them there.

Printed: median rates of both, and median, least and largest ratio within a round. Rounds with less than 4 MB a process
in a pattern leave it out: its time would be that of the sync alone.
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
import typing

from beffio_beside import ACCESSES, ENV, MEBI, own_run


class Pattern(typing.NamedTuple):
    number: int
    kind: str
    words: tuple = ()
    interleaved: bool = False


PATTERNS = [
    Pattern(3, "scatter", ("-c",), True),
    *(Pattern(number, "separated", ("-F",)) for number in (19, 20, 21)),
    *(Pattern(number, "segmented") for number in (27, 28, 29)),
    *(Pattern(number, "seg_coll", ("-c",)) for number in (36, 37, 38)),
]
LEAST_BYTES = 4 * MEBI
WORDS_OF = {"write": ("-w",), "rewrite": ("-w", "-E"), "read": ("-r", "-E")}


def touch(args, folder):
    """What files take next comes from the host now."""
    if args.touch == 0:
        return
    path = folder / "touched"
    with open(path, "wb", buffering=0) as file:
        for _ in range(args.touch):
            file.write(bytes(MEBI))
        os.fsync(file.fileno())
    path.unlink()


def own_points(args, launcher, folder):
    """Figures of a run by pattern and access."""
    touch(args, folder)
    return {(point["classic"]["pattern_number"], point["params"]["access"]): point["classic"]
            for point in own_run(args, launcher, folder)}


def ior(args, launcher, program, folder, pattern, access, chunk, calls):
    """Byte per second of so many calls of every process."""
    block, segments = (chunk, calls) if pattern.interleaved else (chunk * calls, 1)
    words = [*shlex.split(launcher), "-n", str(args.n), program, "-a", "MPIIO", *pattern.words, *WORDS_OF[access], "-k",
             "-b", str(block), "-t", str(chunk), "-s", str(segments), "-o", str(folder / f"ior.{pattern.number}"),
             "-O", f"summaryFile={folder / 'ior.json'}", "-O", "summaryFormat=JSON"]
    words += [] if access == "read" else ["-e"]
    if access == "write":
        touch(args, folder)
    done = subprocess.run(words, env=ENV, capture_output=True, text=True, timeout=args.limit, check=False)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout[-1000:]}{done.stderr}")
    result, = json.loads((folder / "ior.json").read_text())["tests"][0]["Results"]
    return args.n * chunk * calls / result["wrRdTime"]


def measure(args, folder):
    """Rates of ours and of IOR, one of each round, by variant, pattern and access."""
    rates = {}
    for number in range(args.rounds):
        turn = number % len(args.variants)
        for name, launcher, program in args.variants[turn:] + args.variants[:turn]:
            points = own_points(args, launcher, folder)
            for pattern in PATTERNS:
                chunk = points[pattern.number, "write"]["chunk_byte"]
                calls = min(points[pattern.number, access]["bytes_moved_byte"] for access in ACCESSES) // (args.n * chunk)
                if calls * chunk >= LEAST_BYTES:
                    for access in ACCESSES:
                        own = points[pattern.number, access]
                        pair = (own["bytes_moved_byte"] / own["time_s"],
                                ior(args, launcher, program, folder, pattern, access, chunk, calls))
                        rates.setdefault((name, pattern, chunk, access), []).append(pair)
                for path in folder.glob("ior.*"):
                    path.unlink()
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
    return rates


def report(args, rates):
    print(f"{args.n} processes, MB/s (10^6), medians of {args.rounds} rounds; ratio: ours over IOR's, median (least .. largest)")
    print(f"{'':10} {'type':10} {'chunk':>8} {'access':8} {'b_eff_io':>10} {'IOR':>10}   ratio")
    for (name, pattern, chunk, access), pairs in rates.items():
        ours, other = (statistics.median(side) / 1e6 for side in zip(*pairs))
        ratios = sorted(own / peer for own, peer in pairs)
        print(f"{name:10} {pattern.kind:10} {chunk:8} {access:8} {ours:10.0f} {other:10.0f}   "
              f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} .. {ratios[-1]:.2f}) {len(pairs)}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program")
    parser.add_argument("--variant", action="append", required=True, metavar="NAME=IOR=LAUNCHER",
                        help="IOR and the launcher of its library with its own words, several times; -n N follows")
    parser.add_argument("-n", type=int, default=2, help="processes")
    parser.add_argument("--seconds", type=float, default=6, help="T of b_eff_io")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", default=".", help="on the file system that is measured")
    parser.add_argument("--touch", type=int, default=0, metavar="MIB", help="size of a file to write and remove before new ones")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one run may take")
    args = parser.parse_args()
    args.variants = [(name, launcher, os.path.abspath(program))
                     for name, program, launcher in (one.split("=", 2) for one in args.variant)]
    return args


def main():
    args = arguments()
    with tempfile.TemporaryDirectory(dir=args.directory) as folder:
        report(args, measure(args, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
