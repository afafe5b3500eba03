# SPDX-License-Identifier: Apache-2.0
"""Which BLAS computes: the choice, what is told of it, doctor, resume."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from program import SANITIZED, SOURCE, Case, main, of_type, records, steelyard, tool, under_launcher

NARROW = {"OPENBLAS_CORETYPE": "Prescott"}
FREE = {"OPENBLAS_CORETYPE": None}
FAKES = pathlib.Path(os.environ["STEELYARD_FAKE_BLAS"])
DGEMM = ("hpcc/SingleDGEMM", "--hpcc-n", "1500", "--repeat", "2")


def fake(kind):
    return FAKES / f"libfake_{kind}.so"


def findings(**variables):
    return json.loads(steelyard("doctor", "--format", "json", **variables).stdout)


def blas_findings(**variables):
    return [one for one in findings(**variables) if one["text"].startswith("OpenBLAS")]


def told(done):
    return [line for line in done.stderr.splitlines() if line.startswith("steelyard: BLAS: ")]


class Choice(Case):
    """Where OpenBLAS is linked that can be forced to vectors of 128 bit, on a processor that has wider ones."""

    @classmethod
    def setUpClass(cls):
        if SANITIZED:
            raise unittest.SkipTest("a library cannot be kept apart from the linked one under sanitizers")
        forced = blas_findings(**NARROW)
        if not forced or "Prescott" not in forced[0]["text"] or forced[0]["level"] != "warning":
            raise unittest.SkipTest("no OpenBLAS that could be slower than this processor")
        cls.first = None

    def measured(self):
        """What a run of one process told and recorded, in a directory of the test's own; it is measured once for all."""
        cls = type(self)
        if cls.first is None:
            directory = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
            cls.addClassCleanup(shutil.rmtree, directory, ignore_errors=True)
            cls.first = under_launcher(1, "run", *DGEMM, "-o", directory / "r", **NARROW), directory
        done, directory = cls.first
        self.assert_code(done, 0)
        shutil.copytree(directory, self.directory, dirs_exist_ok=True)
        return done, records(self.directory / "r")

    def measure(self, *words, processes=1, **variables):
        done = under_launcher(processes, "run", *words, "-o", self.directory / "r", **{**NARROW, **variables})
        self.assert_code(done, 0)
        return done, records(self.directory / "r")

    def kernel(self, all_records):
        return of_type(all_records, "point")[0]["classic"]["Sy_BLAS_kernel"]

    def test_run_takes_a_wide_kernel_where_the_environment_forces_a_narrow_one(self):
        done, all_records = self.measured()
        blas = of_type(all_records, "run")[0]["blas"]
        self.assertEqual((blas["as_linked"]["kernel"], blas["as_linked"]["choice"]), ("Prescott", "as linked"))
        self.assertNotEqual(blas["used"]["kernel"], "Prescott")
        self.assertEqual(blas["used"]["kernel"], self.kernel(all_records))
        self.assertGreater(blas["factor"], 1.5)
        point, = of_type(all_records, "point")
        self.assertTrue(point["verified"])
        if "preempted" not in point["flags"]:  # by others, who may take more than a wide kernel gives
            rate = point["metrics"]["flop_rate_flop_s"]
            self.assertGreater(rate, 1.2 * blas["as_linked"]["flop_s"], "what computed is what was chosen")
        line, = told(done)
        self.assertRegex(line, r"kernel \w+, [\d.]+ times faster than OpenBLAS [\d.]+, kernel Prescott, as linked \(")
        texts = [event["text"] for event in of_type(all_records, "event")]
        self.assertEqual([text for text in texts if "Prescott" in text], [], "the narrow kernel computes nothing")

    def test_record_is_of_the_schema(self):
        _, all_records = self.measure(*DGEMM, processes=2)
        self.assert_of_schema(all_records)
        blas = of_type(all_records, "run")[0]["blas"]
        tried = {(one["kernel"], one["choice"]) for one in blas["tried"]}
        self.assertIn(("Prescott", "as linked"), tried)
        # a busy machine has no time to try them all
        later = {one["choice"] for one in blas.get("not_tried", [])}
        self.assertIn("own", {choice for _, choice in tried} | later, "the library's own choice")

    def test_as_linked_stays_and_hears_what_the_fastest_would_give(self):
        done, all_records = self.measure(*DGEMM, "--blas", "as-linked")
        self.assertEqual(self.kernel(all_records), "Prescott")
        blas = of_type(all_records, "run")[0]["blas"]
        self.assertEqual((blas["used"]["choice"], blas["factor"]), ("as linked", 1))
        self.assertGreater(blas["fastest"]["flop_s"], 1.5 * blas["used"]["flop_s"])
        self.assertRegex(told(done)[0], r"--blas fastest: OpenBLAS [\d.]+, kernel \w+, would be [\d.]+ times faster")
        self.assertIn("blas_environment", [event["code"] for event in of_type(all_records, "event")])

    def test_nothing_is_told_where_no_blas_computes(self):
        _, all_records = self.measure("imb-mpi1/Barrier", "--schedule", "fixed:2", processes=2)
        self.assertNotIn("blas_environment", [event["code"] for event in of_type(all_records, "event")])

    def test_base_run_and_front_ends_stay_with_the_linked_one_and_say_so(self):
        done, all_records = self.measure(*DGEMM, "--base")
        self.assertEqual(self.kernel(all_records), "Prescott")
        self.assertIn("would be", told(done)[0])
        words = ["--hpcc-n", "100", "--hpcc-nb", "20", "--hpcc-grid", "1x1"]
        for command in (["hpcc", "--only", "SingleDGEMM", "--output", "o"], ["hpl", "--output", "o"]):
            done = steelyard(*command, *words, cwd=self.directory, **NARROW)
            self.assert_code(done, 0)
            self.assertRegex(told(done)[0], r"Prescott, as linked; --blas fastest: .* would be [\d.]+ times faster")
            done = steelyard(*command, *words, "--blas-trial", "--quiet", "--out", command[0], cwd=self.directory, **NARROW)
            self.assert_code(done, 0)
            self.assertEqual(told(done), [])
            run, = of_type(records(self.directory / command[0]), "run")
            self.assertNotEqual(run["blas"]["used"]["kernel"], "Prescott")

    def test_named_library_and_kernel_compute(self):
        done = under_launcher(1, "run", *DGEMM, "--blas", "libopenblas.so.0:Nehalem", "-o", self.directory / "r")
        if done.returncode == 4 and "no BLAS of that name" in done.stderr:
            self.skipTest("the loader does not find OpenBLAS by its name")
        self.assert_code(done, 0)
        all_records = records(self.directory / "r")
        run, = of_type(all_records, "run")
        self.assertEqual((run["blas"]["used"]["kernel"], self.kernel(all_records)), ("Nehalem", "Nehalem"))

    def test_resumed_run_computes_as_it_began(self):
        _, all_records = self.measured()
        began = of_type(all_records, "run")[0]["blas"]["used"]
        file = self.directory / "r" / "result.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in all_records if one["type"] == "run"))
        done = under_launcher(1, "run", "--resume", "-o", self.directory / "r", **FREE)
        self.assert_code(done, 0)
        again = of_type(records(self.directory / "r"), "run")[1]["blas"]
        self.assertTrue(again["resumed"])
        self.assertEqual([again["used"][name] for name in ("library", "kernel")], [began[name] for name in ("library", "kernel")])
        self.assertIn("as chosen before", told(done)[0])

    def test_launches_of_a_series_compute_alike(self):
        done = steelyard("run", *DGEMM, "-n", "1", "--launches", "2", "-o", self.directory / "r", **NARROW)
        self.assert_code(done, 0)
        first, second = [run["blas"] for run in of_type(records(self.directory / "r"), "run")]
        self.assertEqual((first["resumed"], second["resumed"]), (False, True))
        self.assertEqual(first["used"]["kernel"], second["used"]["kernel"])

    def test_resumed_run_whose_library_is_gone_says_so(self):
        _, all_records = self.measured()
        all_records[0]["blas"]["used"]["library"] = "SomeBLAS"
        file = self.directory / "r" / "result.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in all_records if one["type"] == "run"))
        done = under_launcher(1, "run", "--resume", "-o", self.directory / "r", **FREE)
        self.assert_code(done, 0)
        self.assertIn("SomeBLAS 0.3", told(done)[0])
        self.assertIn("is not here any more", told(done)[0])

    def test_report_tells_the_trial(self):
        self.measured()
        done = steelyard("report", self.directory / "r", "--format", "text")
        self.assert_code(done, 0)
        self.assertIn("BLAS libraries and kernels in a trial", done.stdout)
        self.assertRegex(done.stdout, r"BLAS +OpenBLAS")
        self.assertRegex(done.stdout, r"BLAS as linked +OpenBLAS [\d.]+ Prescott")

    def test_doctor_warns_of_the_narrow_kernel_with_the_line_that_cures_it(self):
        finding, = blas_findings(**NARROW)
        self.assertEqual(finding["level"], "warning")
        self.assertRegex(finding["cure"], r"^export OPENBLAS_CORETYPE=\w+$")
        name, _, value = finding["cure"].removeprefix("export ").partition("=")
        cured, = blas_findings(**{name: value})
        self.assertEqual(cured["level"], "ok", cured)

    def test_doctor_measures_what_the_narrow_kernel_costs(self):
        done = steelyard("doctor", "--probe", "--format", "json", **NARROW)
        self.assert_code(done, 0)
        found, = [one for one in json.loads(done.stdout) if one["text"].startswith("Linked BLAS: ")]
        self.assertEqual(found["level"], "warning")
        self.assertIn("kernel Prescott", found["text"])


