# SPDX-License-Identifier: Apache-2.0
"""Figures of a steelyard result, with nothing but Python's standard library. Other tools of this folder import it.

    python3 steelyard_results.py RESULTS                             a few figures of merit
    python3 steelyard_results.py RESULTS 'imb-mpi1/PingPong;message_byte=8;*' time_s
    python3 steelyard_results.py RESULTS --curve imb-mpi1/PingPong -o pingpong.svg
"""

import argparse
import collections
import fnmatch
import json
import math
import pathlib
import sys

Figure = collections.namedtuple("Figure", "value low high unit doubts")

# What stands for a machine, where it was measured: name, key of a point or name of a summary, metric or value. Of points
# of several numbers of processes those of the most are meant.
FIGURES = (
    ("pingpong_latency", "imb-mpi1/PingPong;message_byte=8;*", "time_s"),
    ("pingpong_bandwidth", "imb-mpi1/PingPong;message_byte=1048576;*", "bandwidth_byte_s"),
    ("allreduce_latency", "imb-mpi1/Allreduce;message_byte=8;*", "time_s"),
    ("b_eff", "summary/b_eff", "b_eff_byte_s"),
    ("b_eff_io", "summary/b_eff_io", "b_eff_io_byte_s"),
    ("hpl", "hpcc/HPL;*", "flop_rate_flop_s"),
    ("stream_triad", "hpcc/StarSTREAM;*kernel=Triad;*", "bandwidth_byte_s"),
    ("random_access", "hpcc/MPIRandomAccess;*", "update_rate_update_s"),
    ("fft", "hpcc/MPIFFT;*", "flop_rate_flop_s"),
)
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

    def figure(self, pattern, metric, of_most=False):
        """A value with its interval and doubts; None where it was not measured. KeyError where several points fit; of_most:
        among those of the most processes."""
        if pattern.startswith("summary/"):
            summary = self.summaries.get(pattern.partition("/")[2], {})
            value = summary.get("values", {}).get(metric)
            doubts = ("not_official",) if summary.get("official") is False else ()
            return None if value is None else Figure(value, None, None, unit_of(metric), doubts)
        fit = [p for p in self.measured() if fnmatch.fnmatchcase(p["key"], pattern) and metric in p.get("metrics", {})]
        if of_most:
            most = max((p["processes"] for p in fit), default=0)
            fit = [p for p in fit if p["processes"] == most]
        if len(fit) > 1:
            raise KeyError(f"{len(fit)} points fit '{pattern}', the first two are {fit[0]['key']} and {fit[1]['key']}")
        if not fit:
            return None
        found = fit[0]["metrics"][metric]
        found = found if isinstance(found, dict) else {"median": found}
        if found.get("median") is None:
            return None
        low, high = found.get("ci") or (None, None)
        doubts = tuple(fit[0].get("flags", ())) + (("partial",) if fit[0]["status"] == "partial" else ())
        return Figure(found["median"], low, high, unit_of(metric), doubts)

    def curve(self, benchmark, metric="time_s"):
        """Pairs of message size in byte and median, for the largest number of processes that was measured."""
        fit = [p for p in self.measured()
               if f"{p['suite']}/{p['benchmark']}" == benchmark and p.get("params", {}).get("message_byte")
               and isinstance(p.get("metrics", {}).get(metric), dict)]
        most = max((p["processes"] for p in fit), default=0)
        return most, sorted((p["params"]["message_byte"], p["metrics"][metric]["median"]) for p in fit if p["processes"] == most)


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
    parser.add_argument("--curve", metavar="SUITE/BENCHMARK", help="time over message size as SVG")
    parser.add_argument("-o", "--output", default="curve.svg")
    given = parser.parse_args(words)
    if len(given.figure) % 2:
        parser.error("a figure is two words: pattern and metric")
    try:
        results = Results(given.results)
        asked = list(zip(given.figure[::2], given.figure[::2], given.figure[1::2])) or FIGURES
        for name, pattern, metric in asked if given.curve is None or given.figure else ():
            figure = results.figure(pattern, metric, of_most=not given.figure)
            if figure is not None:
                show(name, figure)
            elif given.figure:
                parser.error(f"'{pattern}' has no {metric} in {given.results}")
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error.args[0] if isinstance(error, KeyError) else error))
    if given.curve:
        processes, pairs = results.curve(given.curve)
        if not pairs:
            parser.error(f"'{given.curve}' has no times over message sizes in {given.results}")
        pathlib.Path(given.output).write_text(svg(f"{given.curve}, {processes} processes", pairs), encoding="utf-8")
    faults = results.faults()
    for fault in faults:
        print(f"steelyard_results: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
