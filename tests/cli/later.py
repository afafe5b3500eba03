# SPDX-License-Identifier: Apache-2.0
"""The later suites of IMB, and mpi4, with one to five processes: what runs, what is skipped and why, how the program ends.
STEELYARD_TEST_TABLE=1 prints it."""

import collections
import os
import re
import subprocess
import sys

from program import SOUND_WINDOWS, Case, main, of_type, records, steelyard

SUITES = {"imb-nbc": ["-msglog", "2:4", "-iter", "4"],
          "imb-rma": ["-msglog", "2:4", "-iter", "4,1,2"],
          "imb-mt": ["-count", "0,3", "-repeat", "4", "-warmup", "1", "-window_size", "4"],
          "imb-p2p": ["-msglog", "2:4", "-iter", "4,1"],
          "imb-mpi4": ["-msglog", "2:4", "-iter", "4"],
          "mpi4": ["-msglog", "10:11", "-iter", "4", "-window_size", "4", "-partitions", "1,4"]}
# Component osc/rdma of Open MPI 4.1 makes no windows of one process.
WINDOW_OF_ONE = {"OMPI_MCA_osc": "^rdma"}
# Their requests deliver wrong data in MPICH 4.0.
UNSOUND = re.compile("(Gather|Allgather|Scatter)_(init|persist|persist_pure)")

PAIRS_OF_THREADS = {"PingPongMT", "PingPingMT", "UniBandMT", "BiBandMT"}
RINGS = {"Exchange_put", "Exchange_get"}
OF_PAIRS, OF_GRIDS = {"PingPong", "PingPing"}, {"Stencil2D", "Stencil3D"}
TWO_AT_LEAST = {"PingPong_persist", "PingPing_persist", "Uniband_persist", "Biband_persist", "PingPong_part", "Uniband_part", "Overlap_part"}


def impossible(suite, names, processes):
    """Benchmarks of the suite that so many processes cannot run."""
    if suite == "imb-p2p":
        return {1: set(names), 2: OF_GRIDS, 3: OF_PAIRS | OF_GRIDS, 4: {"Stencil3D"}, 5: OF_PAIRS | OF_GRIDS}[processes]
    if processes > 1:
        return set()
    return {"imb-nbc": set(), "imb-mpi4": set(), "imb-rma": set(names) - RINGS, "imb-mt": PAIRS_OF_THREADS, "mpi4": TWO_AT_LEAST & set(names)}[suite]


def benchmarks(suite):
    """All of them but those that are known to be wrong with this library."""
    names = re.findall(r"^ {4}(\S+)", steelyard(suite, "-list").stdout, re.MULTILINE)
    version = steelyard("--version").stdout
    if suite in ("imb-mpi4", "mpi4"):
        if re.search(r"MPICH Version:\s*4\.0\.", version):
            names = [name for name in names if not UNSOUND.fullmatch(name)]
        if "partitioned communication" not in version:
            names = [name for name in names if not name.endswith("_part")]
    return names


class EveryCount(Case):
    def measured(self, suite, names, processes, *more):
        out = self.directory / f"{suite}-{processes}-{len(more)}"
        done = steelyard(suite, "--launch", processes, *names, *SUITES[suite], "-npmin", processes, "--check", "-o", out, *more,
                         **(SOUND_WINDOWS if processes > 1 else WINDOW_OF_ONE))
        points = of_type(records(out), "point")
        told = f"{suite} {processes} {' '.join(more)}"
        for point in points:
            self.assertIn(point["status"], ("ok", "skipped"), f"{told}: {point['key']}: {point.get('reason')}")
            self.assertIsNot(point.get("verified"), False, f"{told}: {point['key']}")
        skipped = {point["benchmark"]: point["reason"] for point in points if point["status"] == "skipped"}
        ran = {point["benchmark"] for point in points if point["status"] == "ok"}
        if os.environ.get("STEELYARD_TEST_TABLE"):
            why = collections.Counter(reason["text"].split(" cannot ")[-1] for reason in skipped.values())
            print(f"{told:34} exit {done.returncode}  {len(ran):3} benchmarks ran  {len(skipped):3} skipped  "
                  f"{'; '.join(f'{count}: {text}' for text, count in why.items())}", file=sys.stderr)
        self.assertEqual(set(skipped), impossible(suite, names, processes), told)
        self.assertEqual(ran, set(names) - set(skipped), told)
        self.assert_code(done, 0 if ran else 4)

    def every_count(self, suite, *more):
        names = benchmarks(suite)
        for processes in range(1, 6):
            with self.subTest(processes=processes):
                try:
                    self.measured(suite, names, processes, *more)
                except subprocess.TimeoutExpired:
                    self.fail(f"{suite} with {processes} processes does not end")

    def test_collectives_beside_a_computation(self):
        self.every_count("imb-nbc")

    def test_persistent_collectives(self):
        if "persistent collectives" not in steelyard("--version").stdout:
            self.skipTest("this MPI library has no persistent collectives")
        self.every_count("imb-mpi4")

    def test_passive_targets(self):
        self.every_count("imb-rma")

    def test_patterns(self):
        self.every_count("imb-p2p")

    def test_threads(self):
        for threads in ("1", "2"):
            self.every_count("imb-mt", "--threads", threads)

    def test_requests_parts_and_neighbours(self):
        self.every_count("mpi4")

    def test_parts_of_threads(self):
        if not any(name.endswith("_part") for name in benchmarks("mpi4")):
            self.skipTest("this MPI library has no partitioned communication")
        self.every_count("mpi4", "-thread_level", "multiple")


class Texts(Case):
    def test_our_own_part_is_printed_from_records_and_read_back(self):
        out, text = self.directory / "own", self.directory / "own.txt"
        words = ["PingPong_persist", "Halo_p2p", "-msglog", "2:3", "-iter", "4", "-cart", "1"]
        printed = steelyard("mpi4", "--launch", 2, *words, "-o", out).stdout
        done = steelyard("export", out, "--to", "imb")
        self.assert_code(done, 0)
        rows = [line for line in printed.splitlines() if re.match(" +[0-9]", line)]
        self.assertEqual([line for line in done.stdout.splitlines() if re.match(" +[0-9]", line)], rows)
        self.assertEqual(len(rows), 6)
        text.write_text(done.stdout)
        compared = steelyard("compare", out, text)
        self.assert_code(compared, 0)
        self.assertIn("6 same of 6 points", compared.stdout)


if __name__ == "__main__":
    main()
