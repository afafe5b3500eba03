# SPDX-License-Identifier: Apache-2.0
"""b_eff_io: the front-end's files and refusals, run b-eff-io, export."""

import os
import pathlib
import re
import shutil
import tempfile

from program import Case, main, of_type, records, steelyard, under_launcher

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
        self.assertIn("File_info p01: 2 write 2097152 :: some_key some value", self.text("prot"))

    def test_records_tell_the_same(self):
        all_records = records(self.records)
        summary, = of_type(all_records, "summary")
        value = float(LAST_LINE.match(self.done.stdout.splitlines()[-1]).group(1))
        self.assertAlmostEqual(summary["values"]["b_eff_io_byte_s"] / 1e6, value, places=3)
        self.assertEqual((summary["name"], summary["verified"], summary["official"]), ("b_eff_io", True, False))
        run, = of_type(all_records, "run")
        self.assertIn(run["io"]["mpi_io"], ("OMPIO", "ROMIO"))
        self.assertEqual(run["config"]["b-eff-io"]["partitions"], [1, 2])

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
                            (["-p", self.directory / "none"], "is no directory"),
                            (["-unique", "-nounique", "--no-launch"], "exclude each other"),
                            (["-i", hints, "--no-launch"], "hints, line 2: 'stripes' is no pattern type")):
            words = [word for word in words if word != "--no-launch"]
            done = steelyard("b-eff-io", "-T", "1", *words, *([] if "-n" in words else ["-n", "1"]), cwd=self.directory)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told, done.stderr)
        self.assertEqual([path.name for path in self.directory.iterdir()], ["hints"])

    def test_files_that_exist_stay(self):
        (self.directory / "b_eff_io.sum").write_text("mine")
        done = steelyard("b-eff-io", "-T", "1", "-n", "1", cwd=self.directory)
        self.assertEqual(done.returncode, 4)
        self.assertEqual((self.directory / "b_eff_io.sum").read_text(), "mine")


if __name__ == "__main__":
    main()
