#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `steelyard history` takes over very many results: the first time, from its cache, and with every point.

Writes runs that look like those of `steelyard run` (the same machine every night, 2 % of spread, a step of 8 % in some benchmarks)
into a temporary folder, and reads them. Files that were just written lie in the memory of the system: what it prints as "first" is
the reading and the arithmetic, without the disk; "cold" drops them from memory before (needs root).
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile
import time

from made_results import point_line, point_templates


def write_runs(folder, head, runs, points):
    dice = random.Random(1)
    templates = point_templates(points)
    noises = [dice.gauss(0, 1) for _ in range(65536)]
    for index in range(runs):
        day = time.gmtime(1704067200 + index * 43200)
        run = time.strftime("%Y%m%dT%H%M%SZ", day) + f"-{index:08x}"
        head.update({"run": run, "started_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", day)})
        lines = [json.dumps(head, separators=(",", ":")) + "\n"]
        at = dice.randrange(65536)
        for seq, point in enumerate(templates):
            slower = point[0] in ("Bcast", "Alltoall") and index > 0.7 * runs
            lines.append(point_line(run, seq + 1, point, 1.08 if slower else 1.0, noises[(at + 7 * seq) % 65536]))
        place = folder / f"{index:04d}"
        place.mkdir()
        (place / "result.jsonl").write_text("".join(lines))


def timed(name, words, environment):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        raise SystemExit(f"{name}: exit code {done.returncode}: {done.stderr}")
    print(f"{name:28} {wall:8.2f} s of wall {used:8.2f} s of processor, at most {after.ru_maxrss / 1024:6.0f} MiB so far", flush=True)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steelyard", required=True)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--points", type=int, default=10000)
    parser.add_argument("--folder", help="keep the results here, and use them if they are there")
    parser.add_argument("--every-point", action="store_true", help="also --points from the cache")
    parser.add_argument("--cold", action="store_true", help="drop the files from memory before the first time (root)")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="history-size-") as scratch:
        folder = pathlib.Path(words.folder or scratch) / "results"
        if not folder.exists():
            folder.mkdir(parents=True)
            source = pathlib.Path(__file__).resolve().parent.parent / "tests/record/data/examples.jsonl"
            write_runs(folder, json.loads(source.read_text().splitlines()[0]), words.runs, words.points)
        size = sum(file.stat().st_size for file in folder.glob("*/result.jsonl"))
        print(f"{words.runs} runs of {words.points} points, {size / 1e9:.2f} GB, {os.cpu_count()} processors")
        cache = pathlib.Path(scratch) / "cache"
        environment = dict(os.environ, XDG_CACHE_HOME=str(cache))
        if words.cold:
            os.sync()
            pathlib.Path("/proc/sys/vm/drop_caches").write_text("1")
        command = [words.steelyard, "history", str(folder)]
        first = timed("first time, from disk" if words.cold else "first time", command, environment)
        kept = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file())
        print(f"{'cache':28} {kept / 1e6:8.1f} MB")
        if timed("from the cache", command, environment) != first:
            raise SystemExit("the cache changes the answer")
        if words.every_point:
            timed("from the cache, every point", [*command, "--points"], environment)
        shutil.rmtree(cache)
        if timed("without a cache", [*command, "--no-cache"], environment) != first:
            raise SystemExit("reading without a cache changes the answer")


if __name__ == "__main__":
    main()
