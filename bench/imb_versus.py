#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A front-end of steelyard beside the public program of IMB, on the same words.

Runs both alternately, in changing order, with the same benchmarks, sizes and rules (ours with --imb-version 2021 unless
told otherwise: the public program has no other). Of every row the slowest process counts (t[usec] or t_max[usec]).

Printed per row: median, least and largest value of either side over the rounds, the ratio of the medians (ours /
public), and whether our median lies between the least and the largest value of the public program, or on which side.
With --words "--imb-version 3.1" the aggregate rows of one-sided communication differ by definition: our transfers go to
disjoint sections, those of the public program all to one place.
"""

import argparse
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
BENCHMARKS = {"imb-ext": "Unidir_Put Unidir_Get Bidir_Put Bidir_Get Accumulate".split(),
              "imb-io": "S_Write_Indv S_Read_Indv P_Write_Expl P_Read_Expl C_Write_Expl C_Read_Expl".split(),
              "imb-rma": "Unidir_put Unidir_get Bidir_put Put_local Accumulate Get_accumulate Fetch_and_op Compare_and_swap "
                         "One_put_all All_put_all All_get_all Exchange_put Truly_passive_put".split(),
              "imb-mpi1": "PingPong Sendrecv Exchange Allreduce Bcast Alltoall".split()}


def table_rows(text):
    """(benchmark, processes, mode, cells by heading) of each row of a text of IMB."""
    name, processes, mode, heading = None, None, "", None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("# Benchmarking "):
            name, mode, heading = words[2], "", None
        elif line.startswith("# #processes = "):
            processes = int(re.match(r"# #processes = (\d+)", line).group(1))
        elif "MODE:" in words:
            mode = words[words.index("MODE:") + 1].lower()
        elif "#repetitions" in words:
            heading = words
        elif heading and words and words[0].isdigit() and len(words) == len(heading):
            yield name, processes, mode, dict(zip(heading, words))


def rows(text):
    """Seconds of each row by (benchmark, processes, mode, bytes)."""
    found = {}
    for name, processes, mode, row in table_rows(text):
        time = row.get("t_max[usec]") or row.get("t[usec]") or row.get("t_ovrl[usec]")
        if time:
            found[name, processes, mode, int(row.get("#bytes", 0))] = float(time) * 1e-6
    return found


def run(args, n, program, lengths, folder):
    own = ["--imb-version", "2021", *shlex.split(args.words)] if program[-1] == args.part else []
    words = [*program, *args.benchmarks, "-npmin", str(n), "-msglen", str(lengths), *own]
    done = subprocess.run([*shlex.split(args.mpiexec), "-n", str(n), *words], cwd=folder, env=ENV, capture_output=True,
                          text=True, timeout=args.limit)
    found = rows(done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout[-2000:]}{done.stderr}")
    return found


def measure(args, n, lengths, folder):
    programs = {"public": [args.reference], "ours": [args.steelyard, args.part]}
    values = {"public": [], "ours": []}
    for number in range(args.rounds):
        for side in ("public", "ours") if number % 2 == 0 else ("ours", "public"):
            values[side].append(run(args, n, programs[side], lengths, folder))
        print(f"{n} processes, round {number + 1} of {args.rounds}", file=sys.stderr)
    return values


def side(values):
    return f"{statistics.median(values) * 1e6:11.2f} {min(values) * 1e6:11.2f} {max(values) * 1e6:11.2f}"


def place(ours, public):
    """Where our median lies: "yes" between the least and the largest value of the public program, else on which side."""
    median = statistics.median(ours)
    return "faster" if median < min(public) else "slower" if median > max(public) else "yes"


def report(n, values):
    """Prints the table; returns how often each answer of place() was given."""
    counts = {"yes": 0, "faster": 0, "slower": 0}
    head = f"{'median':>11} {'least':>11} {'largest':>11}"
    print(f"\n{n} processes, times in microseconds")
    print(f"{'':44} |{'public':^36} |{'ours':^36} | ours /")
    print(f"{'row':44} |{head} |{head} | public  inside its spread")
    for key in values["public"][0]:
        public = [one[key] for one in values["public"] if key in one]
        ours = [one[key] for one in values["ours"] if key in one]
        if not ours:
            print(f"{'/'.join(map(str, key)):44} | not measured by ours")
            continue
        name, processes, mode, size = key
        label = f"{name} {processes} {mode} {size}"
        ratio = statistics.median(ours) / statistics.median(public) if statistics.median(public) > 0 else float("nan")
        inside = place(ours, public)
        counts[inside] += 1
        print(f"{label:44} |{side(public)} |{side(ours)} | {ratio:6.3f}  {inside}")
    return counts


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", required=True, type=os.path.abspath, help="the public program: IMB-EXT, IMB-IO, IMB-MPI1")
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program, same MPI library")
    parser.add_argument("--part", default="imb-ext", choices=sorted(BENCHMARKS), help="our front-end")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher and its own words; -n N follows")
    parser.add_argument("-n", default="2,4", help="numbers of processes")
    parser.add_argument("--sizes", default="1024,65536,1048576", help="bytes")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--words", default="", help="more words for our program")
    parser.add_argument("--limit", type=float, default=900, help="seconds that one run may take")
    parser.add_argument("benchmarks", nargs="*")
    args = parser.parse_args()
    args.benchmarks = args.benchmarks or BENCHMARKS[args.part]
    return args


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        lengths = folder / "lengths"
        lengths.write_text("".join(f"{size}\n" for size in args.sizes.split(",")))
        for n in map(int, args.n.split(",")):
            report(n, measure(args, n, lengths, folder))


if __name__ == "__main__":
    main()