class Refusals(Case):
    def run_with(self, blas, *words, selected="hpcc/SingleDGEMM"):
        return under_launcher(2, "run", selected, "--hpcc-n", "100", "--blas", blas, *words, "-o", self.directory / "r")

    def test_named_library_that_cannot_compute_is_refused_with_the_reason(self):
        for kind, why in (("forgets", "is wrong"), ("crashes", "ended by SIGILL"), ("hangs", "did not end within"),
                          ("crashes_when_loaded", "ended by SIGILL"), ("ends", "no answer that can be read")):
            done = self.run_with(fake(kind))
            self.assertEqual(done.returncode, 4, kind + done.stderr)
            self.assertRegex(done.stderr, f"steelyard: error: --blas \\S*libfake_{kind}.so: .*{why}")
            self.assertFalse((self.directory / "r").exists(), "before anything is measured")

    def test_library_that_is_not_there_and_kernel_that_it_cannot_take_are_refused(self):
        done = self.run_with("libnowhere.so.9")
        self.assert_refused(done, 4, "--blas libnowhere.so.9: no BLAS of that name is installed")
        done = self.run_with(f"{fake('right')}:Haswell")
        self.assert_refused(done, 4, "libfake_right.so cannot be told to take a kernel Haswell")

    def test_words_that_contradict_each_other_are_refused(self):
        done = steelyard("run", "hpcc/HPL", "--blas", "as-linked", "--blas-trial", "--no-launch")
        self.assert_refused(done, 2, "--blas-trial is --blas fastest, not --blas as-linked")

    def test_without_dgemm_and_hpl_there_is_no_trial(self):
        done = self.run_with("libnowhere.so.9", selected="hpcc/SingleSTREAM")
        self.assert_code(done, 0)
        self.assertEqual(told(done), [])
        self.assertNotIn("blas", of_type(records(self.directory / "r"), "run")[0])

    def test_named_library_that_is_right_computes(self):
        done = self.run_with(fake("right"))
        self.assert_code(done, 0)
        point, = of_type(records(self.directory / "r"), "point")
        self.assertEqual((point["classic"]["Sy_BLAS"], point["verified"]), ("libfake_right.so", True))


if __name__ == "__main__":
    main()
