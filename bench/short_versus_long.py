#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a short campaign answers what a long one does: `run --preset quick` and `run --preset standard` in turn.

A quick run stands before and after every standard one, so that what the machine changes by itself is seen apart from
what the preset changes. Printed per figure of merit: the median of either preset over its runs, their ratio, the ratio
of runs that measured it in a like state of the machine, and by how much the runs of one preset differ among themselves
(largest over least); a figure that a preset leaves out, or whose files lay in memory, is absent, which is no failure.
Beside a ratio stand "beyond", where it differs by more than the tolerance, "machine", where it does not within one
state or where the runs of one preset differ by as much, and the doubts that the runs tell of the figure. Then how long
the runs took, and the first sentence of every verdict. The exit code is 1 where a figure is beyond that neither the
machine explains nor a run doubts, or where both presets name a resource and name another one.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import typing

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


SAME_C2C = 1.4  # exchanges of a cache line that differ by less belong to one state, as in docs/methodology.md
MAIN_SHARE = 0.8  # of the visits of a point, which make a state its own

# Points that a figure comes from, by benchmark, kernel and metric; those of many points have no state.
POINTS = {"hpl_flop_s": ("HPL", None, None), "dgemm_star_flop_s": ("StarDGEMM", None, None),
          "fft_global_flop_s": ("MPIFFT", None, None), "ptrans_byte_s": ("PTRANS", None, None),
          "random_access_global_update_s": ("MPIRandomAccess", None, None),
          "random_access_star_update_s": ("StarRandomAccess", None, None),
          "stream_single_triad_byte_s": ("SingleSTREAM", "Triad", None),
          **{f"stream_star_{kernel.lower()}_byte_s": ("StarSTREAM", kernel, None) for kernel in ("Copy", "Scale", "Add", "Triad")},
          **{name: ("LatencyBandwidth", None, name)
             for name in ("natural_ring_byte_s", "natural_ring_latency_s", "pingpong_max_latency_s", "pingpong_min_byte_s",
                          "random_ring_byte_s", "random_ring_latency_s")}}


class Run(typing.NamedTuple):
    figures: dict
    states: dict  # exchange of a cache line when a figure was measured, s
    doubts: dict
    verdict: dict
    took_s: float | None  # none of a run that was measured before


