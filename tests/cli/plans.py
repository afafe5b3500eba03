# SPDX-License-Identifier: Apache-2.0
"""Plans of the presets, against golden files (STEELYARD_WRITE_GOLDEN=1 writes them anew)."""

import os
import pathlib

from program import Case, main, steelyard

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

    def test_nothing_is_written(self):
        steelyard("run", "-n", "2", "--plan", "-o", self.directory / "r")
        self.assertEqual(list(self.directory.iterdir()), [])


if __name__ == "__main__":
    main()
