# SPDX-License-Identifier: Apache-2.0
"""Figures of a steelyard result, with nothing but Python's standard library. Other tools of this folder import it.

    python3 steelyard_results.py RESULTS                             a few figures of merit
    python3 steelyard_results.py RESULTS 'imb-mpi1/PingPong;message_byte=8;*' time_s
    python3 steelyard_results.py RESULTS --curve imb-mpi1/PingPong -o pingpong.svg
    python3 steelyard_results.py RESULTS --curve 'imb-ext/Unidir_Put;mode=aggregate'
"""

import argparse
import collections
import fnmatch
import json
import math
import pathlib
import sys

Figure = collections.namedtuple("Figure", "value low high unit doubts")

Named = collections.namedtuple("Named", "name pattern metric of")

# What stands for a machine, where it was measured: name, key of a point or name of a summary, metric or value, and what
# it is of. The names, and what they mean, are those of the program (`report`, `accept`, `history`, Prometheus); only
# allreduce_latency, which stands last, is none of them.
# of: "most" the point of the most processes; "all" the same, times its processes, as its value is that of one;
# "shortest" the shortest message; "best" the largest value.
FIGURES = tuple(Named(*row) for row in (
    ("hpl", "hpcc/HPL;*", "flop_rate_flop_s", "most"),
    ("dgemm", "hpcc/StarDGEMM;*", "flop_rate_flop_s", "all"),
    ("stream_triad", "hpcc/StarSTREAM;*kernel=Triad;*", "bandwidth_byte_s", "all"),
    ("fft", "hpcc/MPIFFT;*", "flop_rate_flop_s", "most"),
    ("random_access", "hpcc/MPIRandomAccess;*", "update_rate_update_s", "most"),
    ("ptrans", "hpcc/PTRANS;*", "bandwidth_byte_s", "most"),
    ("random_ring", "hpcc/LatencyBandwidth;*", "random_ring_byte_s", "all"),
    ("random_ring_latency", "hpcc/LatencyBandwidth;*", "random_ring_latency_s", "most"),
    ("pingpong", "hpcc/LatencyBandwidth;*", "pingpong_min_byte_s", "most"),
    ("pingpong_latency", "hpcc/LatencyBandwidth;*", "pingpong_max_latency_s", "most"),
    ("b_eff", "summary/b_eff", "b_eff_byte_s", "most"),
    ("b_eff_io", "summary/b_eff_io", "b_eff_io_byte_s", "most"),
    ("ftio", "summary/ftio", "ftio_io_fraction", "most"),
    ("imb_latency", "imb-mpi1/PingPong;*", "time_s", "shortest"),
    ("imb_bandwidth", "imb-mpi1/PingPong;*", "bandwidth_byte_s", "best"),
    ("allreduce_latency", "imb-mpi1/Allreduce;message_byte=8;*", "time_s", "most"),
))
UNITS = (("_byte_s", "byte/s"), ("_flop_s", "flop/s"), ("_update_s", "update/s"), ("_op_s", "op/s"), ("_s", "s"))


def unit_of(metric):
    """Names end with their unit; what has none is a ratio."""
    return next((unit for end, unit in UNITS if metric.endswith(end)), "1")


