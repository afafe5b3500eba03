# SPDX-License-Identifier: Apache-2.0
"""The front-end hpcc: input file, options, hpccoutf.txt, exit codes, export."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent / "hpcc"))

from text_shape import complaint
from program import PROGRAM, Case, environment, main, median_of, of_type, records, steelyard, under_launcher

ORDER = ["MPIRandomAccess", "StarRandomAccess", "SingleRandomAccess", "MPIRandomAccess_LCG", "StarRandomAccess_LCG",
         "SingleRandomAccess_LCG", "PTRANS", "StarDGEMM", "SingleDGEMM", "StarSTREAM", "SingleSTREAM", "MPIFFT", "StarFFT",
         "SingleFFT", "LatencyBandwidth", "HPL"]
LINES = ["title", "title", "HPL.out", "6", "1 # of N", "200", "1", "32", "0", "1", "1", "{columns}", "16.0", "1", "2", "1", "4",
         "1", "2", "1", "1", "1", "1", "1", "1", "2", "64", "0", "0", "1", "8"]
ROW = re.compile(r"^WR\S+ +(\d+) +(\d+) +(\d+) +(\d+) +(\d+\.\d+) +([\d.e+-]+)$", re.MULTILINE)


def write_input(path, columns=1, **changed):
    """An HPL.dat; l9='5' changes line 9."""
    lines = [line.format(columns=columns) for line in LINES]
    for name, text in changed.items():
        lines[int(name[1:]) - 1] = text
    path.write_text("\n".join(lines) + "\n")
    return path


def sections(text):
    return re.findall(r"^Begin of (\w+) section\.$[\s\S]*?^End of \1 section\.$", text, re.MULTILINE)


def section(text, name):
    return text.split(f"Begin of {name} section.\n")[1].split(f"End of {name} section.\n")[0]


def summary(text):
    return dict(line.split("=", 1) for line in section(text, "Summary").splitlines())


def without_times(text):
    return re.sub(r"Current time \(\d+\) is .*", "Current time", text)


class Measured(Case):
    """One tiny run of all tests for a whole class."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        source, cls.records, cls.file = write_input(cls.place / "in", 2), cls.place / "r", cls.place / "out.txt"
        cls.done = under_launcher(2, "hpcc", "--input", source, "--output", cls.file, "--out", cls.records)
        if cls.done.returncode != 0:
            raise RuntimeError(cls.done.stdout + cls.done.stderr)
        cls.text = cls.file.read_text()


