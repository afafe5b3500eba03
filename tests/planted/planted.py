# SPDX-License-Identifier: Apache-2.0
"""One machine with a planted weakness of library, processors or disk: the first sentence of the verdict names it."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import PROGRAM, Case, environment, main, of_type, records, steelyard  # noqa: E402

PROCESSES = 2
TESTS = ["run", "hpcc/StarDGEMM", "hpcc/StarSTREAM", "-n", PROCESSES, "--table", "none", "--progress", "none"]


class Weak(Case):
    def verdict(self, *results, words=()):
        """Its sentences."""
        told = steelyard("balance", *results, "--reference", "none", "--format", "json", *words)
        self.assert_code(told, 0)
        text = json.loads(told.stdout)["systems"][0]["verdict"]["text"]
        print(text[0], flush=True)
        return text


class Library(Weak):
    """A kernel of 2004 on a processor of today."""

    def test_narrow_kernel_is_the_blas_with_its_cure(self):
        out = self.directory / "r"
        # the smallest order that stands for the machine: at the usual one this kernel takes the whole budget
        done = steelyard(*TESTS, "--budget", "45s", "--hpcc-n", "3700", "--blas", "as-linked", "-o", out,
                         OPENBLAS_CORETYPE="Prescott")
        self.assert_code(done, 0)
        dgemm = next(point for point in of_type(records(out), "point") if point["benchmark"] == "StarDGEMM")
        if dgemm["classic"].get("Sy_BLAS_kernel") != "Prescott" or "blas_below_peak" not in dgemm["flags"]:
            raise unittest.SkipTest("the BLAS here is not held back by a kernel of few vectors")
        text = self.verdict(out)
        self.assertRegex(text[0], "^The BLAS, not the processors, holds this machine back: DGEMM by OpenBLAS [0-9.]+ with "
                                  "kernel Prescott reaches [0-9]+ % of the multiply-adds that the processors do")
        self.assertIn("OPENBLAS_CORETYPE", text[1])


class Group:
    """A control group of our own, of either version, with a part of the processors' time."""

    ROOTS = [pathlib.Path("/sys/fs/cgroup/cpu"), pathlib.Path("/sys/fs/cgroup")]
    PERIOD_US = 100000

    def __init__(self, processors):
        for root in self.ROOTS:
            self.place = root / f"steelyard-{os.getpid()}"
            try:
                self.place.mkdir()
            except OSError:
                continue
            if self.limit(int(processors * self.PERIOD_US)):
                return
            self.place.rmdir()
        raise unittest.SkipTest("no right to make a control group with a quota here")

    def limit(self, quota_us):
        try:
            if (self.place / "cpu.cfs_quota_us").exists():
                (self.place / "cpu.cfs_quota_us").write_text(str(quota_us))
            elif (self.place / "cpu.max").exists():
                (self.place / "cpu.max").write_text(f"{quota_us} {self.PERIOD_US}")
            else:
                return False
        except OSError:
            return False
        return True

    def run(self, *words):
        """The program within the group."""
        enter = f'echo $$ > "{self.place}/cgroup.procs"; exec "$@"'
        return subprocess.run(["sh", "-c", enter, "sh", PROGRAM, *map(str, words)], env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=200, check=False)

    def close(self):
        self.place.rmdir()


class Quota(Weak):
    def test_quarter_of_the_processors_is_processor_speed_beside_the_quota(self):
        group = Group(0.25 * PROCESSES)
        self.addCleanup(group.close)
        self.assertIn("The control group allows 0.500 processors' worth of time", " ".join(group.run("doctor").stdout.split()))
        out = self.directory / "r"
        self.assert_code(group.run(*TESTS, "--budget", "60s", "-o", out), 0)
        self.assertRegex(self.verdict(out)[0], "^Processor speed holds this machine back, because a quota limits it: the control "
                                               "group allows its processes 0.50 processors' worth of time where they would use")


class Disk(Weak):
    """Half of the memory of this machine cannot be written in an hour."""

    def measured(self, *words, **variables):
        out = self.directory / "io"
        done = steelyard("b-eff-io", "-n", PROCESSES, "-N", PROCESSES, "-MB", "64", "-T", "6", "-norewrite", "-p", self.directory,
                         "-f", self.directory / "text", "--out", out, *words, **variables)
        self.assert_code(done, 0)
        return out

    def setUp(self):
        super().setUp()
        self.arithmetic = self.directory / "r"
        self.assert_code(steelyard(*TESTS, "--budget", "15s", "-o", self.arithmetic), 0)

    def test_slow_one_is_file_io_and_the_page_cache_is_not(self):
        paced = {"LD_PRELOAD": os.environ["STEELYARD_PACE"], "STEELYARD_TEST_PACE_BYTE_S": str(1e6)}
        dropped = self.measured("-dropcache", **paced)
        text = self.verdict(self.arithmetic, dropped, words=["--one-machine"])
        self.assertRegex(text[0], "^File I/O holds this machine back")

    def test_page_cache_names_no_disk(self):
        cached = self.measured()
        told = steelyard("balance", self.arithmetic, cached, "--one-machine", "--reference", "none")
        self.assertIn("Coffee cup: cannot be judged, the files of b_eff_io", told.stdout)
        self.assertNotIn("It passes", told.stdout)


if __name__ == "__main__":
    main()
