# SPDX-License-Identifier: Apache-2.0
"""Plans of the presets, against golden files (STEELYARD_WRITE_GOLDEN=1 writes them anew)."""

import os
import pathlib
import subprocess

from program import PROGRAM, SANITIZED, Case, environment, main, steelyard

GOLDEN = pathlib.Path(__file__).with_name("golden")


def plan(preset, processes, **variables):
    return steelyard("run", "imb-mpi1", "--preset", preset, "-n", processes, "--memory", "64Mi", "--plan", **variables)


class Plans(Case):
    def compare(self, preset):
        for processes in (1, 2, 3, 4, 16):
            done = plan(preset, processes)
            self.assert_code(done, 0)
            file = GOLDEN / f"plan-{preset}-{processes}.txt"
            if os.environ.get("STEELYARD_WRITE_GOLDEN"):
                file.write_text(done.stdout)
            self.assertEqual(done.stdout, file.read_text(), f"{file.name}: run with STEELYARD_WRITE_GOLDEN=1 if meant")

    def test_quick(self):
        self.compare("quick")

    def test_standard(self):
        self.compare("standard")

    def test_official(self):
        self.compare("official")

    def test_locale_changes_nothing(self):
        plain = plan("quick", 4).stdout
        for locale in ("de_DE.UTF-8", "C.UTF-8", "fr_FR.ISO-8859-1"):
            self.assertEqual(plan("quick", 4, LC_ALL=locale, LC_NUMERIC=locale).stdout, plain)

    def test_budget_shrinks_openly(self):
        small = steelyard("run", "imb-mpi1", "-n", "4", "--budget", "5s", "--plan", "--memory", "64Mi").stdout
        self.assertNotEqual(small, plan("quick", 4).stdout)
        self.assertIn("skip", small.lower() + " drop")

    def test_campaign_of_every_suite_has_a_line_each(self):
        done = steelyard("run", "-n", "2", "--plan", "--memory-fraction", "10%")
        self.assert_code(done, 0)
        for suite in ("hpcc", "b-eff", "b-eff-io", "ftio", "imb-mpi1", "imb-ext", "imb-io", "all"):
            self.assertRegex(done.stdout, rf"(?m)^  {suite}  ")

    def test_later_suites_have_a_line_each(self):
        suites = ("imb-nbc", "imb-rma", "imb-mpi4", "mpi4", "imb-p2p", "imb-mt")
        done = steelyard("run", *suites, "-n", "4", "--plan", "--memory", "64Mi")
        self.assert_code(done, 0)
        for suite in suites:
            self.assertRegex(done.stdout, rf"(?m)^  {suite}  ")

    def test_plan_without_a_point_ends_with_the_code_of_its_run(self):
        done = steelyard("run", "imb-mpi1/PingPong", "-n", "2", "--sizes", "2147483648", "--memory", "1Mi", "--plan")
        self.assert_code(done, 4)
        self.assertIn("nothing can be measured: needs 4.00 GiB per process, 1.00 MiB are available", done.stderr)

    def test_nothing_is_written(self):
        steelyard("run", "-n", "2", "--plan", "-o", self.directory / "r")
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_a_million_processes_cost_little_more_than_a_thousand(self):
        few, _ = planned(1000)
        many, most_byte = planned(1000000)
        # Numbers of processes double: 20 steps instead of 10, of some benchmarks alone.
        self.assertLess(many, 2 * few)
        if not SANITIZED:
            self.assertLess(most_byte, 100e6)


def planned(processes):
    """Points of the official plan, those that it passes over included, and the most memory that the program held."""
    words = [PROGRAM, "run", "--preset", "official", "-n", str(processes), "--plan"]
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, text=True) as child:
        last = child.stdout.read().splitlines()[-1]
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    _, measured, passed_over, *_ = last.split()
    return int(measured) + int(passed_over), 1024 * used.ru_maxrss


if __name__ == "__main__":
    main()