class Output(Measured):
    def test_sections_are_those_of_the_suite(self):
        found = sections(self.text)
        self.assertEqual(found[-1], "Summary")
        self.assertEqual([name for name in ORDER if name in found], found[:-1])
        self.assertGreaterEqual(len(found), 12)

    def test_every_line_of_the_published_file_is_in_its_place(self):
        if "HPL" not in sections(self.text):
            self.skipTest("built without the linear solver")
        shape = pathlib.Path(__file__).parent.parent / "hpcc" / "shapes" / "hpccoutf.txt"
        self.assertEqual(complaint(shape.read_text(), self.text), "")

    def test_summary_has_success_sizes_and_rates_without_exponent(self):
        found = summary(self.text)
        self.assertEqual((found["Success"], found["CommWorldProcs"], found["PTRANS_n"]), ("1", "2", "100"))
        for name, value in found.items():
            if re.search(r"_(GUPs|GBs|Gflops|Tflops|usec|GBytes|Copy|Scale|Add|Triad)$", name):
                self.assertRegex(value, r"^-?\d+\.\d+$", name)
        self.assertGreater(float(found["StarSTREAM_Triad"]), 0)
        self.assertGreater(float(found["MPI_Wtick"]), 0)
        self.assertEqual(found["Sy_run"], "optimized")

    def test_solver_has_a_row_and_its_keys(self):
        if "HPL" not in sections(self.text):
            self.skipTest("built without the linear solver")
        rows = ROW.findall(section(self.text, "HPL"))
        self.assertEqual([row[:4] for row in rows], [("200", "32", "1", "2")])
        found = summary(self.text)
        self.assertEqual((found["HPL_N"], found["HPL_NB"], found["HPL_npcol"], found["HPL_order"]), ("200", "32", "2", "R"))
        self.assertGreater(float(found["HPL_Tflops"]), 0)

    def test_records_hold_the_summary_and_the_input(self):
        run, = of_type(records(self.records), "run")
        self.assertEqual(run["program"]["front_end"], "hpcc")
        self.assertIn("200 ", run["config"]["hpcc"]["input"])
        told, = of_type(records(self.records), "summary")
        sentences = {"Sy_BLAS_advice"}  # of a BLAS that is slow here: no word of a text that programs read
        self.assertEqual([key for key in told["classic"] if key not in sentences], list(summary(self.text)))

    def test_export_makes_the_same_text(self):
        done = steelyard("export", self.records, "--to", "hpcc")
        self.assert_code(done, 0)
        self.assertEqual(without_times(done.stdout), without_times(self.text))

    def test_text_that_is_imported_has_the_same_numbers_and_makes_the_same_text(self):
        kept = self.directory / "kept"
        self.assert_code(steelyard("import", self.file, "-o", kept), 0)
        held, = of_type(records(kept), "summary")
        printed = summary(self.text)
        self.assertEqual(list(held["classic"]), list(printed))
        for key, word in printed.items():
            value = held["classic"][key]
            self.assertEqual(value, word if isinstance(value, str) else float(word), key)
        again = steelyard("export", kept, "--to", "hpcc", "--partial")
        self.assert_code(again, 0)
        self.assertEqual(summary(again.stdout), printed)
        if "HPL" not in sections(self.text):
            return
        ours = {point["key"].split(";")[0]: point for point in of_type(records(self.records), "point")}["hpcc/HPL"]
        theirs, = [point for point in of_type(records(kept), "point") if point["benchmark"] == "HPL"]
        printed_rate, = [float(row[5]) * 1e9 for row in ROW.findall(self.text)]
        self.assertAlmostEqual(theirs["metrics"]["flop_rate_flop_s"] / printed_rate, 1, delta=1e-12)
        self.assertAlmostEqual(theirs["metrics"]["flop_rate_flop_s"] / median_of(ours, "flop_rate_flop_s"), 1, delta=1e-3)
        self.assertEqual(theirs["verified"], ours["verified"])
        rows = steelyard("export", kept, "--to", "hpl", "--hpl-version", "2.0", "--partial")
        self.assert_code(rows, 0)
        self.assertEqual(ROW.findall(rows.stdout), ROW.findall(section(self.text, "HPL")))

    def test_export_makes_an_input_that_is_accepted(self):
        file = self.directory / "again"
        self.assert_code(steelyard("export", self.records, "--to", "hpccinf", "-o", file), 0)
        done = steelyard("hpcc", "--input", file, "--output", self.directory / "o", "--only", "StarDGEMM")
        self.assert_refused(done, 2, f"{file}:12: a grid of 1 x 2 needs more than the 1 processes of this run, found \"2\"")

    def test_export_of_the_solver_alone(self):
        done = steelyard("export", self.records, "--to", "hpl")
        if "HPL" not in sections(self.text):
            self.assert_refused(done, 2, "lack points of the linear solver")
            return
        self.assert_code(done, 0)
        self.assertEqual(len(ROW.findall(done.stdout)), 1)
        self.assertIn("HPL_pdgesv() start time ", done.stdout)
        old = steelyard("export", self.records, "--to", "hpl", "--hpl-version", "2.0").stdout
        self.assertEqual(len(ROW.findall(old)), 1)
        self.assertNotIn("HPL_pdgesv", old)


