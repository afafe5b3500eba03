# SPDX-License-Identifier: Apache-2.0
"""The front-end b-eff: its files, its refusals, export, and the report that gnuplot and LaTeX make of them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

from program import Case, main, median_of, of_type, records, steelyard, tool, under_launcher

SUFFIXES = ["prot", "short", "sum", "plot", "gps", "tex"]
TINY = ["b-eff", "-test", "-mem", "1", "-looptime", "0.000005", "-reps", "1"]
# Rings and polygons alone, one method: where the files are not what is looked at.
LEAST = [*TINY, "-nomethod", "alltoallv", "-nomethod", "nonblk",
         *(word for name in ("worst-cyc", "best-bi-section", "worst-bi-section", "one-PingPong-Pair", "acyclic", "cyclic")
           for word in ("-nopattern", name))]
LAST_LINE = re.compile(r"b_eff[A-Z&]* = +[0-9.]+ MB/s = +[0-9.]+ \* +(\d+) PEs with +(\d+) MB/PE on \S+ \S+ \S+ .* \S+")


def sections(text):
    return re.findall(r"^SECTION-(\S+)-BEGIN$[\s\S]*?^SECTION-\1-END$", text, re.MULTILINE)


def texts(prefix):
    return {suffix: pathlib.Path(f"{prefix}.{suffix}").read_text() for suffix in SUFFIXES}


class Measured(Case):
    """One tiny run for all tests of a class."""

    PROCESSES = 2

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.prefix, cls.records = cls.place / "my.run", cls.place / "r"
        cls.done = under_launcher(cls.PROCESSES, *TINY, "-f", cls.prefix, "--out", cls.records)
        if cls.done.returncode != 0:
            raise RuntimeError(cls.done.stderr)


class Files(Measured):
    def test_there_are_six_and_nothing_else(self):
        self.assertEqual(sorted(path.name for path in self.place.iterdir()), sorted(["r"] + [f"my.run.{s}" for s in SUFFIXES]))

    def test_sections_are_in_order(self):
        files = texts(self.prefix)
        self.assertEqual(sections(files["prot"]), ["HEAD", "LOOP", "LOOPLNGS", "VALUES"])
        self.assertEqual(sections(files["sum"]), ["HEAD", "BEFF"])
        self.assertEqual(sections(files["short"]), ["HEAD", "ELAPSED", "PATTERN", "BY-METHODS", "BY-REPETITIONS",
                                                    "BY-MTHD-MSGLNG", "BY-MSGLNG", "BY-PATTERN-MSGLNG", "BEFF"])

    def test_last_line_is_that_of_standard_error_and_names_the_host(self):
        files = texts(self.prefix)
        (last,) = {files[suffix].splitlines()[-1] for suffix in ("prot", "short", "sum")}
        found = LAST_LINE.fullmatch(last)
        self.assertIsNotNone(found, last)
        self.assertEqual(found.groups(), ("2", "1"))
        self.assertIn(last, self.done.stderr.splitlines())
        self.assertEqual(self.done.stdout, "")
        system = os.uname()
        self.assertTrue(last.endswith(f" on {system.sysname} {system.nodename} {system.release} {system.version} {system.machine}"), last)

    def test_reduced_run_is_marked_and_says_why(self):
        text = texts(self.prefix)["sum"]
        self.assertIn("b_effTEST = ", text)
        self.assertIn("2 random polygons instead of 30", text)
        self.assertNotIn("VALID\n", text)

    def test_last_column_gives_b_eff(self):
        table = texts(self.prefix)["short"].split("SECTION-BY-PATTERN-MSGLNG")[1]
        values = [float(value) for value in re.findall(r"^ p\d\d .{17} :\(.*-> +([0-9.]+) MByte/s$", table, re.MULTILINE)]
        rings, random = values[:6], values[6:8]

        def average(numbers):
            product = 1.0
            for number in numbers:
                product *= number ** (1 / len(numbers))
            return product

        told = float(re.search(r"= +([0-9.]+) MB/s", texts(self.prefix)["sum"].splitlines()[-1]).group(1))
        self.assertAlmostEqual(average([average(rings), average(random)]), told, delta=0.002)

    def test_export_makes_the_same_files(self):
        again = self.directory / "my.run"
        self.assert_code(steelyard("export", self.records, "--to", "b-eff", "-o", again), 0)
        self.assertEqual(texts(again), texts(self.prefix))

    def test_protocol_that_is_imported_has_the_same_numbers(self):
        kept = self.directory / "kept"
        self.assert_code(steelyard("import", f"{self.prefix}.prot", "-o", kept), 0)
        names = ("message_byte", "method", "pattern")
        ours = {tuple(point["params"][name] for name in names): max(point["classic"]["min_byte_s"])
                for point in of_type(records(self.records), "point") if "bandwidth_byte_s" in point.get("metrics", {})}
        theirs = {tuple(point["params"][name] for name in names): median_of(point, "bandwidth_per_process_byte_s")
                  for point in of_type(records(kept), "point")}
        self.assertEqual(set(theirs), set(ours))
        self.assertGreater(len(theirs), 100)
        for place, value in theirs.items():  # 0.001 MB/s are printed, and what is printed as 0 is no number
            self.assertAlmostEqual(value or 0, ours[place], delta=501, msg=place)
        told, = of_type(records(kept), "summary")
        own, = of_type(records(self.records), "summary")
        self.assertAlmostEqual(told["values"]["b_eff_byte_s"], own["values"]["b_eff_byte_s"], delta=501)
        self.assertFalse(told["official"])

    def test_protocol_beside_its_own_run_is_the_same(self):
        done = steelyard("compare", self.records, f"{self.prefix}.prot", "--format", "json")
        self.assert_code(done, 0)
        counts = json.loads(done.stdout)["counts"]
        self.assertEqual((counts["faster"], counts["slower"]), (0, 0))
        self.assertGreater(counts["same"], 100)

    def test_records_tell_the_front_end_and_every_point_is_verified(self):
        run = records(self.records)[0]
        self.assertEqual(run["program"]["front_end"], "b-eff")
        self.assertEqual(run["config"]["b-eff"]["repetitions"], 1)
        points = of_type(records(self.records), "point")
        # On a busy machine the rule may leave no time for the longest messages of a pattern.
        self.assertEqual({point["status"] for point in points} - {"skipped"}, {"ok"})
        self.assertTrue(all(point["verified"] for point in points if point["status"] == "ok"))


class Refusals(Case):
    def spoil(self, directory):
        """Nothing of the directory may have changed afterwards."""
        mine = directory / "b_eff.tex"
        mine.write_text("mine")
        return mine

    def test_existing_file_is_kept_and_nothing_is_measured(self):
        mine = self.spoil(self.directory)
        done = under_launcher(2, *LEAST, "-f", self.directory / "b_eff")
        self.assert_refused(done, 4, f"steelyard: error: '{mine}' exists; --overwrite replaces it")
        self.assertEqual([(path.name, path.read_text()) for path in self.directory.iterdir()], [("b_eff.tex", "mine")])

    def test_existing_file_is_replaced_when_asked(self):
        self.spoil(self.directory)
        self.assert_code(under_launcher(2, *LEAST, "--overwrite", "-f", self.directory / "b_eff"), 0)
        self.assertIn("\\documentclass", (self.directory / "b_eff.tex").read_text())

    def test_prefix_that_cannot_be_written_is_four(self):
        done = under_launcher(2, *LEAST, "-f", self.directory / "none" / "b_eff")
        self.assert_refused(done, 4, "b_eff.prot': No such file or directory")

    def test_single_process_is_four(self):
        done = steelyard(*LEAST, "-f", self.directory / "b_eff")
        self.assert_refused(done, 4, "b_eff needs at least 2 processes, started with 1")
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_wrong_words_are_two(self):
        for words, text in ((["-mem", "none"], "-mem: must be a whole number"), (["-yrange", "3"], "-yrange: '3'"),
                            (["-nopattern", "ring"], "-nopattern: 'ring'"), (["a", "b"], "unexpected word 'b'"),
                            (["-f", "x/"], "'x/' is a directory")):
            with self.subTest(words):
                self.assert_refused(steelyard("b-eff", *words, cwd=self.directory), 2, "steelyard: error: ", text)
        self.assertEqual(list(self.directory.iterdir()), [])


class Faults(Case):
    def test_wrong_message_is_one_and_marks_the_value(self):
        done = under_launcher(2, *LEAST, "-f", self.directory / "b_eff", "--out", self.directory / "r",
                              LD_PRELOAD=os.environ["STEELYARD_WRONG_MESSAGE"])
        self.assert_code(done, 1)
        self.assertIn("b_effINVALID = ", (self.directory / "b_eff.sum").read_text())
        self.assertIn("a message check failed", (self.directory / "b_eff.sum").read_text())
        wrong = [point["params"] for point in of_type(records(self.directory / "r"), "point") if point.get("verified") is False]
        self.assertTrue(wrong)
        self.assertEqual({(point["message_byte"], point["method"]) for point in wrong}, {(4096, "Sndrcv")})

    def test_files_that_become_unwritable_keep_the_number_and_the_records(self):
        place = self.directory / "gone"
        place.mkdir()
        run = threading.Thread(target=self.remove_once_measuring, args=(place,))
        run.start()
        done = under_launcher(2, *LEAST, "-f", place / "b_eff", "--out", self.directory / "r")
        run.join()
        self.assert_code(done, 4)
        self.assertRegex(done.stderr, LAST_LINE)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(records(self.directory / "r")[-1]["status"], "complete")

    def remove_once_measuring(self, place):
        """The first record is written after the prefix was found writable."""
        file, patience = self.directory / "r" / "result.jsonl", time.monotonic() + 60
        while time.monotonic() < patience and not (file.exists() and file.stat().st_size > 0):
            time.sleep(0.01)
        place.rmdir()


class Exports(Measured):
    def test_files_are_replaced_only_when_asked(self):
        prefix = self.directory / "x"
        (self.directory / "x.gps").write_text("mine")
        self.assert_refused(steelyard("export", self.records, "--to", "b-eff", "-o", prefix), 4, "x.gps' exists")
        self.assertEqual([path.name for path in self.directory.iterdir()], ["x.gps"])
        self.assert_code(steelyard("export", self.records, "--to", "b-eff", "-o", prefix, "--overwrite"), 0)
        self.assertIn("set term", (self.directory / "x.gps").read_text())

    def test_default_prefix_is_b_eff(self):
        self.assert_code(steelyard("export", self.records, "--to", "b-eff", cwd=self.directory), 0)
        self.assertEqual({path.name for path in self.directory.iterdir()}, {f"b_eff.{suffix}" for suffix in SUFFIXES})

    def test_what_makes_no_files_is_two(self):
        self.assert_refused(steelyard("export", self.records, "--to", "b-eff", "-o", "-"), 2, "cannot go to standard output")
        self.assert_refused(steelyard("export", self.records, "--to", "b-eff", "-o", f"{self.directory}/"), 2, "is a directory")
        self.assert_refused(steelyard("export", self.records, "--to", "b-eff", "--select", "b-eff"), 2, "--select")

    def test_incomplete_records_need_partial(self):
        copy = self.directory / "r"
        copy.mkdir()
        lines = (self.records / "result.jsonl").read_text().splitlines(keepends=True)
        kept = [line for line in lines if '"message_byte":4096' not in line and '"type":"end"' not in line]
        (copy / "result.jsonl").write_text("".join(kept))
        prefix = self.directory / "x"
        self.assert_refused(steelyard("export", copy, "--to", "b-eff", "-o", prefix), 2,
                            "1 of 21 message lengths, the end of the run", "--partial")
        self.assert_code(steelyard("export", copy, "--to", "b-eff", "-o", prefix, "--partial"), 0)
        self.assertIn("------- MB/s", (self.directory / "x.sum").read_text().splitlines()[-1])

    def test_run_of_another_suite_is_two(self):
        out = self.directory / "r"
        self.assert_code(under_launcher(2, "imb-mpi1", "Barrier", "-iter", "3", "--out", out), 0)
        self.assert_refused(steelyard("export", out, "--to", "b-eff", "-o", self.directory / "x", "--partial"), 2,
                            "lack points of suite b-eff")


class Report(Measured):
    """gnuplot, latex and dvips on the files of a real run at an odd number of processes."""

    PROCESSES = 3

    def test_more_processes_than_processors_are_told(self):
        if len(os.sched_getaffinity(0)) >= self.PROCESSES:
            self.skipTest("enough processors")
        self.assertIn("steelyard: warning: 3 processes", self.done.stderr)

    def made(self, *command):
        done = subprocess.run([tool(command[0]), *command[1:]], cwd=self.place, capture_output=True, text=True, timeout=100,
                              stdin=subprocess.DEVNULL)
        self.assert_code(done, 0)
        return done.stdout + done.stderr

    def test_report_is_made_without_a_complaint(self):
        for name in ("gnuplot", "latex", "dvips"):
            tool(name)
        self.assertEqual(self.made("gnuplot", "my.run.gps"), "")
        for i in range(10):
            self.assertIn("%%BoundingBox", (self.place / f"epsfig{i}.eps").read_text())
        told = self.made("latex", "-interaction=nonstopmode", "my.run.tex")
        self.assertRegex(told, r"Output written on my\.run\.dvi \(6 pages")
        self.assertNotRegex(told, r"(?m)^!|LaTeX Warning|Missing character|Overfull \\hbox \([0-9]{2,}")
        self.assertNotRegex(self.made("dvips", "-o", "report.ps", "my.run.dvi"), r"(?i)warning|error")
        self.assertIn("%%Pages: 6", (self.place / "report.ps").read_text(errors="replace"))


if __name__ == "__main__":
    main()
