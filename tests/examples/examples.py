# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/: a workload of one's own, and readers of a result file in three languages."""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import LAUNCHER, LIMIT_S, SOURCE, Case, environment, main, steelyard, tool  # noqa: E402

POINTS = os.environ["STEELYARD_EXAMPLE_POINTS"]
RING = os.environ.get("STEELYARD_EXAMPLE_RING", "")
RESULT = SOURCE / "tests/record/data/examples.jsonl"


def run(*words):
    return subprocess.run([*map(str, words)], env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT_S)


class Reader(Case):
    """Its result has two runs; in the last one a text with other ends of lines, a point measured twice, one not
    measured, and a torn line."""

    def setUp(self):
        super().setUp()
        head, point, *_ = RESULT.read_text().splitlines()
        head = head.replace("{", '{"note": "one\u2028two\u0085three", ', 1)
        old = point.replace('"median":', '"median":9')
        skipped = re.sub(r'"metrics":.*', '"metrics":{}}', point.replace("message_byte=", "message_byte=7"))
        earlier = head.replace(self.run_of(head), "earlier")
        lines = [earlier, old.replace(self.run_of(head), "earlier"), head, old, skipped, point, point[:80]]
        self.file = self.directory / "result.jsonl"
        self.file.write_text("\n".join(lines), encoding="utf-8")
        self.expected = self.text_of(point)

    def run_of(self, line):
        return re.search(r'"run":\s*"([^"]+)"', line)[1]

    def text_of(self, line):
        key = re.search(r'"key":\s*"([^"]+)"', line)[1]
        time = line[line.index('"time_s"'):]
        median = float(re.search(r'"median":\s*([-+.0-9e]+)', time)[1])
        low, high = map(float, re.search(r'"ci":\s*\[([-+.0-9e]+),\s*([-+.0-9e]+)\]', time).groups())
        return f"{key:<60} {median * 1e6:12.3f} us  {low * 1e6:.3f} .. {high * 1e6:.3f}\n"

    def assert_reads(self, *words):
        done = run(*words)
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, self.expected)


class Cpp(Reader):
    def test_reads_the_last_run(self):
        self.assert_reads(POINTS, self.directory)
        self.assert_reads(POINTS, self.file)

    def test_a_file_that_is_not_there_is_told(self):
        done = run(POINTS, self.directory / "none")
        self.assert_refused(done, 2, "none: No such file")


class Python(Reader):
    def test_reads_the_last_run(self):
        self.assert_reads(sys.executable, SOURCE / "examples/points.py", self.directory)


class R(Reader):
    def test_reads_the_last_run(self):
        table = self.directory / "result.csv"
        self.assert_code(steelyard("export", self.directory, "--to", "csv", "-o", table), 0)
        self.assert_reads(tool("Rscript"), "--vanilla", SOURCE / "examples/points.R", table)


class Ring(Case):
    def test_measures_and_verifies_three_sizes(self):
        done = run(LAUNCHER, "-n", 2, RING)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"\A" + "".join(rf" *{size} byte +[0-9.]+ us   verified\n" for size in (0, 1024, 65536)) + r"\Z")


if __name__ == "__main__":
    main()
