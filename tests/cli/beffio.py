# SPDX-License-Identifier: Apache-2.0
"""b_eff_io: the front-end's files and refusals, run b-eff-io, export."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from program import PROGRAM, Case, environment, main, median_of, of_type, records, steelyard, tool, under_launcher

SUFFIXES = ["prot", "sum", "plot", "gps"]
TINY = ["b-eff-io", "-MB", "64", "-T", "0.01", "-N", "1,2", "-norewrite", "-maxbytes", "256Mi"]
LAST_LINE = re.compile(r" b_eff_io = +([0-9.]+) MB/s on (\d) processes with +64 MByte/PE, scheduled time=0.0 Min, on .*, NOT VALID \(see above\)")


class Files(Case):
    """One tiny run for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.prefix, cls.records, cls.data = cls.place / "my.run", cls.place / "r", cls.place / "data"
        cls.data.mkdir()
        cls.hints = cls.place / "hints"
        cls.hints.write_text("# none of these is known\n2 all all all some_key some value\n")
        cls.done = under_launcher(2, *TINY, "-p", cls.data, "-i", cls.hints, "-f", cls.prefix, "--out", cls.records)
        if cls.done.returncode != 0:
            raise RuntimeError(cls.done.stderr)

    def text(self, suffix):
        return pathlib.Path(f"{self.prefix}.{suffix}").read_text()

    def test_there_are_four_and_no_data_are_left(self):
        self.assertEqual(sorted(path.name for path in self.place.iterdir()),
                         sorted(["data", "hints", "r"] + [f"my.run.{s}" for s in SUFFIXES]))
        self.assertEqual(list(self.data.iterdir()), [])
        self.assertFalse((self.records / "scratch.manifest").exists())

    def test_last_line_is_that_of_standard_output(self):
        last = self.done.stdout.splitlines()[-1]
        self.assertRegex(last, LAST_LINE)
        for suffix in ("prot", "sum"):
            self.assertEqual(self.text(suffix).splitlines()[-1], last)
        system = os.uname()
        self.assertIn(f" on {system.sysname} {system.nodename} {system.release} ", last)

    def test_both_partitions_are_there(self):
        summary = self.text("sum")
        for n in (1, 2):
            self.assertRegex(summary, rf"accumulated on +{n} processes with +64 MByte/PE")
        self.assertIn(f"PATH={self.data}, PREFIX=my.run", summary)
        self.assertIn("-norewrite", summary)
        self.assertEqual(len(re.findall(r"^ n=\d", self.text("prot"), re.MULTILINE)), 2 * (43 + 9 + 43))
        self.assertIn("file_info File_view p01: 2 write scatter Lmax :: some_key some value", self.text("prot"))

    def test_records_tell_the_same(self):
        all_records = records(self.records)
        summary, = of_type(all_records, "summary")
        value = float(LAST_LINE.match(self.done.stdout.splitlines()[-1]).group(1))
        self.assertAlmostEqual(summary["values"]["b_eff_io_byte_s"] / 1e6, value, places=3)
        self.assertEqual((summary["name"], summary["verified"], summary["official"]), ("b_eff_io", True, False))
        self.assertRegex(summary["classic"]["files_in_memory"], r"the files of b_eff_io \(.*\) can lie in memory \(.*\)")
        run, = of_type(all_records, "run")
        self.assertIn(run["io"]["mpi_io"], ("OMPIO", "ROMIO"))
        self.assertEqual(run["config"]["b-eff-io"]["partitions"], [1, 2])

    def test_protocol_that_is_imported_has_the_same_numbers(self):
        kept = self.directory / "kept"
        self.assert_code(steelyard("import", f"{self.prefix}.prot", "-o", kept), 0)
        metric = "bandwidth_byte_s"
        ours = {point["key"]: median_of(point, metric) for point in of_type(records(self.records), "point")
                if metric in point.get("metrics", {})}
        theirs = {point["key"]: median_of(point, metric) for point in of_type(records(kept), "point") if metric in point.get("metrics", {})}
        self.assertEqual(set(theirs) - set(ours), set())
        self.assertGreater(len(theirs), 150)
        for key, value in theirs.items():
            self.assertAlmostEqual(value, ours[key], delta=501, msg=key)  # 0.001 MB/s are printed
        own, = of_type(records(self.records), "summary")
        told_by = {told["processes"]: told for told in of_type(records(kept), "summary")}
        self.assertEqual(sorted(told_by), [1, 2])
        told = told_by[own["processes"]]
        self.assertAlmostEqual(told["values"]["b_eff_io_byte_s"], own["values"]["b_eff_io_byte_s"], delta=501)
        self.assertEqual(told["official"], own["official"])

    def test_export_writes_them_again(self):
        again = self.place / "again"
        again.mkdir()
        self.addCleanup(shutil.rmtree, again)
        self.assert_code(steelyard("export", self.records, "--to", "b-eff-io", "-o", again / "my.run"), 0)
        for suffix in SUFFIXES:
            self.assertEqual((again / f"my.run.{suffix}").read_text(), self.text(suffix))
        done = steelyard("export", self.records, "--to", "b-eff-io", "-o", again / "my.run")
        self.assertEqual(done.returncode, 4)


