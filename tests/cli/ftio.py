# SPDX-License-Identifier: Apache-2.0
"""FTIO: the front-end's report and refusals, run ftio, resume, export, and what goes wrong with files."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from program import Case, main, of_type, records, steelyard, tool, under_launcher

SPOILER = os.environ.get("STEELYARD_SPOILED_FILES", "")
RESULT = re.compile(r"^FTIO: I/O fraction = (\d\.\d{3})   \(without init (\d\.\d{3})\)   total time = (\d+\.\d{6}) s   "
                    r"Mflop/s = (\d+\.\d{3})   cycles/flop = (n/a|\S+ \(.*\))$", re.MULTILINE)
CHECK = re.compile(r"^FTIO: total difference = (\S+)   max difference = (\S+)   (PASSED|FAILED)$", re.MULTILINE)


def number_of_files(directory):
    return len([path for path in pathlib.Path(directory).rglob("*") if path.is_file()])


class Report(Case):
    """One run of two sizes for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.data, cls.records = cls.place / "data", cls.place / "r"
        cls.data.mkdir()
        (cls.data / "mine").write_text("stays")
        cls.done = under_launcher(2, "ftio", "-sweep", "4,8", "-runs", "2", "-dir", cls.data, "-f", cls.place / "it's.fig",
                                  "--out", cls.records)
        if cls.done.returncode != 0:
            raise RuntimeError(cls.done.stdout + cls.done.stderr)

    def test_every_run_passes_and_no_data_are_left(self):
        self.assertEqual([word for _, _, word in CHECK.findall(self.done.stdout)], ["PASSED"] * 4)
        self.assertEqual([path.name for path in self.data.iterdir()], ["mine"])
        self.assertFalse((self.records / "scratch.manifest").exists())

    def test_sizes_calls_and_bytes_are_those_of_the_definition(self):
        heads = re.findall(r"^FTIO: c=2 i=(\d+) N=(\d+) elements=(\d+) bytes=(\d+) ", self.done.stdout, re.MULTILINE)
        self.assertEqual(heads, [("4", "32", "1024", "16384")] * 2 + [("8", "128", "16384", "262144")] * 2)
        sums = re.findall(r"^A to E .* (\d+) +\S+$", self.done.stdout, re.MULTILINE)
        self.assertEqual(sums, ["896", "896", "5632", "5632"])  # 2 processes
        self.assertEqual(len(re.findall(r"^[A-F] (?:init|dft1|transpose|exchange|dft2|verify) ", self.done.stdout,
                                        re.MULTILINE)), 4 * 6)

    def test_records_and_summary_tell_the_same(self):
        all_records = records(self.records)
        points = of_type(all_records, "point")
        self.assertEqual([point["key"] for point in points],
                         [f"ftio/FTIO;input_parameter={i};processes=2;run={run}" for i in (4, 8) for run in (1, 2)])
        for point, (fraction, _, total, rate, _) in zip(points, RESULT.findall(self.done.stdout), strict=True):
            classic = point["classic"]
            self.assertTrue(point["verified"])
            self.assertAlmostEqual(classic["io_fraction"], float(fraction), places=3)
            self.assertAlmostEqual(classic["total_s"], float(total), places=6)
            self.assertAlmostEqual(classic["flop_rate_flop_s"] / 1e6, float(rate), places=3)
            self.assertAlmostEqual(sum(classic["phase_s"][:5]), classic["total_s"])
            self.assertAlmostEqual(sum(classic["phase_io_s"][:5]) / classic["total_s"], classic["io_fraction"])
        summary, = of_type(all_records, "summary")
        self.assertEqual((summary["name"], summary["verified"], summary["official"]), ("ftio", True, False))
        self.assertEqual(summary["not_official_because"],
                         ["the matrix fits into the memory, where its files can lie"])
        self.assertRegex(summary["classic"]["files_in_memory"], r"the matrix of FTIO \(.*\) can lie in memory \(.*\)")
        larger = [point["classic"]["io_fraction"] for point in points[2:]]
        self.assertAlmostEqual(summary["values"]["ftio_io_fraction"], sum(larger) / 2)
        self.assertEqual(summary["classic"]["parameters"], [4, 8])
        self.assertIn("cached_read", [event["code"] for event in of_type(all_records, "event")])

    def test_head_tells_processes_processor_and_memory(self):
        for word in ("per node     : 2 processes, 1 thread each", "processor    : ", "memory       : ", "MPI library  : "):
            self.assertIn("\n" + word, self.done.stdout)
        self.assertRegex(self.done.stdout, r"\nmemory       : \d+ MiB a node\n")

    def test_means_of_both_sizes_stand_at_the_end(self):
        means = self.done.stdout.split("\n\n")[-1].splitlines()
        self.assertEqual([line.split(":")[1].strip()[:14] for line in means], ["c=2 i=4 2 runs", "c=2 i=8 2 runs"])

    def test_export_writes_the_report_again(self):
        done = steelyard("export", self.records, "--to", "ftio")
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, self.done.stdout)

    def test_figures_can_be_drawn(self):
        lines = (self.place / "it's.fig.plot").read_text().splitlines()
        self.assertEqual([line.split()[:3] for line in lines[1:]], [["1024", "4", "2"], ["16384", "8", "2"]])
        gnuplot = tool("gnuplot")
        done = subprocess.run([gnuplot, "it's.fig.gps"], cwd=self.place, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("<svg", (self.place / "it's.fig_fraction.svg").read_text())


class Runs(Case):
    def test_run_of_the_suite_has_mean_and_table(self):
        out = self.directory / "r"
        done = steelyard("run", "ftio", "--preset", "official", "-n", "2", "-o", out, "--io-dir", self.directory)
        self.assert_code(done, 0)
        self.assertEqual(len(re.findall(r"^ftio/FTIO +2 processes  i = 4 +run \d", done.stdout, re.MULTILINE)), 3)
        summary, = of_type(records(out), "summary")
        self.assertEqual(summary["inputs"]["used"], 3)
        self.assertRegex(done.stdout, r"page cache +the matrix of FTIO \(.*\) can lie in memory")
        self.assertEqual([path.name for path in self.directory.iterdir()], ["r"])

    def test_files_through_mpi_io_are_marked_and_kept_ones_stay(self):
        words = ["ftio", "4", "-n", "2", "-io", "shared", "-dir", self.directory, "-keep"]
        done = steelyard(*words, "--out", self.directory / "r")
        self.assert_code(done, 0)
        self.assertIn("one file of all processes, MPI-IO", done.stdout)
        self.assertEqual((self.directory / "ftio.shared").stat().st_size, 16384)
        summary, = of_type(records(self.directory / "r"), "summary")
        self.assertEqual(summary["not_official_because"][0], "files through MPI-IO")
        done = steelyard(*words)
        self.assert_code(done, 4)
        self.assertIn("exists already", done.stderr)

    def test_kept_files_stand_beside_figures_and_replace_nothing_of_that_name(self):
        (self.directory / "ftio.plot").write_text("mine")
        words = ["ftio", "2", "-n", "1", "-dir", self.directory, "-keep"]
        self.assert_code(steelyard(*words), 0)
        (self.directory / "ftio.000000").unlink()
        (self.directory / "ftio.000000").symlink_to("elsewhere")
        done = steelyard(*words)
        self.assert_code(done, 4)
        self.assertIn("ftio.000000' exists already", done.stderr)


class Refusals(Case):
    def test_wrong_words(self):
        for words, told in ((["5", "-n", "4"], "the nearest valid ones: 4, 6"),
                            (["-i", "3", "-n", "2"], "the nearest valid ones: 2, 4"),
                            (["4", "-i", "4", "-n", "2"], "say the same"),
                            (["four", "-n", "2"], "PARAMETER: "),
                            (["8,16", "-n", "2"], "-sweep takes a list"),
                            (["4", "-size", "paper", "-n", "2"], "exclude each other"),
                            (["-sweep", "4,4", "-n", "2"], "names 4 twice"),
                            (["-clock-ghz", "0", "-n", "2"], "must be a frequency from 0.01 to 100 GHz"),
                            (["-cache", "direct", "-io", "mpi", "-n", "2"], "needs -io posix"),
                            (["8", "-cache", "direct", "-n", "2"], "a multiple of 32 at least, got 8")):
            self.assert_refused(steelyard("ftio", *words, cwd=self.directory), 2, told)
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_frequency_that_is_told_gives_cycles_where_nobody_counts_them(self):
        done = steelyard("ftio", "4", "-n", "2", "-clock-ghz", "2.5", "--out", self.directory / "r")
        self.assert_code(done, 0)
        classic = of_type(records(self.directory / "r"), "point")[0]["classic"]
        self.assertGreater(classic["cycles_per_flop"], 0)
        self.assertNotIn("cycles/flop = n/a", done.stdout)
        self.assertIn(classic["cycles_source"], ("perf_event", "told frequency"))
        if classic["cycles_source"] == "told frequency":
            flop = classic["flop"]
            self.assertAlmostEqual(classic["cycles_per_flop"], 2 * 2.5e9 * classic["total_s"] / flop)

    def test_valid_parameters_are_listed_without_starting_anything(self):
        done = steelyard("ftio", "-n", "32", "-processes-check")
        self.assert_code(done, 0)
        self.assertIn("32 processes: multiples of 8\n", done.stdout)
        self.assertIn("       8       2048  67108864  default\n      16       8192  1073741824\n", done.stdout)

    def test_directory_that_cannot_be_written_is_four(self):
        mount = self.mounted("ro,size=64k")
        done = steelyard("ftio", "4", "-n", "2", "-dir", mount)
        self.assert_code(done, 4)

    def test_too_little_space_is_told_before_anything_is_written(self):
        mount = self.mounted("size=64k")
        done = steelyard("ftio", "8", "-n", "2", "-dir", mount)
        self.assert_code(done, 1)
        self.assertRegex(done.stdout, "FTIO: c=2 i=8 FAILED: .*the files take .* and the file system has ")
        self.assertEqual(list(mount.iterdir()), [])

    def mounted(self, options):
        mount = self.directory / "small"
        mount.mkdir()
        if os.geteuid() != 0 or subprocess.run([tool("mount"), "-t", "tmpfs", "-o", options, "none", str(mount)],
                                               capture_output=True).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, [tool("umount"), str(mount)], check=False)
        return mount


