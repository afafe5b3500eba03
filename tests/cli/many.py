# SPDX-License-Identifier: Apache-2.0
"""More processes than a small machine has cores."""

import re

from program import SOUND_WINDOWS, Case, main, records, of_type, steelyard


class Many(Case):
    def test_four_processes_in_groups_and_mapped(self):
        done = steelyard("imb-mpi1", "--launch", "4", "-multi", "1", "-map", "2x2", "-msgsize", "8", "-iter", "5", "PingPong")
        self.assert_code(done, 0)
        self.assertIn("# Benchmarking Multi-PingPong ", done.stdout)
        self.assertIn("# Group  0:     0    2", done.stdout)
        self.assertEqual(len(re.findall(r"^ {12}[01] +8 +5 ", done.stdout, re.MULTILINE)), 2, done.stdout)

    def test_series_of_process_numbers(self):
        out = self.directory / "r"
        done = steelyard("run", "imb-mpi1/Bcast", "--sizes", "64", "--schedule", "fixed:10", "-n", "5", "-o", out)
        self.assert_code(done, 0)
        self.assertEqual([p["processes"] for p in of_type(records(out), "point")], [2, 4, 5])

    def test_selftest_with_three(self):
        done = steelyard("selftest", "-n", "3", **SOUND_WINDOWS)
        if "MPI_ERR_WIN" in done.stdout + done.stderr:
            self.skipTest("this MPI library makes no sound windows here")
        self.assert_code(done, 0)

    def test_wrong_words_are_told_once(self):
        done = steelyard("run", "--np", "64", "-n", "4", "-o", self.directory / "r")
        self.assert_refused(done, 2)
        self.assertEqual(done.stderr.count("asks for 64 processes"), 1)


if __name__ == "__main__":
    main()