class Refusals(Case):
    def test_wrong_words(self):
        hints = self.directory / "hints"
        hints.write_text("all all all all k v\nall all stripes all k v\n")
        for words, told in ((["-N", "1,5", "-n", "2"], "-N: asks for 5 processes, started with 2"),
                            (["-N", "1,1"], "names 1 twice"),
                            (["-unique", "-nounique", "--no-launch"], "exclude each other"),
                            (["-i", hints, "--no-launch"], "hints, line 2: 'stripes' is no pattern type")):
            words = [word for word in words if word != "--no-launch"]
            done = steelyard("b-eff-io", "-T", "1", *words, *([] if "-n" in words else ["-n", "1"]), cwd=self.directory)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told, done.stderr)
        self.assertEqual([path.name for path in self.directory.iterdir()], ["hints"])

    def test_limit_of_the_volume_is_told_as_such_and_not_as_a_full_file_system(self):
        done = steelyard("b-eff-io", "-MB", "64", "-T", "1", "-norewrite", "-maxbytes", "120Mi", "-N", "2", "-n", "2", "--out", "r",
                         cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([event["code"] for event in of_type(records(self.directory / "r"), "event")
                          if event["code"] in ("volume_limit", "file_system_full")], ["volume_limit"])

    def test_files_that_exist_stay(self):
        (self.directory / "b_eff_io.sum").write_text("mine")
        done = steelyard("b-eff-io", "-T", "1", "-n", "1", cwd=self.directory)
        self.assertEqual(done.returncode, 4)
        self.assertEqual((self.directory / "b_eff_io.sum").read_text(), "mine")


class Stopped(Case):
    def test_pattern_in_flight_is_a_part_and_the_front_end_says_what_stopped_it(self):
        out = self.directory / "r"
        run = subprocess.Popen([PROGRAM, "b-eff-io", "-n", "2", "-N", "2", "-MB", "16", "-T", "120", "--out", str(out)], env=environment(),
                               cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        while run.poll() is None and not ((out / "result.jsonl").exists() and '"type":"point"' in (out / "result.jsonl").read_text()):
            time.sleep(0.01)
        run.terminate()  # in the 2.5 s of pattern 1, unless the machine is very busy
        _, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 5, errors)
        self.assertRegex(errors, r"stopped after \d+ of 129 points and parts of 1, by a signal\.\n")
        *before, last = of_type(records(out), "point")
        self.assertEqual({point["status"] for point in before}, {"ok"})
        self.assertEqual((last["status"], last["reason"]["text"]), ("partial", "stopped before its time was over"))


class ReadOnly(Case):
    def test_a_file_system_that_cannot_be_written_is_refused_before_anything_is_measured(self):
        place = self.directory / "read-only"
        place.mkdir()
        if os.geteuid() != 0 or subprocess.run([tool("mount"), "-t", "tmpfs", "-o", "ro", "none", str(place)],
                                               capture_output=True).returncode != 0:
            self.skipTest("a file system cannot be mounted here")
        self.addCleanup(subprocess.run, [tool("umount"), str(place)], check=False)
        for words in (["b-eff-io", "-T", "1", "-p", place], ["imb-io", "Open_Close", "--io-dir", place],
                      ["run", "imb-io/Open_Close", "--io-dir", place, "-o", self.directory / "r"]):
            done = steelyard(*words, "-n", "2", cwd=self.directory)
            self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
            self.assertRegex(done.stderr, "(?i)read-only file system")


class Killed(Case):
    """A process dies while files are written again: what was measured stays, what it left goes when it goes on or on request."""

    def start(self, out, data):
        run = subprocess.Popen([PROGRAM, "run", "b-eff-io", "-n", "2", "-o", str(out), "--io-dir", str(data), "--table",
                                "none", "--progress", "none"], env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(run.kill)
        return run

    def wait_for(self, run, out, access):
        """Until a point of this access method is in the file."""
        for _ in range(1200):
            file = out / "result.jsonl"
            if file.exists() and f'"access":"{access}"' in file.read_text():
                return
            if run.poll() is not None:
                self.fail(run.communicate()[1])
            time.sleep(0.02)
        self.fail("no point was written")

    @staticmethod
    def processes_below(root):
        family = [root]
        for pid in family:
            children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
            family += map(int, children.read_text().split()) if children.exists() else []
        return family

    def rank(self, run, number):
        marks = {f"OMPI_COMM_WORLD_RANK={number}".encode(), f"PMI_RANK={number}".encode()}
        for pid in self.processes_below(run.pid):
            if marks & set(pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")):
                return pid
        self.fail("the process was not found")

    def test_whole_records_a_code_a_clean_directory_and_a_run_that_goes_on(self):
        out, data = self.directory / "r", self.directory / "data"
        data.mkdir()
        run = self.start(out, data)
        self.wait_for(run, out, "write")
        os.kill(self.rank(run, 1), signal.SIGKILL)
        run.communicate(timeout=60)
        self.assertNotEqual(run.returncode, 0)
        first = records(out)
        written = [r for r in of_type(first, "point") if r["params"]["access"] == "write"]
        self.assertTrue(all(r["status"] == "ok" and r["verified"] for r in written), written)
        left, = data.iterdir()
        (left / "mine").write_text("mine")
        done = steelyard("run", "--resume", "-o", out)
        self.assert_code(done, 0)
        self.assertIn(f"left in the scratch directory: {left / 'mine'} (not made by this program)", done.stderr)
        self.assertEqual([event["code"] for event in of_type(records(out), "event")].count("scratch_left"), 1)
        last = {r["key"]: r for r in of_type(records(out), "point")}
        self.assertEqual(len(last), 3 * 43)
        self.assertTrue(all(r["verified"] for r in last.values()))
        self.assertEqual(of_type(records(out), "end")[-1]["status"], "complete")
        self.assertEqual([path.name for path in left.iterdir() if not path.name.startswith(".")], ["mine"])
        self.clean(out, data)
        self.assertEqual(list(data.iterdir()), [])

    def clean(self, out, data):
        left, = data.iterdir()
        mine, elsewhere = left / "mine", self.directory / "elsewhere"
        mine.write_text("mine")
        elsewhere.write_text("elsewhere")
        os.symlink(elsewhere, left / "b_eff_io_data_link")
        neighbour = data / "steelyard-scratch-neighbour"
        os.symlink(self.directory, neighbour)
        done = steelyard("doctor", "--clean", out)
        self.assert_code(done, 3)
        self.assertIn(f"left     {mine} (not made by this program)", done.stdout)
        self.assertIn(f"left     {left / 'b_eff_io_data_link'} (not made by this program)", done.stdout)
        self.assertEqual(sorted(path.name for path in left.iterdir() if not path.name.startswith(".")),
                         ["b_eff_io_data_link", "mine"])
        self.assertEqual((mine.read_text(), elsewhere.read_text()), ("mine", "elsewhere"))
        self.assert_code(steelyard("doctor", "--clean", data), 3)
        self.assertTrue(neighbour.is_symlink() and (out / "result.jsonl").exists())
        for path in (mine, left / "b_eff_io_data_link", neighbour):
            path.unlink()
        self.assert_code(steelyard("doctor", "--clean", out), 0)
        self.assertFalse(left.exists())
        self.assertEqual(steelyard("doctor", "--clean", out).stdout, "nothing to remove\n")


if __name__ == "__main__":
    main()