class Choices(Case):
    """One process, a test or two."""

    def run_tests(self, *words, only="StarDGEMM"):
        return steelyard("hpcc", "--only", only, *words, cwd=self.directory)

    def output(self):
        return (self.directory / "hpccoutf.txt").read_text()

    def test_files_of_the_working_directory_are_used_and_runs_are_appended(self):
        write_input(self.directory / "hpccinf.txt")
        self.assert_code(self.run_tests(), 0)
        self.assert_code(self.run_tests(only="SingleDGEMM"), 0)
        self.assertEqual(sections(self.output()), ["StarDGEMM", "Summary", "SingleDGEMM", "Summary"])
        self.assert_code(self.run_tests("--truncate"), 0)
        self.assertEqual(sections(self.output()), ["StarDGEMM", "Summary"])

    def test_families_and_generators(self):
        write_input(self.directory / "hpccinf.txt")
        done = self.run_tests("--random-generator", "lcg", "--skip", "starrandomaccess_lcg", only="RandomAccess,dgemm")
        self.assert_code(done, 0)
        self.assertEqual(sections(self.output())[:-1], ["MPIRandomAccess_LCG", "SingleRandomAccess_LCG", "StarDGEMM", "SingleDGEMM"])
        self.assertEqual(summary(self.output())["MPIRandomAccess_GUPs"], "-1")

    def test_options_stand_above_the_file(self):
        write_input(self.directory / "hpccinf.txt")
        self.assert_code(self.run_tests("--hpcc-n", "100", "--base", "--hpcc-threshold", "20"), 0)
        self.assertIn("\nN      :     100 \n", self.output())
        self.assertIn("\nNB     :      32 \n", self.output())
        self.assertEqual(summary(self.output())["Sy_run"], "base")

    def test_order_of_ptrans_that_is_dropped_is_told(self):
        write_input(self.directory / "hpccinf.txt")
        with (self.directory / "hpccinf.txt").open("a") as file:
            file.write("---\n2\n120 10\n0\n")
        small = "PTRANS of order {} would use less than 90 % of the linear solver's memory and is left out\n"
        done = self.run_tests(only="PTRANS")
        self.assert_code(done, 0)
        self.assertEqual(done.stderr.count(" is left out"), 1, done.stderr)
        self.assertIn("steelyard: input: line 34: " + small.format(10), done.stderr)
        done = self.run_tests("--ptrans-n", "20", only="PTRANS")
        self.assertIn("steelyard: input: --ptrans-n: " + small.format(20), done.stderr)
        self.assertNotIn("line 34", done.stderr)
        plan = steelyard("run", "hpcc/PTRANS", "-n", "1", "--hpcc-n", "256", "--ptrans-n", "10", "--plan")
        self.assertIn("note: " + small.format(10), plan.stdout)

    def test_order_alone_needs_no_file(self):
        self.assert_code(self.run_tests("--hpcc-n", "100"), 0)

    def test_derived_problem_is_written_and_can_be_run(self):
        self.assert_code(self.run_tests("--auto", "1Mi", "--out", self.directory / "r"), 0)
        derived = (self.directory / "hpccinf.auto.txt").read_text().splitlines()
        block, order = int(derived[7].split()[0]), int(derived[5].split()[0])
        self.assertEqual(order % (2 * block), 0)
        self.assertLessEqual(8 * order * order, 1 << 20)
        run, = of_type(records(self.directory / "r"), "run")
        self.assertIn("N: the matrix takes at most 1.000 MiB", run["config"]["hpcc"]["derivation"])
        self.assert_code(self.run_tests("--input", "hpccinf.auto.txt"), 0)

    def test_defaults_read_the_memory_file(self):
        (self.directory / "hpccmemf.txt").write_text("Total=1.5\nmore\n")
        self.assert_code(self.run_tests("--defaults"), 0)
        found = summary(self.output())
        self.assertEqual((found["MemProc"], found["MemSpec"], found["MemVal"]), ("1.5", "1", "1.5"))
        (self.directory / "hpccmemf.txt").write_text("Some=1\n")
        self.assert_refused(self.run_tests("--defaults"), 2, 'hpccmemf.txt:1: must be', 'found "Some=1"')

    def test_check_that_fails_is_one(self):
        write_input(self.directory / "hpccinf.txt")
        done = self.run_tests("--hpcc-threshold", "1e-30")
        self.assert_code(done, 1)
        self.assertEqual(summary(self.output())["Success"], "0")
        self.assertIn("Node(s) with error 1\n", self.output())

    def test_test_that_cannot_be_run_is_one_but_talking_to_nobody_is_none(self):
        write_input(self.directory / "hpccinf.txt")
        self.assert_code(self.run_tests("--hpcc-n", "4000000"), 1)
        self.assertIn("Not measured: ", section(self.output(), "StarDGEMM"))
        self.assertEqual(summary(self.output())["Success"], "0")
        self.assert_code(self.run_tests("--truncate", only="DGEMM,LatBw"), 0)
        self.assertEqual(summary(self.output())["Success"], "1")

    def test_name_of_the_program_selects_the_front_end(self):
        link = self.directory / "hpcc"
        os.symlink(PROGRAM, link)
        done = steelyard("--help", program=link)
        self.assert_code(done, 0)
        self.assertIn("usage: steelyard hpcc [OPTION...]", done.stdout)