def balance(program, *words):
    done = subprocess.run([program, "balance", *map(str, words), "--reference", "none", "--format", "json"], env=ENV,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["systems"][0]


def is_point_of(record, name):
    benchmark, kernel, metric = POINTS[name]
    return (record.get("type") == "point" and record.get("suite") == "hpcc" and record.get("benchmark") == benchmark
            and (kernel is None or record["params"].get("kernel") == kernel) and (metric is None or metric in record["metrics"]))


def states_of(records):
    """The exchange of a cache line with which nearly all visits of a figure's point were measured, where there is one."""
    found = {}
    for name in POINTS:
        for record in records:
            if is_point_of(record, name) and record.get("states"):
                main = record["states"][0]
                if main.get("c2c_s") and main["share"] >= MAIN_SHARE:
                    found[name] = main["c2c_s"]
    return found


def measured(program, preset, processes, directory, words):
    """Figures of one campaign, its doubts about them, its verdict, and how long it took; measured unless it is there."""
    run = [program, "run", "--preset", preset, "-n", str(processes), "-o", str(directory), "--table", "none", "--progress", "none"]
    took_s = None
    if not directory.exists():
        began = time.monotonic()
        done = subprocess.run([*run, *words], env=ENV, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{preset}: exit code {done.returncode}\n{done.stderr}")
        took_s = time.monotonic() - began
    text = (directory / "result.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.strip("\n").split("\n")]
    if records[-1]["type"] != "end":
        sys.exit(f"{directory}: a run that did not end")
    system = balance(program, directory)
    in_memory = system["facts"]["cached"]
    figures = {name: value for name, value in system["inputs"].items()
               if name.endswith("_s") and value and name not in in_memory}  # rates and times
    return Run(figures, states_of(records), system["facts"]["remarks"], system["verdict"], took_s)


def medians(runs):
    names = {name for run in runs for name in run.figures}
    return {name: statistics.median(run.figures[name] for run in runs if name in run.figures) for name in sorted(names)}


def scatter(runs, name):
    """Largest over least of what runs of one preset have of a figure, the larger of both presets; None where no two have it."""
    found = []
    for list_of in runs.values():
        values = [run.figures[name] for run in list_of if name in run.figures]
        if len(values) > 1:
            found.append(max(values) / min(values))
    return max(found, default=None)


def like(one, other):
    return max(one, other) <= SAME_C2C * min(one, other)


def ratio_within_states(runs, name):
    """Of quick to standard, the median over the standard runs that have quick runs of a like state; None where none has."""

    def known(list_of):
        return [run for run in list_of if name in run.figures and name in run.states]

    ratios = []
    for run in known(runs["standard"]):
        alike = [one.figures[name] for one in known(runs["quick"]) if like(one.states[name], run.states[name])]
        if alike:
            ratios.append(statistics.median(alike) / run.figures[name])
    return statistics.median(ratios) if ratios else None


def doubts(runs, name):
    return sorted({doubt for run in runs for doubt in run.doubts.get(name, [])})


def resources(runs):
    """What the verdicts of all runs name."""
    return {tuple(run.verdict.get("resources") or []) for run in runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steelyard", required=True, help="the program")
    parser.add_argument("-n", type=int, default=os.cpu_count(), help="processes (all cores)")
    parser.add_argument("--rounds", type=int, default=1, help="standard runs, a quick one before each and after the last (1)")
    parser.add_argument("--tolerance", type=float, default=0.10, help="of a ratio (0.10)")
    parser.add_argument("--keep", type=pathlib.Path, help="directory for the results (removed otherwise); those that lie there are read again")
    parser.add_argument("words", nargs="*", help="further words of `run`, after --")
    asked = parser.parse_args()
    runs = {"quick": [], "standard": []}
    with tempfile.TemporaryDirectory() as scratch:
        place = asked.keep or pathlib.Path(scratch)
        for number in range(2 * asked.rounds + 1):
            preset = "standard" if number % 2 else "quick"
            directory = place / f"{preset}{number // 2}"
            runs[preset].append(measured(asked.steelyard, preset, asked.n, directory, asked.words))
    quick, standard = medians(runs["quick"]), medians(runs["standard"])
    failed = False

    def is_beyond(ratio):
        return ratio is not None and not 1 - asked.tolerance <= ratio <= 1 + asked.tolerance

    print(f"{'figure':34} {'quick':>12} {'standard':>12} {'ratio':>7} {'a state':>7} {'scatter':>7}")
    for name in sorted(quick.keys() | standard.keys()):
        one, other = quick.get(name), standard.get(name)
        words = [f"{value:12.4g}" if value is not None else f"{'absent':>12}" for value in (one, other)]
        ratio = one / other if one is not None and other else None
        beyond = is_beyond(ratio)
        by_itself, in_state = scatter(runs, name), ratio_within_states(runs, name)
        as_scattered = by_itself is not None and beyond and max(ratio, 1 / ratio) <= by_itself
        machine = beyond and (as_scattered or (in_state is not None and not is_beyond(in_state)))
        told = doubts(runs["quick"] + runs["standard"], name)
        failed = failed or (beyond and not machine and not told)
        numbers = ["" if value is None else f"{value:7.3f}" for value in (ratio, in_state, by_itself)]
        remarks = ", ".join((["beyond"] if beyond else []) + (["machine"] if machine else []) + told)
        print(f"{name:34} {words[0]} {words[1]} {numbers[0]:7} {numbers[1]:7} {numbers[2]:7}  {remarks}".rstrip())
    for preset, list_of in runs.items():
        for run in list_of:
            took = "" if run.took_s is None else f", {run.took_s:.1f} s"
            print(f"{preset}{took}: {run.verdict['text'][0]}")
    named = [resources(list_of) - {()} for list_of in runs.values()]
    return 1 if failed or (all(named) and named[0] != named[1]) else 0


if __name__ == "__main__":
    sys.exit(main())
