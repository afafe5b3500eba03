# SPDX-License-Identifier: Apache-2.0
"""What reads results: balance, compare, systems. Inputs, forms, exit codes; no processes."""

import contextlib
import csv
import gzip
import io
import json
import os
import re
import subprocess
import time
import unittest
from pathlib import Path

from program import HAS_MPI, PROGRAM, SANITIZED, SOURCE, Case, environment, main, steelyard, tool

SUMMARY = json.loads((SOURCE / "tests/balance/balance_examples.json").read_text())
TWO = next(case for case in SUMMARY["cases"] if case["id"] == "ratios-two-processes")
EXAMPLES = (SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines()


def hpccoutf(**changes):
    words = {"VersionRelease": "f", "LANG": "C"}
    keys = {**words, **TWO["input"]["hpcc_summary"], "Success": 1, **changes}
    lines = "".join(f"{name}={value}\n" for name, value in keys.items())
    return f"Hostname: 'two'\nBegin of Summary section.\n{lines}End of Summary section.\n"


def result(directory, factor=1, **schedule):
    """A result directory with one run and one point whose time is `factor` times that of the example."""
    head, record = ({**json.loads(line), "run": directory.name} for line in EXAMPLES[:2])
    time = record["metrics"]["time_s"]
    time["median"] *= factor
    time["ci"] = [end * factor for end in time["ci"]]
    record["schedule"].update({"sync": "none", "timing": "batch", **schedule})
    directory.mkdir()
    (directory / "result.jsonl").write_text(json.dumps(head) + "\n" + json.dumps(record) + "\n")
    return directory


def series(directory, factor):
    """A result directory with five launches of one series."""
    text = ""
    for launch in range(5):
        one = result(directory.with_name(f"{directory.name}-{launch}"), factor * (1 + launch / 1000))
        for line in (one / "result.jsonl").read_text().splitlines():
            record = {**json.loads(line), "run": f"r{launch}"}
            if record["type"] == "run":
                record.update({"series": directory.name, "launch": launch + 1, "launches": 5})
            text += json.dumps(record) + "\n"
    directory.mkdir()
    (directory / "result.jsonl").write_text(text)
    return directory


DESCRIPTION = """
[[file]]
match = "*.txt"
set = { processes = 32 }
date = 2023-05-05
name = "all"

[[file]]
match = "*/lion/*"
set = { processes = 16 }
date = "2023-05-04"
name = "lion"
label = { site = "A" }
"""


class Balance(Case):
    def setUp(self):
        super().setUp()
        self.file = self.directory / "hpccoutf.txt"
        self.file.write_text(hpccoutf())
        self.words = ["balance", self.file, "--nodes", "1", "--memory", "24Gi"]

    def ratios(self, *words):
        told = json.loads(steelyard(*self.words, "--format", "json", *words).stdout)
        return told["systems"][0]["ratios"]

    def test_text_is_that_of_the_documented_example(self):
        done = steelyard(*self.words)
        self.assert_code(done, 0)
        lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
        self.assertIn("HPL 110 Gflop/s, 55.2 per process, 88.3 % of DGEMM", lines)
        self.assertTrue(any(line.startswith("memory balance, copy 0.394 byte/flop") for line in lines))
        self.assertTrue(any(line.startswith("network balance (295) byte/kflop") and "V1 one node" in line for line in lines))
        self.assertIn("Memory bandwidth holds this machine back: twice the memory bandwidth would make the three "
                      "kinds of work 1.48 times as fast on average, twice the processor speed only 1.28 times.",
                      " ".join(lines))
        self.assertIn("[V1] one node: message passing stays in shared memory; the network was not judged", lines)

    def test_csv_of_a_balance_is_a_reference(self):
        other = self.directory / "other.csv"
        other.write_text(steelyard(*self.words, "--format", "csv", "--reference", "none").stdout)
        alone = self.ratios("--reference", "none")["fft_ratio"]
        beside = self.ratios("--reference", other)["fft_ratio"]
        self.assertEqual((alone["reference_n"], beside["reference_n"]), (0, 1))

    def test_text_csv_and_json_hold_the_same_numbers(self):
        ratios = self.ratios()
        rows = list(csv.DictReader(io.StringIO(steelyard(*self.words, "--format", "csv").stdout)))
        self.assertEqual([row["ratio"] for row in rows], list(ratios))
        for row in rows:
            held = ratios[row["ratio"]]
            self.assertEqual(float(row["value"]) if row["value"] else None, held["value"])
            self.assertEqual(row["flags"].split("+") if row["flags"] else [], held["flags"])
        for name, expected in TWO["expected"].items():
            self.assertAlmostEqual(ratios[name]["value"] / expected, 1, places=9)
        text = steelyard(*self.words).stdout
        shown = f"{ratios['ptrans_byte_kflop']['value']:.3g}"
        self.assertIn("PTRANS / HPL  ", text)
        self.assertIn(shown, text)

    def test_json_is_read_back_with_the_same_ratios(self):
        again = self.directory / "balance.json"
        self.assert_code(steelyard(*self.words, "--format", "json", "-o", again), 0)
        told = json.loads(steelyard("balance", again, "--format", "json").stdout)
        self.assertEqual(told["systems"][0]["ratios"], self.ratios())
        self.assert_refused(steelyard(*self.words, "-o", again), 4, "--overwrite")
        beside = steelyard(*self.words, "--reference", again, "--reference", "none", "--format", "json")
        self.assert_refused(beside, 2)

    def test_published_table_and_reading_off(self):
        done = steelyard(*self.words, "--table")
        self.assertIn("NEC SX-6+ IXS", done.stdout)
        self.assertIn("(100.9)", done.stdout)
        self.assertIn("80.2  published: 80.3\n", done.stdout)  # of the rounded inputs; the document had those before rounding
        at = json.loads(steelyard(*self.words, "--at", "1", "--format", "json").stdout)
        curve = next(c for c in at["curves"] if c["label"] == "Cray X1")
        self.assertAlmostEqual(curve["interpolated"][0]["value"], 95.56075564965928, places=9)

    def test_published_table_says_where_it_differs_and_is_read_off(self):
        both = steelyard(*self.words, "--table", "--at", "1")
        self.assert_code(both, 0)
        self.assertIn("published: 80.3", both.stdout)
        self.assertIn("Network balance of the curves at a given speed", both.stdout)
        self.assert_refused(steelyard(*self.words, "--table", "--at", "1", "--format", "csv"), 2, "--at")

    def test_two_machines_of_one_name_stay_two(self):
        other = self.directory / "other.txt"
        other.write_text(hpccoutf())
        done = steelyard("balance", self.file, other)
        self.assert_code(done, 0)
        self.assertIn("Ratios of two (hpccoutf.txt)", done.stdout)
        self.assertIn("Ratios of two (other.txt)", done.stdout)
        told = json.loads(steelyard("balance", self.file, other, "--format", "json").stdout)
        self.assertEqual(sum(1 for curve in told["curves"] if curve["own"]), 2)
        named = steelyard("balance", self.file, other, "--name", "old", "--name", "new").stdout
        self.assertIn("Ratios of old\n", named)
        self.assertIn("Ratios of new\n", named)
        self.assert_refused(steelyard("balance", self.file, "--name", "a", "--name", "b"), 2, "--name: said 2 times for 1 input")

    def test_results_of_one_machine_are_joined_where_that_is_said(self):
        other = self.directory / "other.txt"
        other.write_text(hpccoutf(CommWorldProcs=4))
        told = json.loads(steelyard("balance", self.file, other, "--one-machine", "--format", "json").stdout)
        own = [curve for curve in told["curves"] if curve["own"]]
        self.assertEqual([len(curve["points"]) for curve in own], [2])
        twice = json.loads(steelyard("balance", self.file, self.file, "--one-machine", "--format", "json").stdout)
        self.assertEqual([system["source"] for system in twice["systems"]], ["median of 2 runs"])

    def test_vectors_of_a_foreign_result_that_the_cache_holds_are_not_judged(self):
        def verdict(*words, elements):
            self.file.write_text(hpccoutf(STREAM_VectorSize=elements))
            return steelyard(*self.words, *words).stdout
        self.assertIn("holds this machine back", verdict(elements=50000000))
        self.assertIn("V7 in the cache", verdict(elements=17066))
        self.assertIn("No verdict: only processor speed", " ".join(verdict(elements=17066).split()))
        self.assertIn("V7 in the cache", verdict("--cache", "300Mi", elements=50000000))
        self.assertNotIn("V7", verdict("--cache", "64Mi", elements=50000000))

    def test_several_systems_stand_side_by_side(self):
        other = self.directory / "other.txt"
        other.write_text(hpccoutf(CommWorldProcs=4).replace("'two'", "'four'"))
        done = steelyard("balance", self.file, other)
        self.assert_code(done, 0)
        self.assertIn("Ratios of two", done.stdout)
        self.assertIn("Ratios of four", done.stdout)
        self.assertIn("Normalised columns", done.stdout)

    def test_missing_parts_are_named_and_failed_ones_flagged(self):
        self.file.write_text(hpccoutf(PTRANS_GBs=-1))
        held = self.ratios()["ptrans_byte_kflop"]
        self.assertIsNone(held["value"])
        self.assertEqual(held["missing"], ["ptrans_byte_s"])
        self.file.write_text(hpccoutf(Success=0))
        self.assertIn("V8", self.ratios()["fft_ratio"]["flags"])
        self.assert_code(steelyard(*self.words, "--strict"), 3)

    def test_line_ends_and_standard_input(self):
        expected = self.ratios()["fft_ratio"]["value"]
        done = steelyard("balance", "-", "--format", "json", stdin=hpccoutf().replace("\n", "\r\n"))
        self.assertEqual(json.loads(done.stdout)["systems"][0]["ratios"]["fft_ratio"]["value"], expected)

    def test_what_cannot_be_read_is_two(self):
        cut = self.directory / "cut.txt"
        cut.write_text(hpccoutf()[:200])
        self.assert_refused(steelyard("balance", cut), 2, f"{cut}: line", "cut off")
        cut.write_text("")
        self.assert_refused(steelyard("balance", cut), 2, str(cut))
        self.assert_refused(steelyard("balance", self.directory / "none"), 2, "No such file")
        self.assert_refused(steelyard("balance"), 2, "INPUT is missing")
        self.assert_refused(steelyard(*self.words, "--processes-per-node", "3"), 2, "says 3 processes")
        self.assert_refused(steelyard("balance", self.file, "--nodes", "1000"), 2, "--nodes: says 1000 nodes")
        self.file.write_text("Begin of Summary section.\nCommWorldProcs=2\nEnd of Summary section.\n")
        self.assert_refused(steelyard("balance", self.file), 2, "no ratio can be computed", "run hpcc/HPL")

    def test_metadata_power_and_profiles(self):
        data = self.directory / "meta.toml"
        data.write_text('[system]\nname = "mine"\n[cost]\npurchase = 1000\ncurrency = "EUR"\n')
        power = self.directory / "power.txt"
        power.write_text("0 100\n10 100\n20 200\n")
        profile = self.directory / "work.toml"
        profile.write_text('name = "chemistry"\nmemory_byte_flop = 1\nnetwork_byte_flop = 0\nmessages_per_flop = 0\n')
        told = json.loads(steelyard(*self.words, "--metadata", data, "--power", power, "--profile", profile,
                                    "--format", "json").stdout)
        self.assertEqual(told["systems"][0]["name"], "mine")
        self.assertEqual(told["energy"]["mean_power_w"], 125)
        power.write_text("0 -5\n10 -5\n")
        for word in ("--power=-5", "--power=0", f"--power={power}"):
            self.assert_refused(steelyard(*self.words, word), 2, "--power: '", "must be above 0 W")
        self.assertAlmostEqual(told["cost"]["cost_per_gflop_s"], 1000 / 110.384)
        self.assertEqual(list(told["verdict"]["shares"]), ["chemistry"])
        data.write_text("[system]\nnam = 1\n")
        self.assert_refused(steelyard(*self.words, "--metadata", data), 2, f"{data}:2:1: unknown 'nam'", "'name'")

    def test_figure_data_is_one_file_a_figure(self):
        out = self.directory / "figures"
        self.assert_code(steelyard(*self.words, "--figure-data", out), 0)
        self.assertTrue((out / "B2a.csv").read_text().startswith("curve,own,processes,threads,hpl_tflop_s,value,flags,remarks\n"))
        self.assertTrue((out / "B12.csv").exists())

    def test_page_stays_closed_to_hostile_names(self):
        done = steelyard(*self.words, "--name", "</title><script>x", "--format", "html")
        self.assert_code(done, 0)
        self.assertNotIn("<script", done.stdout)


class Compare(Case):
    def setUp(self):
        super().setUp()
        self.base, self.slow = result(self.directory / "base"), result(self.directory / "slow", 1.5)

    def launches(self, name, factor=1):
        return ",".join(str(result(self.directory / f"{name}{i}", factor * (1 + i / 1000))) for i in range(5))

    def test_slower_is_three_where_that_was_asked(self):
        base, slow = self.launches("b"), self.launches("s", 1.5)
        done = steelyard("compare", base, slow)
        self.assert_code(done, 0)
        self.assertIn("1 slower, 0 same of 1 points (threshold 5 %, false discovery rate 1 %)", done.stdout)
        self.assert_code(steelyard("compare", base, slow, "--fail-on", "slower"), 3)
        self.assert_code(steelyard("compare", slow, base, "--fail-on", "slower,unclear"), 0)

    def test_a_name_with_a_comma_is_one_name(self):
        for folder in ("a", "b", "a,b", "c,d"):
            result(self.directory / folder)
        for list_of_names, launches in (("a,b", 1), ("c,d,a", 2), ("a,c,d", 2), ("a,./b", 2)):
            done = steelyard("compare", list_of_names, "base", "--format", "json", cwd=self.directory)
            self.assert_code(done, 0)
            self.assertEqual(json.loads(done.stdout)["base_launches"], launches, list_of_names)
        self.assert_refused(steelyard("compare", "c,e", "base", cwd=self.directory), 2, "c: No such file")

    def test_why_sides_cannot_be_compared_stands_on_lines_of_its_own(self):
        lines = (self.slow / "result.jsonl").read_text().splitlines()
        head = json.loads(lines[0])
        head["nodes"] += 1
        head["layout"]["binding"] = "none" if head["layout"].get("binding") != "none" else "core"
        (self.slow / "result.jsonl").write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n")
        refused = steelyard("compare", self.base, self.slow)
        self.assert_refused(refused, 2)
        told = refused.stderr.splitlines()
        self.assertEqual(told[0], "steelyard: error: the two sides cannot be compared:")
        self.assertTrue(told[1].startswith("nodes: ") and told[2].startswith("binding: "), told)

    def test_one_launch_a_side_is_unclear_and_no_check_that_cannot_fail(self):
        done = steelyard("compare", self.base, self.slow)
        self.assert_code(done, 0)
        self.assertIn("1 unclear, 0 same of 1 points", done.stdout)
        self.assertIn("One launch on a side", done.stdout)
        self.assertIn("1 is slower and 0 are faster by more than the threshold", " ".join(done.stdout.split()))
        self.assert_refused(steelyard("compare", self.base, self.slow, "--fail-on", "slower"), 2, "--fail-on slower", "--launch-sd")
        self.assert_code(steelyard("compare", self.base, self.slow, "--fail-on", "slower,unclear"), 3)
        self.assert_code(steelyard("compare", self.base, self.slow, "--fail-on", "slower", "--launch-sd", "3%"), 3)
        self.assert_code(steelyard("compare", self.slow, self.base, "--fail-on", "slower", "--launch-sd", "3%"), 0)

    def test_words_about_texts_are_checked_where_no_input_is_one(self):
        for option, word in (("--date", "nonsense"), ("--timezone", "nonsense"), ("--path", "nonsense"), ("--set", "nonsense"),
                             ("--describe", "/no/such/file")):
            for command in (["compare", self.base, self.slow], ["history", self.base]):
                self.assert_refused(steelyard(*command, option, word), 2, f"'{word}'")

    def test_forms_hold_the_same_ratio(self):
        words = ["compare", self.base, self.slow, "--launch-sd", "2%"]
        row = next(csv.DictReader(io.StringIO(steelyard(*words, "--format", "csv").stdout)))
        told = json.loads(steelyard(*words, "--format", "json").stdout)
        table = next(t for t in told["tables"] if t["id"] == "points")
        keys = [column["key"] for column in table["columns"]]
        self.assertEqual(float(row["ratio"]), table["rows"][0][keys.index("ratio")])
        self.assertEqual((row["verdict"], told["counts"]["slower"]), ("slower", 1))
        self.assertIn("| 1.500 |", steelyard(*words, "--format", "markdown").stdout)

    def test_unlike_runs_are_refused_with_the_reason(self):
        other = result(self.directory / "other", sync="barrier")
        self.assert_refused(steelyard("compare", self.base, other), 2, "synchronisation", "--ignore options")
        self.assert_code(steelyard("compare", self.base, other, "--ignore", "options"), 0)

    def test_another_thread_level_is_told(self):
        for directory, level in ((self.base, "single"), (self.slow, "multiple")):
            head, point = (directory / "result.jsonl").read_text().splitlines()
            head = json.loads(head)
            head["mpi"]["thread_level"] = level
            (directory / "result.jsonl").write_text(f"{json.dumps(head)}\n{point}\n")
        done = steelyard("compare", self.base, self.slow)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"MPI thread level +single +multiple")
        self.assertNotIn("nothing that the records tell", done.stdout)
        self.assertNotIn("MPI thread level", steelyard("compare", self.base, self.slow, "--ignore", "mpi").stdout)

    def test_wrong_words_are_two(self):
        self.assert_refused(steelyard("compare", self.base), 2, "two sides")
        self.assert_refused(steelyard("compare", self.base, self.directory / "none"), 2, "none")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--fail-on", "bad"), 2, "'bad' is not one of")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--fail-on", "slwoer"), 2, "did you mean slower?")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--fail-on", ""), 2, "--fail-on: names nothing")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--fail-on", "slower,,missing"), 2,
                            "--fail-on: 'slower,,missing' has a comma without a value beside it")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--metric", "tiem_s"), 2, "no point has the metric 'tiem_s' on both sides; did you mean time_s?")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--metric", ""), 2, "--metric: must not be empty")
        self.assert_refused(steelyard("compare", self.base, self.slow, "--threshold", "0"), 2, "--threshold")
        more, slower = result(self.directory / "more"), result(self.directory / "slower", 1.5)
        two = f"{self.base},{more}"
        self.assert_refused(steelyard("compare", "--pairs", two, self.slow), 2, "--pairs", "2 launches of the base and 1")
        self.assertTrue(json.loads(steelyard("compare", "--pairs", two, f"{self.slow},{slower}", "--format", "json").stdout)["paired"])

    def test_one_run_several_times_is_one_launch(self):
        copy = self.directory / "copy.jsonl"
        copy.write_text((self.base / "result.jsonl").read_text())
        slow = self.launches("s", 1.5)
        self.assert_refused(steelyard("compare", ",".join([str(self.base)] * 5), slow), 2, "run base twice: that is one launch")
        self.assert_refused(steelyard("compare", slow, f"{self.base},{copy}"), 2, "run base twice: that is one launch")

    def test_what_was_lost_is_told_once_though_an_import_makes_it_read_again(self):
        torn, kept = result(self.directory / "torn"), self.directory / "kept"
        with (torn / "result.jsonl").open("a") as lines:
            lines.write('{"half')
        text = self.directory / "latency.txt"
        text.write_text("# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n8                       1.12\n")
        self.assert_code(steelyard("import", text, "-o", kept), 0)
        done = steelyard("compare", torn, kept)
        self.assert_refused(done, 2, "no point is on both sides", "--twins")
        self.assertEqual(done.stderr.count("the last line is cut off"), 1, done.stderr)
        whole = (torn / "result.jsonl").read_text()
        done = steelyard("compare", "/dev/stdin", kept, stdin=whole)  # cannot be read again
        self.assert_refused(done, 2, "no point is on both sides", "--twins")

    def test_a_comparison_in_place_of_a_file_keeps_its_rights_and_its_names(self):
        for form in ("text", "csv", "json"):
            with self.subTest(form):
                file, name, link = (self.directory / f"{form}.{kind}" for kind in ("out", "name", "link"))
                for old in (file, name):
                    old.write_text("old")
                    old.chmod(0o600)
                os.link(name, self.directory / f"{form}.again")
                link.symlink_to(self.directory / f"{form}.target")
                for place in (file, name, link):
                    self.assert_code(steelyard("compare", self.base, self.slow, "--format", form, "--overwrite", "-o", place), 0)
                    self.assertGreater(len(place.read_text()), 100)
                self.assertEqual([old.stat().st_mode & 0o777 for old in (file, name)], [0o600, 0o600])
                self.assertEqual((name.stat().st_nlink, link.is_symlink()), (2, True))
        self.assertEqual([left.name for left in self.directory.iterdir() if ".new" in left.name], [])

    def test_texts_of_hpcc_are_compared_figure_by_figure_by_the_threshold_alone(self):
        one, other = self.directory / "one.txt", self.directory / "other.txt"
        one.write_text(hpccoutf())
        other.write_text(hpccoutf(HPL_Tflops=1.5 * TWO["input"]["hpcc_summary"]["HPL_Tflops"]))
        rows = {row["benchmark"]: row for row in csv.DictReader(io.StringIO(
            steelyard("compare", one, other, "--format", "csv").stdout))}
        self.assertEqual((rows["HPL_Tflops"]["verdict"], rows["HPL_Tflops"]["test"]), ("faster", "threshold"))
        self.assertEqual({row["verdict"] for name, row in rows.items() if name != "HPL_Tflops"}, {"same"})
        self.assert_refused(steelyard("compare", one, other, "--fail-on", "slower"), 2, "single numbers")
        self.assert_refused(steelyard("compare", one, other, "--select", "hpcc"), 2, "--select: ")
        self.assert_refused(steelyard("compare", one, self.base), 2)

    def test_keys_outside_the_published_summary_are_compared_where_their_unit_is_told(self):
        one, other = self.directory / "one.txt", self.directory / "other.txt"
        one.write_text(hpccoutf(BatchedDGEMM_Gflops=10.0, Old_usec=3.0, Rounds=3, Kind="x"))
        other.write_text(hpccoutf(BatchedDGEMM_Gflops=5.0, Rounds=4, Kind="y"))
        table = steelyard("compare", one, other, "--format", "csv").stdout
        rows = {row["benchmark"]: row for row in csv.DictReader(io.StringIO(table))}
        self.assertEqual(rows["BatchedDGEMM_Gflops"]["verdict"], "slower")
        self.assertFalse({"Old_usec", "Rounds", "Kind"} & set(rows))
        self.assertIn("are not compared: Old_usec, Rounds", " ".join(steelyard("compare", one, other).stdout.split()))

    def test_several_launches_of_a_side(self):
        more = [result(self.directory / f"l{i}", 1 + i / 1000) for i in range(5)]
        sides = ",".join(map(str, more))
        row = next(csv.DictReader(io.StringIO(steelyard("compare", sides, sides, "--format", "csv").stdout)))
        self.assertEqual((row["base_launches"], row["new_launches"], row["verdict"]), ("5", "5", "same"))