class Faults(Case):
    """A layer over the system calls spoils what one of the two processes does with its file."""

    def spoiled(self, word, *words, rank=1):
        (self.directory / "mine").write_text("stays")
        spoil = {"LD_PRELOAD": SPOILER, "FTIO_SPOIL": word, "FTIO_SPOIL_RANK": str(rank)}
        return steelyard(*words, **spoil)

    def test_changed_byte_makes_the_run_fail(self):
        done = self.spoiled("flip@5", "ftio", "4", "-n", "2", "-dir", self.directory, "--out", self.directory / "r")
        self.assert_code(done, 1)
        self.assertEqual(CHECK.search(done.stdout).group(3), "FAILED")
        point, = of_type(records(self.directory / "r"), "point")
        self.assertFalse(point["verified"])
        self.assertEqual(point["check"]["errors"], 1)
        self.assertIn("column 19, row 0", str(point["check"]["first"]))

    def test_full_disk_is_the_reason_and_nothing_is_left(self):
        done = self.spoiled("full@40", "ftio", "4", "-n", "2", "-dir", self.directory)
        self.assert_code(done, 1)
        self.assertRegex(done.stdout, "FTIO: c=2 i=4 FAILED: .*ftio.000001")
        self.assertEqual([path.name for path in self.directory.iterdir()], ["mine"])

    def test_killed_process_ends_the_run_and_doctor_removes_its_files(self):
        done = self.spoiled("kill@40", "ftio", "4", "-n", "2", "-dir", self.directory)
        self.assertNotEqual(done.returncode, 0)
        self.assertGreater(number_of_files(self.directory), 1)
        self.assert_code(steelyard("doctor", "--clean", self.directory), 0)
        self.assertEqual([path.name for path in self.directory.iterdir()], ["mine"])

    def test_killed_run_is_resumed_with_the_runs_that_it_lacks(self):
        out = self.directory / "r"
        # 240 writes of one run with 2 processes, i = 4: the second run is hit.
        done = self.spoiled("kill@260", "run", "ftio", "--preset", "official", "-n", "2", "-o", out, "--io-dir",
                            self.directory)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(of_type(records(out), "point")), 1)
        self.assert_code(steelyard("run", "--resume", "-o", out), 0)
        points = of_type(records(out), "point")
        self.assertEqual([(p["params"]["run"], p["session"]) for p in points], [(1, 1), (2, 2), (3, 2)])
        summary = of_type(records(out), "summary")[-1]
        self.assertEqual((summary["inputs"]["used"], summary["verified"]), (3, True))


if __name__ == "__main__":
    main()
