# SPDX-License-Identifier: Apache-2.0
"""Reads a result file: median and 95 % interval of every time that was measured. Needs the standard library alone."""

import json
import pathlib
import sys


def points(path):
    """The last record of every point of the last run in a result directory or file."""
    path = pathlib.Path(path)
    file = path / "result.jsonl" if path.is_dir() else path
    runs = {}
    for line in file.read_text(encoding="utf-8").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            break  # a killed run may leave its last line half written
        run = runs.setdefault(record["run"], {})
        if record["type"] == "point":
            run[record["key"]] = record  # sessions of a resumed run are merged
    return list(runs.values())[-1].values()


for point in points(sys.argv[1] if len(sys.argv) > 1 else "."):
    time = point.get("metrics", {}).get("time_s")
    if isinstance(time, dict) and time.get("median") is not None and "ci" in time:
        low, high = time["ci"]
        print(f"{point['key']:<60} {time['median'] * 1e6:12.3f} us  {low * 1e6:.3f} .. {high * 1e6:.3f}")
