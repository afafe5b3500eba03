#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""b_eff of steelyard beside that of the public b_eff.

Runs both programs alternately, with the same number of processes and the same memory per process (the public program
has it compiled in; its files tell). Within a pair the order changes from pair to pair, because whoever comes first
meets another machine. A public program compiled with SHORT or TEST is met by -short or -test.

Printed per quantity: median, least, largest and coefficient of variation of either side, the ratio of the medians
(ours / public), and whether our median lies between the least and the largest value of the public program.

The public program counts the messages of a pattern as rank 0 sees them, which is wrong where rings differ in size.
Where the two programs count differently, the rows marked * show its values with the messages counted as ours are.
"""

import argparse
import math
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
NUMBER = r"([0-9.]+)"
RINGS = 6
QUANTITIES = [  # name in a result, words, unit
    ("b_eff", "b_eff", "MB/s"),
    ("rings", "ring average", "MB/s"),
    ("random", "random average", "MB/s"),
    ("pingpong_bandwidth", "ping-pong bandwidth at Lmax", "MB/s"),
    ("pingpong_latency", "ping-pong latency", "us"),
    ("seconds", "wall time", "s"),
]
COUNTED_ALIKE = [("b_eff*", "b_eff *", "MB/s"), ("rings*", "ring average *", "MB/s")]


def find(pattern, text, what):
    match = re.search(pattern, text, re.MULTILINE | re.IGNORECASE)
    if match is None:
        sys.exit(f"cannot find {what} in the file:\n{text[-2000:]}")
    return match.group(1)


def section(text, name):
    return find(rf"SECTION-{name}-BEGIN([\s\S]*?)SECTION-{name}-END", text, f"section {name}")


def average(text, words):
    """Accumulated value of a line 'log_avg ... || per process -> accumulated MByte/s'."""
    return float(find(rf"^ {re.escape(words)}.*-> *{NUMBER} MByte/s", section(text, "BY-PATTERN-MSGLNG"), words))


def read(prefix):
    """What the .short file of either program tells."""
    text = prefix.with_suffix(".short").read_text()
    messages = re.findall(r"^ p(\d\d) .{17} +\d+ +(\d+) ", section(text, "PATTERN"), re.MULTILINE)
    return {
        "b_eff": float(find(rf"^b_eff[A-Z&]* = +{NUMBER} MB/s", text, "the last line")),
        "rings": average(text, "log_avg of all rings"),
        "random": average(text, "log_avg of all random"),
        "pingpong_bandwidth": float(find(rf"ping-pong bandwidth at Lmax *[:=] *{NUMBER}", text, "the bandwidth")),
        "pingpong_latency": float(find(rf"ping-pong latency *[:=] *{NUMBER}", text, "the latency")),
        "mark": find(r"^b_eff([A-Z&]*) = ", text, "the last line"),
        "memory": int(find(r"MEMORY_PER_PROCESSOR = (\d+) MBytes", text, "the memory per process")),
        "ring_messages": [int(count) for number, count in messages if int(number) < RINGS],
    }


def launch(args, words, prefix):
    begin = time.monotonic()
    done = subprocess.run([*shlex.split(args.mpiexec), "-n", str(args.n), *words, "-f", prefix.name], cwd=prefix.parent, env=ENV,
                          capture_output=True, text=True, timeout=args.limit)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout}{done.stderr}")
    return dict(read(prefix), seconds=time.monotonic() - begin)


def words_like(public):
    """Words that make our run the experiment of the public program."""
    schedule = {"": [], "SHORT": ["-short"], "TEST": ["-test"], "SHORT&TEST": ["-short", "-test"]}[public["mark"]]
    return ["b-eff", "-mem", str(public["memory"]), *schedule]


def measure(args, folder):
    public, ours = [], []

    def run_public():
        public.append(launch(args, [args.reference], folder / f"public{len(public)}"))

    def run_ours():
        ours.append(launch(args, [args.steelyard, *words_like(public[0]), *args.words], folder / f"ours{len(ours)}"))

    for pair in range(args.pairs):
        for run in (run_public, run_ours) if pair % 2 == 0 else (run_ours, run_public):
            run()
        print(f"pair {pair + 1}: public {public[-1]['b_eff']:.1f}, ours {ours[-1]['b_eff']:.1f} MB/s", file=sys.stderr)
    return public, ours


def count_alike(public, ours):
    """Adds the values with an asterisk; returns the rings that are counted differently."""
    theirs, right = public[0]["ring_messages"], ours[0]["ring_messages"]
    factor = math.prod(b / a for a, b in zip(theirs, right)) ** (1 / RINGS)
    for result in public:
        result["rings*"] = result["rings"] * factor
        result["b_eff*"] = result["b_eff"] * math.sqrt(factor)
    for result in ours:
        result["rings*"], result["b_eff*"] = result["rings"], result["b_eff"]
    return [f"p{i:02d}: {a} messages, ours {b}" for i, (a, b) in enumerate(zip(theirs, right)) if a != b]


def side(values):
    mean = statistics.fmean(values)
    cv = 100 * statistics.stdev(values) / mean if len(values) > 1 else 0.0
    return f"{statistics.median(values):10.3f} {min(values):10.3f} {max(values):10.3f} {cv:6.1f} %"


def row(name, words, unit, public, ours):
    theirs, mine = [r[name] for r in public], [r[name] for r in ours]
    ratio = statistics.median(mine) / statistics.median(theirs)
    inside = "yes" if min(theirs) <= statistics.median(mine) <= max(theirs) else "no"
    return f"{words + ' [' + unit + ']':34} |{side(theirs)} |{side(mine)} | {ratio:6.3f}  {inside}"


def report(args, public, ours):
    head = f"{'median':>10} {'least':>10} {'largest':>10} {'CV':>8}"
    different = count_alike(public, ours)
    print(f"{args.n} processes, {public[0]['memory']} MB per process, {args.pairs} pairs"
          f"{', mark ' + public[0]['mark'] if public[0]['mark'] else ''}")
    print(f"{'':34} |{'public b_eff':^41} |{'steelyard b-eff':^41} | ours /")
    print(f"{'':34} |{head} |{head} | public  inside its spread")
    for quantity in QUANTITIES + (COUNTED_ALIKE if different else []):
        print(row(*quantity, public, ours))
    for line in different:
        print(f"* the public program counts {line}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", required=True, type=os.path.abspath, help="the public program b_eff")
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program, same MPI library")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher and its own words; -n N follows")
    parser.add_argument("-n", type=int, default=2, help="processes")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=1800, help="seconds that one run may take")
    parser.add_argument("--keep", type=pathlib.Path, help="directory in which all files stay")
    parser.add_argument("words", nargs="*", help="more words for our run, after --: -looptime 0.01 for example")
    return parser.parse_args()


def main():
    args = arguments()
    if args.n < 2 or args.pairs < 1:
        sys.exit("at least 2 processes and 1 pair")
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep.absolute() if args.keep else pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        report(args, *measure(args, folder))


if __name__ == "__main__":
    main()