class Refusals(Case):
    def refused(self, code, *lines, words=()):
        self.assert_refused(steelyard("hpcc", *words, cwd=self.directory), code, *lines)
        self.assertFalse((self.directory / "hpccoutf.txt").exists())

    def test_missing_input_says_how_to_make_one(self):
        self.refused(2, "cannot read 'hpccinf.txt': No such file or directory", "--auto derives the problem")
        self.refused(2, "cannot read 'x'", words=["--input", "x", "--hpcc-n", "100"])

    def test_all_faults_are_told_with_their_lines(self):
        write_input(self.directory / "hpccinf.txt", l8="none", l9="2", l26="7 SWAP")
        self.refused(2, 'hpccinf.txt:8: value 1 of 1: NB must be a whole number from 1 to 2147483647, found "none"',
                     'hpccinf.txt:9: PMAP must be 0 (row-major) or 1 (column-major), found "2"',
                     'hpccinf.txt:26: SWAP must be 0 (bin-exch), 1 (long) or 2 (mix), found "7"')

    def test_grid_that_is_too_large_is_two(self):
        write_input(self.directory / "hpccinf.txt")
        self.refused(2, "--hpcc-grid: 2x2 are more than the 1 processes", words=["--hpcc-grid", "2x2"])

    def test_words_that_exclude_each_other_or_name_nothing_are_two(self):
        write_input(self.directory / "hpccinf.txt")
        self.refused(2, "--auto and --input exclude each other", words=["--auto", "--input", "hpccinf.txt"])
        self.refused(2, "--base and --optimized exclude each other", words=["--base", "--optimized"])
        self.refused(2, "--only: 'dgem' is not one of", "did you mean 'DGEMM'?", words=["--only", "dgem"])
        self.refused(2, "leave no test", words=["--only", "DGEMM", "--skip", "DGEMM"])
        self.refused(2, "--auto: ", words=["--auto=120"])

    def test_names_that_can_be_said_are_told_once_each(self):
        done = steelyard("hpcc", "--only", "dgem", cwd=self.directory)
        names = done.stderr.split("is not one of ")[1].split("; did you mean")[0].split(", ")
        self.assertEqual(len(names), len(set(names)), names)
        self.assertIn("HPL", names)

    def test_dash_is_standard_output(self):
        write_input(self.directory / "hpccinf.txt")
        done = steelyard("hpcc", "--only", "HPL", "--output", "-", cwd=self.directory)
        self.assert_code(done, 0)
        self.assertEqual(summary(done.stdout)["Success"], "1")
        self.assertTrue(done.stdout.rstrip().endswith("########"), done.stdout[-300:])
        self.assertEqual([path.name for path in self.directory.iterdir()], ["hpccinf.txt"])

    def test_output_that_cannot_be_written_is_four(self):
        write_input(self.directory / "hpccinf.txt")
        self.refused(4, "cannot write 'none/out': No such file or directory", words=["--output", "none/out"])


