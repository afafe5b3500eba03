#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run-to-run spread of steelyard beside the public IMB.

Launches both programs alternately, in random order inside each pair. Before and after each launch a small program
reads the three state probes; a launch counts only if its probes agree before and after and lie in the commonest class
of its program's partner launches. steelyard gets the time that IMB spends
on all points together, in equal parts.
A campaign whose `wide` probe varies by more than 3 % between counted launches is void.

Reported per point: spread = root mean square of successive differences / sqrt 2 / mean, and the coefficient of
variation; then the geometric mean of the ratios ours / IMB's, with and without the points below 1 us (IMB prints two
decimals there).
"""

import argparse
import collections
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

POINTS = [  # benchmark, bytes, seconds that IMB's default spends at two processes
    ("PingPong", 0, 0.0015), ("PingPong", 1024, 0.003), ("PingPong", 65536, 0.016), ("PingPong", 1048576, 0.011),
    ("Allreduce", 8, 0.002), ("Allreduce", 1024, 0.003), ("Allreduce", 65536, 0.025), ("Allreduce", 1048576, 0.017),
    ("Barrier", None, 0.0009),
]
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def launch(args, words):
    done = subprocess.run([args.mpiexec, "-n", "2", *args.bind.split(), *words], env=ENV, capture_output=True, text=True,
                          timeout=300)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stderr}")
    return done.stdout


def probe(args):
    return [float(word) for word in launch(args, [args.probe]).split()]


def imb(args, lengths):
    """Median-free: the value that IMB prints, t[usec] of PingPong, t_max of collectives."""
    text = launch(args, [args.imb, "PingPong", "Allreduce", "Barrier", "-msglen", lengths])
    values, name = {}, None
    for line in text.splitlines():
        found = re.match(r"# Benchmarking (\S+)", line)
        if found:
            name = found.group(1)
        words = line.split()
        if not words or not words[0].isdigit():
            continue
        if name == "Barrier":
            values[name, None] = float(words[2]) * 1e-6
        elif name == "PingPong":
            values[name, int(words[0])] = float(words[2]) * 1e-6
        elif name == "Allreduce":
            values[name, int(words[0])] = float(words[3]) * 1e-6
    return values


def steelyard(args, config):
    budget = sum(seconds for _, _, seconds in POINTS) / len(POINTS) * args.scale
    how = ["--schedule", "adaptive", "--ci", "0.01%", "--point-budget", f"{budget * 1e3:.3f}ms", "--verify", "off"]
    text = launch(args, [args.steelyard, "run", "--config", config, *how, "-o", "-", "--progress", "none"])
    values = {}
    for line in text.splitlines():
        record = json.loads(line)
        if record["type"] == "point" and record["status"] in ("ok", "partial"):
            values[record["benchmark"], record["params"].get("message_byte")] = record["metrics"]["time_s"]["median"]
    return values


def write_inputs(folder, scale):
    lengths = os.path.join(folder, "lengths")
    with open(lengths, "w") as out:
        out.writelines(f"{size}\n" for size in sorted({p[1] for p in POINTS if p[1] is not None}))
    config = os.path.join(folder, "steps.toml")
    with open(config, "w") as out:
        for name, size, _ in POINTS:
            out.write(f'[[step]]\nselect = ["imb-mpi1/{name}"]\n')
            if size is not None:
                out.write(f'sizes = "{size}"\n')
    return lengths, config


def state(before, after):
    """Class of a launch: rounded logarithms of the c2c probe; nothing if it changed on the way, or if one of the two processes had
    no processor for a while, for which the probe prints 0."""
    if min(before[0], after[0]) <= 0:
        return None
    return round(math.log(before[0]) / math.log(1.4)) if abs(math.log(before[0] / after[0])) < math.log(1.4) else None


def spread(values):
    differences = [b - a for a, b in zip(values, values[1:])]
    rms = math.sqrt(sum(d * d for d in differences) / len(differences))
    return rms / math.sqrt(2) / statistics.mean(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--imb", required=True)
    parser.add_argument("--steelyard", required=True)
    parser.add_argument("--probe", required=True, help="build/.../bench/state_probe")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--bind", default="--bind-to core", help="words for the launcher")
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--scale", type=float, default=1.0, help="times IMB's own time per point")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    order = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        lengths, config = write_inputs(folder, args.scale)
        rows = []
        for number in range(args.launches):
            programs = [("imb", lambda: imb(args, lengths)), ("ours", lambda: steelyard(args, config))]
            order.shuffle(programs)
            for name, run in programs:
                before = probe(args)
                values = run()
                after = probe(args)
                rows.append((name, state(before, after), before, values))
            print(f"launch {number + 1}: " + "  ".join(f"{r[0]} c2c {r[2][0] * 1e9:.0f} ns" for r in rows[-2:]),
                  file=sys.stderr)
    common = collections.Counter(row[1] for row in rows if row[1] is not None).most_common(1)[0][0]
    kept = {name: [row for row in rows if row[0] == name and row[1] == common] for name in ("imb", "ours")}
    wide = [row[2][2] for side in kept.values() for row in side]
    variation = statistics.stdev(wide) / statistics.mean(wide)
    print(f"counted launches: IMB {len(kept['imb'])}, steelyard {len(kept['ours'])} of {args.launches}; "
          f"c2c {statistics.median(r[2][0] for r in kept['imb']) * 1e9:.0f} ns; wide varies by {variation:.1%}"
          + ("  -> VOID (more than 3 %)" if variation > 0.03 else ""))
    if min(map(len, kept.values())) < 5:
        sys.exit("fewer than 5 launches in one state on a side: no statement")
    print(f"{'point':<22}{'IMB mean':>12}{'ours mean':>12}{'IMB spread':>12}{'ours spread':>12}{'ratio':>8}{'CV ratio':>10}")
    ratios, large = [], []
    for name, size, _ in POINTS:
        sides = {side: [row[3][name, size] for row in kept[side]] for side in kept}
        s = {side: spread(values) for side, values in sides.items()}
        cv = {side: statistics.stdev(values) / statistics.mean(values) for side, values in sides.items()}
        means = {side: statistics.mean(values) for side, values in sides.items()}
        label = name if size is None else f"{name} {size}"
        if s["imb"] == 0:
            print(f"{label:<22}  IMB printed the same two decimals every time: left out")
            continue
        ratio = max(s["ours"], 1e-6) / s["imb"]
        ratios.append(ratio)
        if means["imb"] > 1e-6:
            large.append(ratio)
        print(f"{label:<22}{means['imb'] * 1e6:>10.2f}us{means['ours'] * 1e6:>10.2f}us{s['imb']:>12.2%}"
              f"{s['ours']:>12.2%}{ratio:>8.2f}{cv['ours'] / cv['imb'] if cv['imb'] else float('nan'):>10.2f}")
    for label, values in (("all points", ratios), ("points above 1 us", large)):
        if values:
            print(f"geometric mean of spread ratios, {label}: {statistics.geometric_mean(values):.2f}")


if __name__ == "__main__":
    main()
