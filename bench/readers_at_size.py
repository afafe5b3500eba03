#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds and memory of the readers over very many points: exports, comparison, the report and its page in a browser.

Writes results by made_results.py and prints a row for each reader. `--large BYTE` also reads a file of that size, which
holds runs of --points each, one after the other: CSV and JSON of all of them, the report on the last.
Files that were just written lie in the memory of the system; output goes to the same folder.
"""

import argparse
import multiprocessing
import os
import pathlib
import subprocess
import tempfile
import time

from made_results import write_result

READY = "data-ready=\"1\""


def row(name, seconds, used, memory_byte):
    print(f"| {name} | {seconds:.1f} | {used:.1f} | {memory_byte / 1e6:.0f} |", flush=True)


def made(file, points, **more):
    """By a process of its own: the most memory of a child counts from that of its parent."""
    writer = multiprocessing.Process(target=write_result, args=(file, points), kwargs=more)
    writer.start()
    writer.join()
    if writer.exitcode != 0:
        raise SystemExit(f"{file} was not written")


def measure(name, words):
    """Wall and processor time and the most memory of one child."""
    start = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 3):
        raise SystemExit(f"{name}: exit code {child.returncode}")
    row(name, time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def page_ready(browser, page):
    """Seconds until the page has marked itself ready, start of the browser and end included."""
    start = time.monotonic()
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom",
                           page.as_uri()], capture_output=True, text=True)
    wall = time.monotonic() - start
    if READY not in done.stdout[:2000]:
        raise SystemExit(f"the page is not ready: {done.stderr[-500:]}")
    print(f"| page ready in the browser, its start included | {wall:.1f} | | |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steelyard", required=True)
    parser.add_argument("--points", type=int, default=1000000)
    parser.add_argument("--large", type=float, help="byte of a large file")
    parser.add_argument("--folder", help="where results and outputs lie, instead of the system's place for such")
    parser.add_argument("--browser", help="a Chromium for the page; without it no such row")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="readers-at-size-", dir=words.folder) as scratch:
        place = pathlib.Path(scratch)
        base, new, out = place / "base.jsonl", place / "new.jsonl", place / "out"
        made(base, words.points)
        made(new, words.points, seeds=(2,), factor=1.03)
        print(f"{words.points} points, {base.stat().st_size / 1e6:.0f} MB\n")
        print("| reader | wall, s | processor, s | most memory, MB |\n|---|---|---|---|")
        export = [words.steelyard, "export", base, "--overwrite", "-o", out, "--to"]
        for form in ("csv", "json"):
            measure(f"export --to {form}", [*export, form])
        measure("export --to imb", [*export, "imb", "--partial"])
        measure("compare, CSV", [words.steelyard, "compare", base, new, "--format", "csv", "-o", out, "--overwrite"])
        page = place / "page.html"
        measure("report", [words.steelyard, "report", base, "-o", page])
        if words.browser:
            page_ready(words.browser, page)
        new.unlink()
        if words.large:
            runs = max(1, round(words.large / base.stat().st_size))
            base.unlink()
            large = place / "large.jsonl"
            made(large, words.points, seeds=range(1, runs + 1))
            size = f"{large.stat().st_size / 1e9:.1f} GB, {runs} runs"
            large_export = [words.steelyard, "export", large, "--run", "all", "--overwrite", "-o", "/dev/null", "--to"]
            for form in ("csv", "json"):
                measure(f"{size}: export --to {form} of all", [*large_export, form])
            measure(f"{size}: report on the last run", [words.steelyard, "report", large, "-o", page])


if __name__ == "__main__":
    main()
