#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The later parts of IMB beside their public programs: imb-nbc, imb-rma, imb-p2p and imb-mt, with both of the
times that overlap consists of.

Runs both alternately, in changing order, with the same benchmarks, sizes and repetitions (--imb-version 2021 where
there is a choice). Printed per row and time: median, least and largest value of either side over the rounds, the ratio of
the medians (ours / public), and whether our median lies between the least and the largest value of the public program,
or on which side; at the end how many of each part do. `--budget` ends the rounds of a part when its seconds are spent.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import imb_versus

SIZES = "1024,65536,1048576"
PARTS = {
    "imb-nbc": {"benchmarks": "Ibcast Iallgather Igather Iscatter Ialltoall Ireduce Ireduce_scatter Iallreduce Ibarrier".split(),
                "words": lambda n, sizes: ["-npmin", str(n), "-msglen", sizes, "-iter", "300,40,60", "-time", "1"],
                "ours": ["--imb-version", "2021"]},
    "imb-rma": {"benchmarks": "Unidir_put Unidir_get Bidir_put Put_local Accumulate Get_accumulate Fetch_and_op Compare_and_swap "
                              "One_put_all All_put_all All_get_all Exchange_put Truly_passive_put".split(),
                "words": lambda n, sizes: ["-npmin", str(n), "-msglen", sizes, "-iter", "300,40,60", "-time", "1"],
                "ours": ["--imb-version", "2021"]},
    "imb-p2p": {"benchmarks": "PingPong PingPing Unirandom Birandom Corandom Stencil2D SendRecv_Replace".split(),
                "words": lambda n, sizes: ["-msglen", sizes, "-iter", "2000,100", "-pause", "0"],
                "ours": []},
    "imb-mt": {"benchmarks": "PingPongMT PingPingMT SendRecvMT ExchangeMT UniBandMT BiBandMT BarrierMT BcastMT ReduceMT "
                             "AllReduceMT".split(),
               "words": lambda n, sizes: ["-count", "256,16384,262144", "-repeat", "100", "-warmup", "10"],
               "ours": []},
}
TIMES = "t[usec]", "t_max[usec]", "t_ovrl[usec]", "t_pure[usec]"


def times(text):
    """Seconds by (benchmark, processes, mode and heading, bytes); t_avg where a table has no other."""
    found = {}
    for name, processes, mode, row in imb_versus.table_rows(text):
        for heading in [one for one in TIMES if one in row] or ["t_avg[usec]"]:
            found[name, processes, f"{mode} {heading}".strip(), int(row.get("#bytes", 0))] = float(row[heading]) * 1e-6
    return found


def run(args, part, n, side, sizes, folder):
    ours = side == "ours"
    program = [args.steelyard, part] if ours else [str(args.public / part.upper())]
    words = [*program, *(args.benchmarks or PARTS[part]["benchmarks"]), *PARTS[part]["words"](n, str(sizes))]
    env = dict(imb_versus.ENV)
    if part == "imb-mt":
        words += ["-thread_level", "multiple" if args.threads > 1 else "single"]
        words += ["--threads", str(args.threads)] if ours else []
        env["OMP_NUM_THREADS"] = str(args.threads)
    words += PARTS[part]["ours"] if ours else []
    done = subprocess.run([*shlex.split(args.mpiexec), "-n", str(n), *words], cwd=folder, env=env, capture_output=True, text=True,
                          timeout=args.limit)
    found = times(done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout[-2000:]}{done.stderr}")
    return found


def measure(args, part, n, sizes, folder):
    values, end = {"public": [], "ours": []}, time.monotonic() + args.budget
    for number in range(args.rounds):
        for side in ("public", "ours") if number % 2 == 0 else ("ours", "public"):
            values[side].append(run(args, part, n, side, sizes, folder))
        print(f"{part}, {n} processes, round {number + 1} of {args.rounds}", file=sys.stderr)
        if time.monotonic() > end:
            break
    return values


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public", required=True, type=lambda word: pathlib.Path(word).absolute(),
                        help="folder with IMB-NBC, IMB-RMA, IMB-P2P, IMB-MT")
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program, same MPI library")
    parser.add_argument("--part", action="append", choices=sorted(PARTS), help="again for more; all without")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher and its own words; -n N follows")
    parser.add_argument("-n", default="2", help="numbers of processes")
    parser.add_argument("--threads", type=int, default=1, help="of each process, imb-mt")
    parser.add_argument("--sizes", default=SIZES, help="bytes; imb-mt has 256, 16384 and 262144 int")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=150, help="seconds after which a part begins no other round")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one run may take")
    parser.add_argument("benchmarks", nargs="*")
    return parser.parse_args()


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        sizes = folder / "sizes"
        sizes.write_text("".join(f"{size}\n" for size in args.sizes.split(",")))
        for part in args.part or PARTS:
            for n in map(int, args.n.split(",")):
                values = measure(args, part, n, sizes, folder)
                print(f"\n{part}, {len(values['ours'])} rounds")
                counts = imb_versus.report(n, values)
                print("; ".join(f"{word}: {count}" for word, count in counts.items()))


if __name__ == "__main__":
    main()