class Solver(Case):
    """The front-end hpl."""

    def run_solver(self, *words):
        return steelyard("hpl", *words, cwd=self.directory)

    def test_device_of_the_file_decides_where_the_text_goes(self):
        write_input(self.directory / "HPL.dat")
        done = self.run_solver()
        self.assert_code(done, 0)
        self.assertEqual([row[:4] for row in ROW.findall(done.stdout)], [("200", "32", "1", "1")])
        self.assertIn("HPLinpack 2.3  --  High-Performance Linpack benchmark", done.stdout)
        self.assertEqual(len(re.findall("^W", done.stdout, re.MULTILINE)), 1, "grep ^W finds the rows alone")
        write_input(self.directory / "HPL.dat", l4="8", l3="rows.out")
        done = self.run_solver()
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(ROW.findall((self.directory / "rows.out").read_text())), 1)
        write_input(self.directory / "HPL.dat", l4="7")
        self.assertEqual(len(ROW.findall(self.run_solver().stderr)), 1)
        write_input(self.directory / "HPL.dat", l4="8", l3="")
        before = sorted(os.listdir(self.directory))
        self.assert_refused(self.run_solver(), 2, 'HPL.dat:3: must name the file of device 8, found "end of line"')
        self.assertEqual(sorted(os.listdir(self.directory)), before)
        self.assert_code(self.run_solver("--output", self.directory / "said"), 0)
        self.assertEqual(len(ROW.findall((self.directory / "said").read_text())), 1)
        self.assertEqual(len(ROW.findall(self.run_solver("--output", "-").stdout)), 1)
        self.assertFalse((self.directory / "-").exists())

    def test_phases_and_timeline_are_shown_when_asked(self):
        done = self.run_solver("--hpcc-n", "300", "--hpcc-nb", "32", "--hpl-detail", "--hpl-timeline", "--out", "r")
        self.assert_code(done, 0)
        self.assertIn("\nMax aggregated wall time rfact . . . : ", done.stdout)
        self.assertRegex(done.stdout, r"\n    0 \|[FXSM. ]{68}\|\npanel \|")
        self.assertEqual(steelyard("export", self.directory / "r", "--to", "hpl").stdout.count("--VVV"), 30)

    def test_outcomes(self):
        write_input(self.directory / "HPL.dat", l13="1e-30")
        self.assert_code(self.run_solver(), 1)
        self.assertIn("||Ax-b||_oo  . . .", self.run_solver().stdout)
        write_input(self.directory / "HPL.dat", l6="0")
        done = self.run_solver()
        self.assert_code(done, 0)
        self.assertIn(" 0.0000e+00\n", done.stdout)
        write_input(self.directory / "HPL.dat", l6="4000000")
        done = self.run_solver("--out", "r")
        self.assert_code(done, 1)
        self.assertIn("Not measured: needs ", done.stdout)
        end, = of_type(records(self.directory / "r"), "end")
        self.assertEqual(end["exit_code"], 1)
        write_input(self.directory / "HPL.dat", columns=2)
        self.assert_refused(self.run_solver(), 2, "HPL.dat:12: a grid of 1 x 2 needs more than the 1 processes")
        write_input(self.directory / "HPL.dat", l23="6")
        self.assert_refused(self.run_solver(), 2, "HPL.dat:23: ")
        os.remove(self.directory / "HPL.dat")
        self.assert_refused(self.run_solver(), 2, "cannot read 'HPL.dat'")

    def test_derived_problem_tells_why(self):
        done = self.run_solver("--auto", "2Mi", "--out", "r")
        self.assert_code(done, 0)
        self.assertIn(" N", (self.directory / "HPL.auto.dat").read_text())
        run, = of_type(records(self.directory / "r"), "run")
        self.assertIn("NB: least time at N = 512 by a trial of update and panel, Gflop/s: 64 ",
                      run["config"]["hpcc"]["derivation"])


class Faults(Case):
    def start(self, *words):
        run = subprocess.Popen([PROGRAM, *map(str, words)], env=environment(), stdin=subprocess.DEVNULL, cwd=self.directory,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        return run

    def test_stop_in_the_solver_keeps_the_tests_before(self):
        run = self.start("hpcc", "--hpcc-n", 6000, "--hpcc-nb", 32, "--only", "PTRANS,HPL", "--out", "r", "--progress", "json")
        for line in run.stderr:
            if "Column=" in line:
                break
        run.send_signal(signal.SIGTERM)
        _, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 5, stderr)
        self.assertRegex(stderr, r"stopped after \d of \d points( and parts of \d)?, by a signal\.\n")
        text = (self.directory / "hpccoutf.txt").read_text()
        self.assertEqual(sections(text)[:2], ["PTRANS", "HPL"])
        self.assertIn("Not complete: signal\n", text)
        self.assertIn("Not measured: stopped before the last panel\n", section(text, "HPL"))
        points = {point["benchmark"]: point for point in of_type(records(self.directory / "r"), "point")}
        self.assertEqual((points["PTRANS"]["status"], points["HPL"]["status"]), ("ok", "partial"))
        self.assertGreater(points["PTRANS"]["classic"]["PTRANS_GBs"], 0)
        self.assertNotIn("HPL_Tflops", points["HPL"]["classic"])

    def test_killed_run_leaves_the_sections_that_were_finished(self):
        source, file = write_input(self.directory / "in", 1, l6="1500"), self.directory / "out"
        run = subprocess.Popen([PROGRAM, "hpcc", "--input", str(source), "--output", str(file)], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        patience = time.monotonic() + 90
        while time.monotonic() < patience and not (file.exists() and "End of MPIRandomAccess section." in file.read_text()):
            time.sleep(0.005)
        run.kill()
        run.wait()
        self.assertIn("MPIRandomAccess", sections(file.read_text()))


if __name__ == "__main__":
    main()