class Results:
    """The last run of a result directory, or of a result.jsonl."""

    def __init__(self, path):
        path = pathlib.Path(path)
        file = path / "result.jsonl" if path.is_dir() else path
        runs = {}
        for line in file.read_text(encoding="utf-8").split("\n"):
            try:
                record = json.loads(line)
            except ValueError:
                break  # a killed run may leave its last line half written
            runs.setdefault(record["run"], []).append(record)
        if not runs:
            raise ValueError(f"{file} has no records")
        records = list(runs.values())[-1]
        self.head = next((r for r in records if r["type"] == "run"), {})
        self.end = next((r for r in reversed(records) if r["type"] == "end"), None)
        self.points = {r["key"]: r for r in records if r["type"] == "point"}  # sessions of a resumed run are merged
        self.summaries = {r["name"]: r for r in records if r["type"] == "summary"}

    def faults(self):
        """Why this result cannot stand: a sentence each."""
        found = []
        if self.end is None:
            found.append("the run has no end: it was killed, or it still measures")
        for key, point in self.points.items():
            if point["status"] == "failed":
                found.append(f"failed: {key}: {point.get('reason', {}).get('text', 'no reason recorded')}")
            elif point.get("verified") is False:
                found.append(f"wrong data: {key}")
        if not self.measured():
            found.append("nothing was measured")
        return found

    def measured(self):
        """Points that have numbers."""
        return [point for point in self.points.values() if point["status"] in ("ok", "partial")]

    def named(self, name):
        """A figure of FIGURES; None where it was not measured, or by points alone that say nothing about the machine.
        KeyError where several points fit."""
        _, pattern, metric, of = {one.name: one for one in FIGURES}[name]
        if pattern.startswith("summary/"):
            return self.figure(pattern, metric)
        fit = [p for p in self.fitting(pattern, metric) if "not_representative" not in p.get("flags", ())]
        if of == "shortest":
            fit = sorted(fit, key=lambda p: p["params"].get("message_byte", math.inf))[:1]
        elif of == "best":
            fit = sorted(fit, key=lambda p: -median_of(p, metric))[:1]
        else:
            fit = of_most_processes(fit)
        found = the_only(fit, pattern, metric)
        if found is None or of != "all":
            return found
        times = fit[0]["processes"]
        low, high = (None if end is None else times * end for end in (found.low, found.high))
        return found._replace(value=times * found.value, low=low, high=high)

    def figure(self, pattern, metric, of_most=False):
        """A value with its interval and doubts; None where it was not measured. KeyError where several points fit; of_most:
        among those of the most processes."""
        if pattern.startswith("summary/"):
            summary = self.summaries.get(pattern.partition("/")[2], {})
            value = summary.get("values", {}).get(metric)
            doubts = ("not_official",) if summary.get("official") is False else ()
            return None if value is None else Figure(value, None, None, unit_of(metric), doubts)
        fit = self.fitting(pattern, metric)
        return the_only(of_most_processes(fit) if of_most else fit, pattern, metric)

    def fitting(self, pattern, metric):
        """Points whose key fits the pattern, and that have a number of that name."""
        fit = [p for p in self.measured() if fnmatch.fnmatchcase(p["key"], pattern)]
        return [p for p in fit if median_of(p, metric) is not None]

    def curve(self, experiment, metric="time_s"):
        """The largest number of processes that was measured, and pairs of message size in byte and median. experiment:
        SUITE/BENCHMARK, and behind it words of the key where it has several, `imb-ext/Unidir_Put;mode=aggregate`.
        KeyError where several experiments fit: they are no curve."""
        benchmark, *words = experiment.split(";")
        fit = [p for p in self.measured()
               if f"{p['suite']}/{p['benchmark']}" == benchmark and p.get("params", {}).get("message_byte")
               and median_of(p, metric) is not None and all(has_word(p["key"], word) for word in words)]
        fit = of_most_processes(fit)
        refuse_several(experiment, [p["key"] for p in fit])
        pairs = sorted((p["params"]["message_byte"], median_of(p, metric)) for p in fit)
        return max((p["processes"] for p in fit), default=0), pairs


def median_of(point, metric):
    found = point.get("metrics", {}).get(metric)
    return found.get("median") if isinstance(found, dict) else found


def of_most_processes(points):
    most = max((p["processes"] for p in points), default=0)
    return [p for p in points if p["processes"] == most]


def the_only(points, pattern, metric):
    """The figure of the point; None where there is none."""
    if len(points) > 1:
        raise KeyError(f"{len(points)} points fit '{pattern}', the first two are {points[0]['key']} and "
                       f"{points[1]['key']}")
    if not points:
        return None
    found = points[0]["metrics"][metric]
    low, high = (found.get("ci") if isinstance(found, dict) else None) or (None, None)
    doubts = tuple(points[0].get("flags", ())) + (("partial",) if points[0]["status"] == "partial" else ())
    return Figure(median_of(points[0], metric), low, high, unit_of(metric), doubts)


def has_word(key, pattern):
    return any(fnmatch.fnmatchcase(word, pattern) for word in key.split(";")[1:])