IMB = """#    Intel (R) MPI Benchmark Suite V3.2, MPI-1 part
# Date                  : Thu Mar  3 10:15:00 2022
# Calling sequence was:

# IMB-MPI1 Allreduce

# Benchmarking Allreduce
# #processes = 16
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            4         1000         3.00         5.00         4.00
            8         1000         3.10         5.20         4.10

# All processes entering MPI_Finalize
"""
HPL = """\
HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018
T/V                N    NB     P     Q               Time                 Gflops
WR11C2R4       20000   192     2     2              50.00             1.0668e+02
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.96870000e-03 ...... PASSED
Finished      1 tests with the following results:
End of Tests.
"""

OSU = """# OSU MPI Allreduce Latency Test v5.6.2
# Size       Avg Latency(us)
4                       4.00
8                       4.90
"""
STREAM = """STREAM version $Revision: 5.10 $
Array size = 10000000 (elements), Offset = 0 (elements)
Number of Threads counted = 8
Function    Best Rate MB/s  Avg time     Min time     Max time
Triad:          19200.0     0.012700     0.012500     0.013100
Solution Validates: avg error less than 1.000000e-13 on all three arrays
"""


class Foreign(Case):
    """Texts of other programs in every reading command."""

    def write(self, name, text):
        file = self.directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def rows(self, *words):
        done = steelyard("compare", *words, "--format", "csv")
        self.assert_code(done, 0)
        return {row["key"]: row for row in csv.DictReader(io.StringIO(done.stdout))}

    def test_an_old_text_is_compared_with_another_by_the_threshold_alone(self):
        old = self.write("old.txt", IMB)
        new = self.write("new.txt", IMB.replace("5.00", "6.00"))
        rows = self.rows(old, new)
        verdicts = {key: (row["verdict"], row["test"]) for key, row in rows.items()}
        self.assertEqual(sorted(verdicts.values()), [("same", "threshold"), ("slower", "threshold")])
        self.assertTrue(all(row["ratio_low"] == "" for row in rows.values()))

    def test_a_text_that_was_read_is_written_with_its_defects_and_its_topology(self):
        for title, benchmark, line, row in (
                ("MPI-1 part", "Allreduce", "", "         4096         1000         9.50        10.00         9.75         0.25"),
                ("MPI-4 part, steelyard's own", "Neighbor_alltoall", "# topology = 3 x 2, neighbours = 4\n",
                 "         4096         1000         9.50        10.00         9.75         0.00")):
            head = "#    Intel(R) MPI Benchmarks 2021.3" if title == "MPI-1 part" else "#    steelyard 0.1.0"
            columns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects"
            text = self.write("checked.txt", f"{head}, {title}\n# Benchmarking {benchmark}\n# #processes = 6\n{line}{columns}\n{row}\n\n"
                                             "# All processes entering MPI_Finalize\n")
            done = steelyard("export", text, "--to", "imb")
            self.assert_code(done, 0)
            for kept in (line, columns, row):
                self.assertIn(kept, done.stdout)

    def test_a_table_without_points_and_records_that_need_no_import_are_told(self):
        ours = result(self.directory / "ours")
        done = steelyard("export", ours, "--to", "csv", "--select", "imb-mpi1/Bcast")
        self.assert_code(done, 0)
        self.assertEqual((done.stdout.count("\n"), done.stderr), (1, "steelyard: warning: no point fits --select: the heading stands alone\n"))
        self.assertEqual(steelyard("export", ours, "--to", "csv").stderr, "")
        records = ours / "result.jsonl"
        records.write_text(records.read_text().replace('": ', '":').replace(', "', ',"'))  # as the program writes them
        done = steelyard("import", ours, "-o", self.directory / "kept")
        self.assert_code(done, 2)
        self.assertIn("result.jsonl (records of steelyard are read as they are)", done.stdout)

    def test_one_figure_is_balanced_with_what_the_ratios_lack(self):
        text = self.write("HPL.out", HPL)
        done = steelyard("balance", text, "--set", "nodes=4")
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"HPL +Gflop/s +107")
        self.assertIn("Missing: ", done.stdout)
        self.assertNotRegex(done.stdout, r"(?m)^ratio +value")

    def test_digits_that_are_too_few_decide_nothing(self):
        a = self.write("a.txt", OSU.replace("4.00", "1.00"))
        b = self.write("b.txt", OSU.replace("4.00", "1.05"))
        row = next(row for key, row in self.rows(a, b, "--set", "processes=16").items() if "message_byte=4" in key)
        self.assertEqual((row["verdict"], row["remark"]), ("unclear", "printed too coarsely"))

    def test_twins_are_compared_where_the_word_is_said(self):
        imb, osu = self.write("imb.txt", IMB), self.write("osu.txt", OSU)
        words = ["--set", "base:processes=16"]
        self.assert_refused(steelyard("compare", osu, imb, *words), 2, "no point is on both sides", "--twins")
        done = steelyard("compare", osu, imb, *words, "--twins")
        self.assert_code(done, 0)
        self.assertIn("osu/allreduce beside imb-mpi1/Allreduce", done.stdout)
        self.assertIn("not measured alike", done.stdout)  # averages and maxima over ranks are two statistics

    def test_twins_of_our_own_records_have_the_same_statistic(self):
        head, point = json.loads(EXAMPLES[0]), json.loads(EXAMPLES[1])
        point.update({"suite": "imb-mpi1", "benchmark": "Allreduce", "processes": 16, "groups": 1,
                      "params": {"message_byte": 4, "type": "MPI_FLOAT", "op": "MPI_SUM", "sync": "on"},
                      "key": "imb-mpi1/Allreduce;message_byte=4;op=MPI_SUM;processes=16;sync=on;type=MPI_FLOAT"})
        point["classic"] = {**point.get("classic", {}), "t_avg_s": 4e-6, "t_max_s": 9e-6}
        self.write("ours/result.jsonl", json.dumps(head) + "\n" + json.dumps(point) + "\n")
        osu = self.write("osu.txt", OSU)
        row = next(row for key, row in self.rows(osu, self.directory / "ours", "--twins", "--set", "base:processes=16").items()
                   if "message_byte=4" in key)
        self.assertEqual((float(row["base"]), float(row["new"]), row["verdict"]), (4e-6, 4e-6, "same"))

    def test_rates_of_messages_have_another_divisor_since_7_4(self):
        text = "# OSU MPI Multiple Bandwidth / Message Rate Test v%s\n# [ pairs: 4 ] [ window size: 64 ]\n# Size                  MB/s        Messages/s\n8                    4096.00      512000000.00\n"
        old, later, new = (self.write(f"{release}.txt", text % release) for release in ("6.1", "7.3", "7.4"))
        remark = "osu/mbw_mr of 6.1 beside 7.4: since 7.4"
        self.assertIn(remark, " ".join(steelyard("compare", old, new).stdout.split()))
        self.assertNotIn("osu/mbw_mr of", steelyard("compare", old, later).stdout)

    def test_import_keeps_what_every_command_reads_directly(self):
        osu, kept = self.write("in/osu.txt", OSU * 2), self.directory / "kept"
        done = steelyard("import", osu, "--set", "processes=16,nodes=2", "--date", "2023-05-04", "--label", "site=A", "-o", kept)
        self.assert_code(done, 0)
        records = [json.loads(line) for line in (kept / "result.jsonl").read_text().splitlines()]
        heads = [one for one in records if one["type"] == "run"]
        self.assertEqual(len(heads), 2)
        self.assertEqual((heads[0]["nodes"], heads[0]["layout"], heads[0]["mpi"]), (2, None, None))
        self.assertEqual(heads[0]["started_utc"], "2023-05-04T00:00:00Z")
        self.assertEqual(heads[0]["series"], heads[1]["series"])
        self.assertEqual(heads[0]["labels"], {"site": "A"})
        points = [one for one in records if one["type"] == "point"]
        self.assertEqual([one["metrics"]["time_s"] for one in points], [4e-6, 4.9e-6] * 2)
        self.assertTrue(all("ci" not in json.dumps(one["metrics"]) for one in points))
        again = steelyard("import", osu, "--set", "processes=16,nodes=2", "--date", "2023-05-04", "-o", kept)
        self.assertIn("import_duplicate", again.stderr)
        self.assertEqual(len((kept / "result.jsonl").read_text().splitlines()), len(records))
        direct = steelyard("export", osu, "--to", "csv", "--set", "processes=16").stdout
        stored = steelyard("export", kept, "--to", "csv", "--run", "all").stdout
        numbers = lambda text: [(row["median"], row["key"]) for row in csv.DictReader(io.StringIO(text))]
        self.assertEqual(numbers(direct), numbers(stored))

    def test_our_own_texts_come_back_as_they_were(self):
        ours, kept = self.write("ours/result.jsonl", "\n".join(EXAMPLES[:2]) + "\n"), self.directory / "kept"
        text = self.write("ours.txt", steelyard("export", ours, "--to", "imb", "--partial").stdout)
        self.assert_code(steelyard("import", text, "-o", kept), 0)
        point = next(json.loads(line) for line in (kept / "result.jsonl").read_text().splitlines() if '"type":"point"' in line)
        printed = json.loads(EXAMPLES[1])["classic"]
        self.assertAlmostEqual(point["metrics"]["time_s"], printed["t_max_s"], delta=5.001e-9)
        rows = lambda of: [line for line in of.splitlines() if line[:1] == " " and line.split()[0].isdigit()]
        again = steelyard("export", kept, "--to", "imb", "--partial").stdout
        self.assertTrue(rows(again))
        self.assertEqual(rows(again), rows(text.read_text()))

    def test_the_figure_of_b_eff_io_is_that_of_its_best_partition(self):
        lines = ["b_eff_io.c, Revision 2.1 from 2001-05-01", "Date of measurement: Thu Mar  3 10:15:00 2022"]
        for processes, rate, verdict in ((2, 100, ""), (4, 321, ""), (8, 50, "NOT ")):
            lines += [f" b_eff_io of these measurements = {rate}.000 MB/s on {processes} processes with 256 MByte/PE and scheduled time=30.0 min",
                      f" {verdict}VALID for comparison of different systems"]
        lines.append(" b_eff_io = 321.000 MB/s on 4 processes with 256 MByte/PE, scheduled time=30.0 Min, on Linux n1 6.1 x x86_64")
        text = self.write("io.sum", "\n".join(lines) + "\n")
        done = steelyard("balance", text, "--format", "json")
        self.assert_code(done, 0)
        system = json.loads(done.stdout)["systems"][0]
        self.assertEqual((system["inputs"]["b_eff_io_byte_s"], system["facts"]["shortened"]), (3.21e8, []))
        # Its program says of one partition that its figure does not count.
        self.assert_code(steelyard("import", text, "--strict", "-o", self.directory / "strict"), 2)
        self.assert_code(steelyard("import", text, "-o", self.directory / "kept"), 0)

    def own(self, front_end, *points):
        """Records of a front-end of IMB, and the text that it prints of them."""
        words = [f"{front_end}/{point['benchmark']}" for point in points]
        head = {**json.loads(EXAMPLES[0]), "command": ["steelyard", front_end, "--threads", "2", "--out", "d"]}
        head["plan"] = {**head["plan"], "sequence": words}
        head["config"] = {front_end: {"version": "2021"}}
        example = json.loads(EXAMPLES[1])
        lines = [json.dumps(head)]
        for word, point in zip(words, points):
            keys = sorted(f"{name}={value}" for name, value in {**point.pop("in_key"), "processes": 2}.items())
            classic = {"repetitions": 1000, "idle_processes": 0, **point.pop("classic")}
            lines.append(json.dumps({**example, **point, "suite": front_end, "key": ";".join([word, *keys]), "classic": classic}))
        records = self.write("ours/result.jsonl", "\n".join(lines) + "\n")
        return records, steelyard("export", records, "--to", "imb", "--partial").stdout

    def assert_comes_back(self, text):
        """What is exported of a text has its tables."""
        tables = lambda of: [line for line in of.splitlines() if re.match(r" +\d|# (Benchmarking|#processes|window)", line)]
        kept = self.directory / "kept"
        self.assert_code(steelyard("import", self.write("printed.txt", text), "-o", kept), 0)
        again = steelyard("export", kept, "--to", "imb", "--partial").stdout
        self.assertTrue(tables(again))
        self.assertEqual(tables(again), tables(text))

    def threads(self, **more):
        """A row of pairs and one of bands, measured by two threads of each of two processes."""
        common = {"threads": 2, "status": "ok", "verified": None, "flags": [], "primary": "time_s", "better": "lower"}
        pair = {"message_byte": 4, "type": "MPI_INT", **more}
        band = {"message_byte": 8, "type": "MPI_INT", "window": 64, **more}
        return [{**common, "benchmark": "PingPongMT", "in_key": {**pair, "threads": 2},
                 "params": {**pair, "count_byte": 8, "pairs": 1, "taking_part": 2}, "metrics": {"time_s": 2.5e-6},
                 "classic": {"t_min_s": 1.9e-6, "t_max_s": 2e-6, "t_avg_s": 1.95e-6, "bandwidth_byte_s": 4e6}},
                {**common, "benchmark": "BiBandMT", "in_key": {**band, "threads": 2},
                 "params": {**band, "count_byte": 16, "pairs": 1, "taking_part": 2}, "metrics": {"time_s": 2.5e-6},
                 "classic": {"t_min_s": 1e-6, "t_max_s": 1.6e-6, "t_avg_s": 1.2e-6, "bandwidth_byte_s": 1e7,
                             "message_rate_op_s": 1.25e6}}]

    def test_texts_of_threads_stand_beside_ours(self):
        ours, text = self.own("imb-mt", *self.threads())
        self.assertIn("# #processes = 2 (threads: 2)\n", text)
        self.assert_comes_back(text)
        printed = self.directory / "printed.txt"
        for metric, numbers in (("", {"PingPongMT": 2e-6, "BiBandMT": 1.25e6}), ("time_s", {"PingPongMT": 2e-6, "BiBandMT": 1.2e-6}),
                                ("bandwidth_process_byte_s", {"PingPongMT": 4e6}), ("bandwidth_total_byte_s", {"BiBandMT": 1e7})):
            rows = self.rows(ours, printed, *(["--metric", metric] if metric else []))
            for name, number in numbers.items():
                row = next(row for key, row in rows.items() if name in key)
                self.assertEqual((float(row["base"]), float(row["new"]), row["verdict"]), (number, number, "same"), (metric, name))

    def test_what_a_text_of_threads_cannot_tell_is_left_out_of_both_keys(self):
        ours, text = self.own("imb-mt", *self.threads(malloc_algo="serial"))
        theirs = re.sub(r"steelyard \S+, MT part \(IMB 2021 rules\)", "Intel(R) MPI Benchmarks 2021.3, MT part", text)
        rows = self.rows(ours, self.write("theirs.txt", theirs))
        self.assertEqual([row["verdict"] for row in rows.values()], ["same", "same"], rows)

    def test_means_of_patterns_stand_beside_our_means(self):
        point = {"benchmark": "PingPong", "in_key": {"message_byte": 1024, "type": "MPI_BYTE"},
                 "params": {"message_byte": 1024, "type": "MPI_BYTE", "pairs": 1}, "flags": [],
                 "classic": {"t_min_s": 1e-6, "t_max_s": 3e-6, "t_avg_s": 2e-6, "bandwidth_byte_s": 1.024e9, "message_rate_op_s": 1e6}}
        ours, text = self.own("imb-p2p", point)
        self.assert_comes_back(text)
        row, = self.rows(ours, self.directory / "printed.txt").values()
        self.assertEqual((float(row["base"]), float(row["new"]), row["verdict"]), (2e-6, 2e-6, "same"))

    def test_texts_that_are_one_are_no_run_of_theirs(self):
        osu, stream, kept = self.write("osu.txt", OSU), self.write("stream.txt", STREAM), self.directory / "kept"
        words = ["--date", "2023-05-04", "-o", kept]
        self.assert_code(steelyard("import", stream, *words), 0)
        done = steelyard("import", stream, osu, "--set", "processes=8", "--as-one", "lion", *words)
        self.assertNotIn("import_duplicate", done.stderr)
        self.assertIn("import_duplicate", steelyard("import", stream, osu, "--set", "processes=8", "--as-one", "lion", *words).stderr)

    def test_folders_plans_and_paths(self):
        self.write("old/x/16.txt", OSU)
        self.write("old/notes.md", "nothing of interest\n")
        out = self.directory / "kept"
        done = steelyard("import", self.directory / "old", "--path", "{label.machine}/{processes}.txt", "--plan")
        self.assert_code(done, 0)
        self.assertIn("1 file is not recognised", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ *file +format +program +runs +points +missing")
        self.assertRegex(done.stdout, r"16\.txt +osu +OSU micro-benchmarks 5\.6\.2 +1 +2 +date, nodes, mpi, .*type \(assumed\)")
        self.assertRegex(done.stdout, r"notes\.md +- +- +0 +0 +not recognised")
        self.assertFalse(out.exists())
        (self.directory / "old/notes.md").unlink()
        done = steelyard("import", self.directory / "old", "--path", "{label.machine}/{processes}.txt", "-o", out)
        self.assert_code(done, 0)
        head = json.loads((out / "result.jsonl").read_text().splitlines()[0])
        self.assertEqual((head["processes"], head["labels"]), (16, {"machine": "x"}))

    def test_one_point_is_told_as_one(self):
        text = self.directory / "osu.txt"
        text.write_text("# OSU MPI Latency Test v7.3\n# Size       Avg Latency(us)\n8                       0.25\n")
        done = steelyard("import", text, "--date", "2023-05-04", "-o", self.directory / "kept")
        self.assertIn(": 1 run, 1 point\n", done.stdout, done.stderr)

    def test_words_that_mean_nothing_are_refused(self):
        osu = self.write("old/x/16.txt", OSU)
        self.write("old/odd.txt", OSU)
        words = ["import", osu, "--set", "processes=16"]
        self.assert_refused(steelyard(*words, "--set", "typ=MPI_INT", "--plan"), 2, "--set typ=", "did you mean type?")
        self.assert_refused(steelyard("export", osu, "--set", "processes=16,bogus=8", "--to", "csv"), 2, "--set bogus=")
        self.assert_refused(steelyard(*words, "--path", "{label.m}/{benchmark}.txt", "--plan"), 2, "says benchmark allreduce", "16")
        folder = steelyard("import", self.directory / "old", "--path", "{label.m}/x/{processes}.txt", "--plan")
        self.assert_code(folder, 1)
        self.assertIn("odd.txt' does not fit", folder.stderr)
        self.assertRegex(folder.stdout, r"odd\.txt +- +- +0 +0 +refused: .*does not fit")
        self.assertRegex(folder.stdout, r"16\.txt +osu .* 1 +2 ")

    def test_dates_are_read_whole_or_refused(self):
        osu = self.write("osu.txt", OSU)
        words = ["import", osu, "--set", "processes=16"]
        for i, (date, utc) in enumerate((("2023-05-04T10:00:00+02:00", "08:00"), ("2023-05-04T10:00:00+0200", "08:00"),
                                         ("2023-05-04T10:00", "10:00"), ("2023-05-04 10:00:00", "10:00"))):
            kept = self.directory / f"kept{i}"
            self.assert_code(steelyard(*words, "--date", date, "-o", kept), 0)
            head = json.loads((kept / "result.jsonl").read_text().splitlines()[0])
            self.assertEqual(head["started_utc"], f"2023-05-04T{utc}:00Z", date)
        for date in ("2023-05-04T10", "2023-05-04T10:00:00 CST", "2023-05-04T10:00:00+2", "2023-05-04 noon"):
            self.assert_refused(steelyard(*words, "--plan", "--date", date), 2, f"--date: '{date}'")

    def test_many_files_are_described_in_one(self):
        osu = self.write("old/lion/a.txt", OSU)
        self.write("old/tiger/b.txt", OSU.replace("4.00", "5.00"))
        words, out = self.write("old.toml", DESCRIPTION), self.directory / "kept"
        self.assert_code(steelyard("import", self.directory / "old", "--recursive", "--describe", words, "-o", out), 0)
        heads = [json.loads(line) for line in (out / "result.jsonl").read_text().splitlines() if '"type":"run"' in line]
        self.assertEqual([one["processes"] for one in heads], [16, 32])
        self.assertEqual([one["name"] for one in heads], ["lion", "all"])
        self.assertEqual([one["started_utc"][:10] for one in heads], ["2023-05-04", "2023-05-05"])
        self.assertEqual(heads[0]["labels"], {"site": "A"})
        direct = steelyard("export", osu, "--describe", words, "--to", "csv")
        self.assert_code(direct, 0)
        self.assertIn("processes=16", direct.stdout)
        for wrong, told in (("mach", "did you mean match?"), ('match = "*"\nas = "imv"', "'imv' is none of"), ('match = "*"\ndate = "soon"', "date: 'soon'")):
            bad = self.write("bad.toml", "[[file]]\n" + (f'{wrong} = "*"\n' if "=" not in wrong else wrong + "\n"))
            self.assert_refused(steelyard("import", osu, "--describe", bad, "--plan"), 2, "bad.toml:", told)

    def test_selections_know_suites_of_texts_alone(self):
        osu = self.write("osu.txt", OSU)
        rows = steelyard("export", osu, "--set", "processes=16", "--select", "osu/allr*", "--to", "csv")
        self.assert_code(rows, 0)
        self.assertIn("osu/allreduce", rows.stdout)
        self.assert_refused(steelyard("export", osu, "--set", "processes=16", "--select", "osu/bcast", "--to", "csv"), 2, "osu/bcast")
        criteria = self.write("c.toml", 'format = 1\n[[criterion]]\nid = "A"\nselect = "osu/allreduce;message_byte=4"\nat_most = "5 us"\n')
        sheet = steelyard("accept", criteria, osu, "--set", "processes=16", "--format", "json")
        self.assertEqual(json.loads(sheet.stdout)["criteria"][0]["verdict"], "pass")
        plan = steelyard("accept", "--plan", criteria).stdout
        self.assertIn("read from texts of other programs: osu/allreduce", plan)
        self.assertNotIn("measured by", plan)

    def test_what_cannot_be_read_is_told_with_its_place(self):
        osu = self.write("osu.txt", "mpirun -np 16 osu_allreduce\n" + OSU)
        self.assert_refused(steelyard("import", osu, "--plan"), 2, "line 2", "--set processes=N", "mpirun -np 16")
        self.assert_refused(steelyard("compare", osu, osu), 2, "line 2")
        imb = self.write("imb.txt", IMB)
        self.assert_refused(steelyard("import", imb, "--plan", "--set", "processes=4"), 2, "says 16 processes")
        cut = self.write("cut.txt", IMB[:IMB.index("5.20") + 4])
        self.assert_refused(steelyard("import", cut, "-o", self.directory / "no", "--strict"), 2, "--strict")
        self.assertFalse((self.directory / "no").exists())
        for words in (["--set", "processes=many"], ["--set", "processes"], ["--date", "soon"], ["--timezone", "+2"]):
            self.assert_refused(steelyard("import", imb, "--plan", *words), 2, words[0])
        self.assert_refused(steelyard("import", self.write("no.txt", "hello\n"), "--plan"), 2, "not recognised")

    def test_report_and_balance_take_them(self):
        stream, imb = self.write("stream.txt", STREAM), self.write("imb.txt", IMB)
        text = steelyard("report", stream, imb, "--format", "text")
        self.assert_code(text, 0)
        self.assertIn("IMB 3.2", text.stdout)
        self.assertIn("stream/triad", text.stdout)
        page = steelyard("report", imb, "-o", self.directory / "page.html")
        self.assert_code(page, 0)
        told = " ".join(text.stdout.split())
        self.assertIn("digest of the file sha256:", told)
        self.assertRegex(told, r"file \S*stream\.txt")
        self.assertIn("statistic", told)
        self.assertIn("mean, over ranks: ", told)
        rows = csv.DictReader(io.StringIO(steelyard("export", stream, "--to", "csv").stdout))
        self.assertTrue(all("statistic=best" in row["flags"].split() for row in rows))
        one = steelyard("import", "--as-one", "cluster A", stream, imb, "-o", self.directory / "one")
        self.assert_code(one, 0)


class Report(Case):
    def setUp(self):
        super().setUp()
        self.run = result(self.directory / "a")
        self.foreign = self.directory / "hpccoutf.txt"
        self.foreign.write_text(hpccoutf())

    def test_stands_beside_the_input_and_is_replaced(self):
        for _ in range(2):
            done = steelyard("report", self.run)
            self.assert_code(done, 0)
        page = self.run / "report.html"
        self.assertEqual(done.stdout.strip(), str(page))
        text = page.read_text()
        self.assertTrue(text.startswith("<!doctype html>"))
        self.assertIn("imb-mpi1/Allreduce", re.sub("<[^>]*>", "", text))

    def test_forms_show_the_same_numbers(self):
        text = steelyard("report", self.run, self.foreign, "--format", "text").stdout
        self.assertIn("Figures of merit", text)
        self.assertIn("HPL 110 Gflop/s", text)
        told = json.loads((self.run / "result.jsonl").read_text().splitlines()[1])["metrics"]["time_s"]["median"]
        shown = f"{told * 1e6:.2f}"
        self.assertIn(shown, text)
        self.assertIn(shown, steelyard("report", self.run, "--format", "markdown").stdout)
        self.assertIn(f">{shown}<", steelyard("report", self.run, "-o", "-").stdout)

    def test_runs_of_other_layout_are_not_compared_and_what_permits_it_is_named(self):
        other = result(self.directory / "b")
        lines = (other / "result.jsonl").read_text().splitlines()
        head = json.loads(lines[0])
        head["nodes"] += 1
        head["layout"]["binding"] = "none" if head["layout"].get("binding") != "none" else "core"
        (other / "result.jsonl").write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n")
        text = " ".join(steelyard("report", self.run, other, "--format", "text").stdout.split())
        self.assertIn("cannot be compared point by point: nodes: ", text)
        self.assertIn("'steelyard compare --ignore layout' permits it; binding: ", text)
        self.assertNotIn("?binding", text)

    def test_what_a_foreign_text_lacks_is_told_through_balance(self):
        told = self.directory / "two.json"
        self.assert_code(steelyard("balance", self.foreign, "--nodes", "1", "--memory", "24Gi", "--format", "json", "-o", told), 0)
        text = steelyard("report", self.run, told, "--format", "text").stdout
        self.assertIn("Memory bandwidth holds this machine back", " ".join(text.split()))

    def test_documents_of_balance_keep_their_names(self):
        told = self.directory / "two.json"
        self.assert_code(steelyard("balance", self.foreign, "--nodes", "1", "--memory", "24Gi", "--format", "json", "-o", told), 0)
        document = json.loads(told.read_text())
        document["systems"][0].update({"name": "cluster-b", "started": "2024-02-03T04:05:06.000Z"})
        told.write_text(json.dumps(document))
        for inputs in ((told, self.run), (self.run, told)):
            done = steelyard("report", *inputs, "--format", "text")
            self.assert_code(done, 0)
            self.assertIn("cluster-b", done.stdout)
            self.assertIn("Ratios of cluster-b", done.stdout)

    def test_latex_has_its_long_tables_beside_it(self):
        done = steelyard("report", self.run, "--format", "latex", "-o", self.run / "m.tex")
        self.assert_code(done, 0)
        self.assertEqual(done.stdout.strip(), str(self.run / "m.tex"))
        text = (self.run / "m.tex").read_text()
        self.assertIn("\\begin{longtable}", text)
        files = sorted(file.name for file in self.run.glob("m-*.dat"))
        self.assertTrue(files)
        for file in files:
            self.assertIn(file.replace("-", "{-}").replace("_", "\\_\\allowbreak{}"), text)
            lines = (self.run / file).read_text().splitlines()
            self.assertEqual({len(line.split()) for line in lines[1:]}, {len(lines[1].split())}, file)
        self.assertIn("\\end{document}", steelyard("report", self.run, "--format", "latex", "-o", "-").stdout)
        self.assert_refused(steelyard("report", self.run, "--format", "latex", "--open"), 2, "--open: needs")

    def test_two_results_are_compared(self):
        other = result(self.directory / "b", factor=2)
        text = steelyard("report", self.run, other, "--format", "text").stdout
        self.assertIn("1 unclear, 0 same of 1 points", text)  # one launch a side
        based = steelyard("report", other, "--baseline", self.run, "--format", "text").stdout
        self.assertIn("1 unclear, 0 same of 1 points", based)

    def test_results_of_several_launches_are_compared_by_all_of_them(self):
        sides = [series(self.directory / name, factor) for name, factor in (("five", 1), ("more", 2))]
        self.assertIn("1 slower, 0 same of 1 points", steelyard("report", *sides, "--format", "text").stdout)
        based = steelyard("report", sides[1], "--baseline", sides[0], "--format", "text").stdout
        self.assertIn("1 slower, 0 same of 1 points", based)

    def test_a_page_built_elsewhere(self):
        page = self.directory / "page.html"
        page.write_text("@STEELYARD_TITLE@|@STEELYARD_STATIC@|@STEELYARD_ENCODING@|@STEELYARD_DATA@")
        done = steelyard("report", self.run, "--template", page, "--title", "a < b", "-o", "-")
        self.assertTrue(done.stdout.startswith("a &lt; b|"))
        page.write_text("@STEELYARD_TITLE@")
        self.assert_refused(steelyard("report", self.run, "--template", page, "-o", "-"), 2, "@STEELYARD_STATIC@")

    def test_refusals(self):
        self.assert_refused(steelyard("report"), 2, "INPUT is missing")
        self.assert_refused(steelyard("report", self.directory / "none"), 2, "none")
        self.assert_refused(steelyard("report", self.run, "-o", self.directory / "none" / "x.html"), 4, "cannot write")


class Inputs(Case):
    def test_links_that_lead_round_in_a_circle_are_refused(self):
        loop = self.directory / "loop"
        loop.symlink_to(loop)
        for words in (["export", loop, "--to", "csv"], ["report", loop], ["balance", loop], ["compare", loop, loop]):
            done = steelyard(*words)
            self.assertIn(done.returncode, (2, 4), words)
            self.assertIn(f"{loop}: Too many levels of symbolic links", done.stderr, words)


class ReadOnce(Case):
    """Standard input and pipes of a shell, which hold their bytes once."""

    LATENCY = ("# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n8                       1.12\n"
               "16                      1.13\n")

    def setUp(self):
        super().setUp()
        (self.directory / "osu.txt").write_text(self.LATENCY)
        (self.directory / "osu.gz").write_bytes(gzip.compress(self.LATENCY.encode()))
        (self.directory / "hpccoutf.txt").write_text(hpccoutf())
        (self.directory / "records").write_text((result(self.directory / "a") / "result.jsonl").read_text())
        (self.directory / "criteria.toml").write_text('format = 1\n[[criterion]]\nid = "A"\nselect = "osu/latency;message_byte=8"\n'
                                                      'at_most = "2 us"\nrule = "value"\nmin_launches = 1\n')

    def shell(self, words):
        return subprocess.run(["bash", "-c", words], cwd=self.directory, env=environment(PROGRAM=PROGRAM), capture_output=True,
                              text=True, timeout=60, check=False)

    def told(self, words, name):
        """Exit code and standard output without what the input is called, and when it was written."""
        done = self.shell(words)
        return done.returncode, re.sub(rf"{name}|/dev/fd/\d+|/dev/stdin|\d{{8}}T\d{{6}}Z-[0-9a-f]{{8}}", "INPUT", done.stdout)

    def test_is_read_as_a_file_is(self):
        cases = [(f"export {{}} --to {form}", name) for form in ("csv", "imb") for name in ("osu.txt", "osu.gz", "records")]
        cases += [("compare {} osu.txt", "osu.txt"), ("compare osu.txt {}", "osu.gz"), ("compare {} hpccoutf.txt", "hpccoutf.txt"),
                  ("compare {} records", "records"), ("balance {} --format csv", "hpccoutf.txt"), ("accept criteria.toml {}", "osu.txt"),
                  ("accept criteria.toml {}", "records"), ("export {} --to csv --select osu", "osu.txt"),
                  ("export {} --to csv --select imb-mpi1", "records")]
        for words, name in cases:
            with self.subTest(words=words, name=name):
                as_file = self.told(f'"$PROGRAM" {words.format(name)}', name)
                for piped in (f'cat {name} | "$PROGRAM" {words.format("-")}', f'"$PROGRAM" {words.format("-")} < {name}',
                              f'"$PROGRAM" {words.format(f"<(cat {name})")}', f'cat {name} | "$PROGRAM" {words.format("/dev/stdin")}'):
                    self.assertEqual(self.told(piped, name), as_file, piped)

    def test_has_no_time_of_a_file(self):
        for piped in ('cat osu.txt | "$PROGRAM" export - --to json', '"$PROGRAM" export <(cat osu.txt) --to json'):
            head = json.loads(self.shell(piped).stdout)["records"][0]
            self.assertTrue(head["started_utc"].startswith("1970-01-01T00:00:00"), head["started_utc"])

    def test_two_pipes_are_two_sides(self):
        done = self.shell('"$PROGRAM" compare <(cat osu.txt) <(sed s/1.12/2.24/ osu.txt)')
        self.assert_code(done, 0)
        self.assertIn("2.000", done.stdout)

    def test_a_pipe_with_a_name_is_not_waited_for(self):
        os.mkfifo(self.directory / "fifo")
        for words in ("balance fifo", "report fifo --format text", "export fifo --to csv", "compare fifo osu.txt", "import fifo -o kept",
                      "history fifo", "accept criteria.toml fifo"):
            with self.subTest(words):
                self.assert_refused(self.shell(f'"$PROGRAM" {words}'), 2, "fifo: is no regular file")
        for words in ("accept fifo osu.txt", "report osu.txt --accept fifo", "report osu.txt -o x --template fifo", "list --config fifo",
                      "history records --known fifo", "screen records --topology fifo", "balance hpccoutf.txt --power fifo",
                      "balance hpccoutf.txt --metadata fifo"):
            with self.subTest(words):
                self.assert_refused(self.shell(f'"$PROGRAM" {words}'), 2, "fifo", "a pipe with a name is no text")

    def test_the_page_of_a_pipe_is_written_here(self):
        for piped in ('cat records | "$PROGRAM" report /dev/stdin', '"$PROGRAM" report <(cat records)', '"$PROGRAM" report - < records'):
            done = self.shell(piped)
            self.assert_code(done, 0)
            self.assertEqual(done.stdout, f"{self.directory / 'report.html'}\n")
            (self.directory / "report.html").unlink()


class Loaded(Case):
    """What the libraries do that the program brings along, of which a command that reads needs nothing."""

    def limited(self, limits, *words):
        done = subprocess.run(["sh", "-c", f'{limits} && exec "$@"', "sh", PROGRAM, *map(str, words)], env=environment(),
                              capture_output=True, text=True, timeout=60, check=False)
        # UCX, which some MPI libraries bring, prints there while it is loaded that it gets no thread.
        done.stdout = "".join(line for line in done.stdout.splitlines(True) if " UCX " not in line)
        return done

    def test_starts_no_threads(self):
        with subprocess.Popen([PROGRAM, "export", "-", "--to", "csv"], env=environment(OMP_NUM_THREADS="4"), stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
            run.stdin.write(b"\n" * (1 << 18))  # more than a pipe takes: the program reads when it is written
            run.stdin.flush()
            self.assertEqual(len(os.listdir(f"/proc/{run.pid}/task")), 1)
            run.communicate(timeout=30)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more addresses than that")
    def test_ends_where_addresses_are_limited(self):
        for words in (["--version"], ["list"], ["export", result(self.directory / "a"), "--to", "csv"]):
            done = self.limited("ulimit -v 200000", *words)
            if done.returncode == 4:  # OpenBLAS 0.3.29 takes 128 MiB while it is loaded, older ones none
                self.assert_refused(done, 4, "not loaded after 2 s of processor time", "ulimit -v")
                continue
            self.assert_code(done, 0)
            self.assertEqual(done.stdout, steelyard(*words).stdout)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more addresses than that")
    def test_reads_with_one_thread_where_no_more_are_given(self):
        words = ["history", *(result(self.directory / name) for name in "abcdef"), "--no-cache"]
        done = self.limited("ulimit -s 2000000 && ulimit -v 1000000", *words)  # a thread asks for all of a stack
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, steelyard(*words).stdout)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more addresses than that")
    @unittest.skipUnless(HAS_MPI, "nothing is started by a build without MPI")
    def test_says_that_it_needs_threads_where_it_cannot_do_without(self):
        done = self.limited("ulimit -s 2000000 && ulimit -v 1000000", "run", "-n", 2, "imb-mpi1/PingPong", "-o", self.directory / "r")
        self.assert_refused(done, 4, "no more threads or processes are allowed here", "ulimit -u")
        end = time.monotonic() + 30
        while (left := self.processes_of(str(self.directory))) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(left, [], "what was started ends, too")

    @staticmethod
    def processes_of(word):
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if word.encode() in (place / "cmdline").read_bytes():
                    found.append(int(place.name))
        return found

    def test_finds_the_variables_as_they_were(self):
        file = self.directory / "c.toml"
        file.write_text('[export]\noutput = "/a${OPENBLAS_NUM_THREADS}/b${_}/c${OLDPWD}/d"\n')
        for threads in ("7", ""):
            done = steelyard("export", "--to", "csv", "--config", file, "--print-config", OPENBLAS_NUM_THREADS=threads, _="u", OLDPWD="o")
            self.assertIn(f"output = '/a{threads}/bu/co/d'", done.stdout)


class PrintedConfiguration(Case):
    def test_does_what_the_words_did(self):
        first, second = result(self.directory / "a"), result(self.directory / "b", 1.001)
        criteria = self.directory / "criteria.toml"
        criteria.write_text('format = 1\n[[criterion]]\nid = "A"\nselect = "imb-mpi1/Allreduce"\nat_most = "1 s"\nrule = "value"\n')
        formats = ("csv", "json", "imb", "b-eff", "b-eff-io", "ftio", "hpcc", "hpl", "hpccinf", "prometheus", "openmetrics")
        for words in (["compare", first, second, "--metric", "time_s"], ["accept", criteria, first], ["docs", "slurm"], ["docs", "pbs"],
                      ["docs", "completion", "bash"], ["balance", first], ["systems"], ["list"], ["history", first, "--no-cache"],
                      ["report", first, "--format", "text"], *(["export", first, "--to", form] for form in formats)):
            with self.subTest(words):
                file = self.directory / "c.toml"
                file.write_text(steelyard(*words, "--print-config").stdout)
                direct, read = steelyard(*words), steelyard(words[0], "--config", file)
                self.assertEqual((read.returncode, read.stdout, read.stderr), (direct.returncode, direct.stdout, direct.stderr))

    def test_settings_of_another_format_have_no_effect(self):
        file = self.directory / "c.toml"
        file.write_text('[export]\nhpl-version = "2.0"\nmetrics = "primary"\n')
        first = result(self.directory / "a")
        self.assert_code(steelyard("export", first, "--to", "json", "--config", file), 0)
        self.assert_refused(steelyard("export", first, "--to", "json", "--metrics", "all"), 2, "--metrics: belongs to --to csv")


class Systems(Case):
    def test_list_and_details(self):
        listed = steelyard("systems")
        self.assert_code(listed, 0)
        self.assertIn("cray-x1", listed.stdout)
        one = steelyard("systems", "cray-t3e-900-512")
        self.assertIn("HLRS Stuttgart", one.stdout)
        self.assertIn("disagreement:", one.stdout)
        self.assertIn("b_eff paper, section 4, Table 1", " ".join(one.stdout.split()))

    def test_quotes_of_no_system_are_listed(self):
        rows = list(csv.DictReader(io.StringIO(steelyard("systems", "--quotes", "--format", "csv").stdout)))
        self.assertEqual(len(rows), 27)
        read_off = [row["value"] for row in rows if "3 Tflop/s" in row["what"]]
        self.assertEqual(read_off, ["30", "40", "62", "67"])
        self.assertIn("--quotes", steelyard("systems").stdout)
        self.assert_refused(steelyard("systems", "--quotes", "--records"), 2, "--quotes")

    def test_records_hold_what_was_printed(self):
        rows = list(csv.DictReader(io.StringIO(steelyard("systems", "--kind", "hpcc", "--records", "--format", "csv").stdout)))
        data = json.loads((SOURCE / "data/systems.json").read_text())
        expected = sum(len(r["values"]) for r in data["records"] if r["kind"] == "hpcc")
        self.assertEqual(len(rows), expected)
        self.assertIn("(268)", [row["printed"] for row in rows])

    def test_filters(self):
        self.assertNotIn("cray-x1", steelyard("systems", "--kind", "ftio").stdout)
        self.assertIn("sgi-origin2000-64", steelyard("systems", "--text", "nasa", "--format", "json").stdout)

    def test_unknown_ones_are_two_with_a_suggestion(self):
        self.assert_refused(steelyard("systems", "cray-x2"), 2, "'cray-x2'", "did you mean 'cray-x1'?")
        self.assert_refused(steelyard("systems", "cray-t3e"), 2, "'cray-t3e'", "did you mean 'cray-t3e-900-512'?")
        self.assert_refused(steelyard("systems", "Hitachi"), 2, "'Hitachi'",
                            "did you mean 'hitachi-sr8000-128', 'hitachi-sr8000-24', 'hitachi-sr2201'?")
        self.assert_refused(steelyard("systems", "zebra"), 2, "'steelyard systems' lists them")
        self.assert_refused(steelyard("systems", "--text", "nowhere"), 2, "matches")


class Plots(Case):
    def test_data_and_script_of_every_benchmark(self):
        base, out = result(self.directory / "base"), self.directory / "plots"
        self.assert_code(steelyard("export", base, "--to", "gnuplot", "-o", out), 0)
        self.assertEqual(sorted(file.name for file in out.iterdir()),
                         ["imb-mpi1_Allreduce_bandwidth.dat", "imb-mpi1_Allreduce_bandwidth.gp",
                          "imb-mpi1_Allreduce_time.dat", "imb-mpi1_Allreduce_time.gp"])
        self.assertIn("\n4096 6.2311e-06 6.1902e-06 6.3107e-06\n", (out / "imb-mpi1_Allreduce_time.dat").read_text())
        self.assert_refused(steelyard("export", base, "--to", "gnuplot", "-o", out), 4, "--overwrite")
        done = subprocess.run([tool("gnuplot"), "imb-mpi1_Allreduce_time.gp"], cwd=out, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("<svg", (out / "imb-mpi1_Allreduce_time.svg").read_text())


if __name__ == "__main__":
    main()