def refuse_several(experiment, keys):
    """Points of one curve differ in their message size alone."""
    values = {}
    for word in (word for key in keys for word in key.split(";")[1:]):
        name, _, value = word.partition("=")
        values.setdefault(name, []).append(value)
    for name, list_of_one in values.items():
        different = sorted(set(list_of_one))
        if name == "message_byte" or (len(different) == 1 and len(list_of_one) == len(keys)):
            continue
        more = " or ..." if len(different) > 4 else "" if len(different) > 1 else " or not there"
        several = " or ".join(different[:4]) + more
        raise KeyError(f"several experiments fit '{experiment}': {name} is {several}; "
                       f"name one of them, as in '{experiment};{name}={different[0]}'")


def svg(title, pairs, width=640, height=400, margin=60):
    """A curve on logarithmic axes: time in microseconds over message size in byte."""
    xs, ys = [math.log10(x) for x, _ in pairs], [math.log10(y * 1e6) for _, y in pairs]
    left, right, bottom, top = math.floor(min(xs)), math.ceil(max(xs)), math.floor(min(ys)), math.ceil(max(ys))

    def at(x, y):
        across = (x - left) / max(right - left, 1) * (width - 2 * margin) + margin
        down = height - margin - (y - bottom) / max(top - bottom, 1) * (height - 2 * margin)
        return f"{across:.1f},{down:.1f}"

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<text x="{margin}" y="24" font-size="14">{title}</text>']
    for decade in range(left, right + 1):
        x = at(decade, bottom).split(",")[0]
        lines.append(f'<text x="{x}" y="{height - margin + 18}" text-anchor="middle">10^{decade}</text>')
    for decade in range(bottom, top + 1):
        y = at(left, decade).split(",")[1]
        lines.append(f'<path d="M{margin},{y} H{width - margin}" stroke="#ddd"/>'
                     f'<text x="{margin - 6}" y="{y}" text-anchor="end">10^{decade}</text>')
    lines.append(f'<text x="{width // 2}" y="{height - 16}" text-anchor="middle">message size in byte, time in us</text>')
    lines.append(f'<polyline fill="none" stroke="#0b62a4" stroke-width="2" points="{" ".join(map(at, xs, ys))}"/></svg>')
    return "\n".join(lines) + "\n"


def show(name, figure):
    interval = "" if figure.low is None else f"  {figure.low:.6g} .. {figure.high:.6g}"
    print(f"{name:<40} {figure.value:.6g} {figure.unit}{interval}" + ("  " + " ".join(figure.doubts) if figure.doubts else ""))


def main(words):
    parser = argparse.ArgumentParser(description="Figures of a steelyard result.")
    parser.add_argument("results", help="a result directory or result.jsonl")
    parser.add_argument("figure", nargs="*", help="pattern of a key and metric, in turn")
    parser.add_argument("--curve", metavar="SUITE/BENCHMARK[;NAME=VALUE]...",
                        help="time over message size as SVG, of one experiment: 'imb-ext/Unidir_Put;mode=aggregate'")
    parser.add_argument("-o", "--output", default="curve.svg")
    given = parser.parse_args(words)
    if len(given.figure) % 2:
        parser.error("a figure is two words: pattern and metric")
    try:
        results = Results(given.results)
        for pattern, metric in zip(given.figure[::2], given.figure[1::2]):
            figure = results.figure(pattern, metric)
            if figure is None:
                parser.error(f"'{pattern}' has no {metric} in {given.results}")
            show(pattern, figure)
        for one in () if given.curve or given.figure else FIGURES:
            figure = results.named(one.name)
            if figure is not None:
                show(one.name, figure)
        processes, pairs = results.curve(given.curve) if given.curve else (0, [])
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error.args[0] if isinstance(error, KeyError) else error))
    if given.curve:
        if not pairs:
            parser.error(f"'{given.curve}' has no times over message sizes in {given.results}")
        pathlib.Path(given.output).write_text(svg(f"{given.curve}, {processes} processes", pairs), encoding="utf-8")
    faults = results.faults()
    for fault in faults:
        print(f"steelyard_results: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
