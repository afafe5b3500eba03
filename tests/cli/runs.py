# SPDX-License-Identifier: Apache-2.0
"""Runs with up to two processes: results, exit codes, streams, texts."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from program import LAUNCHER, PROGRAM, SOUND_WINDOWS, SOURCE, Case, environment, main, of_type, records, steelyard, tool, under_launcher

TINY = ["imb-mpi1/PingPong", "imb-mpi1/Barrier", "--sizes", "0,64", "--schedule", "fixed:20"]


class Results(Case):
    def test_run_writes_table_file_and_last_line(self):
        out = self.directory / "r"
        done = steelyard("run", *TINY, "-n", "2", "-o", out)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout.splitlines()[-1],
                         rf"^results  {out}/result\.jsonl  "
                         r"\(3 ok, 0 partial, 0 skipped, 0 failed, 0 unverified, \d+ warnings?\)$")
        self.assertIn("imb-mpi1/PingPong   2 processes", done.stdout)
        all_records = records(out)
        self.assertEqual([all_records[0]["type"], all_records[-1]["type"]], ["run", "end"])
        self.assertEqual(len(of_type(all_records, "point")), 3)

    def test_short_tables_are_had_in_a_file_too(self):
        out = self.directory / "r\n\x1b[31mr"  # whose control characters do not reach the terminal
        done = steelyard("run", *TINY, "-n", "2", "--table", "short", "-o", out)
        self.assert_code(done, 0)
        self.assertIn(f"results  {self.directory}/r\\n\\x1b[31mr/result.jsonl  (", done.stdout.splitlines()[-1])
        self.assertIn("best, or longest", done.stdout)
        self.assertNotIn("ops/batch", done.stdout)

    def on_one_processor(self, *words):
        """Two processes that share what one of them needs."""
        before = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, before)
        os.sched_setaffinity(0, {min(before)})
        return steelyard("run", *TINY, "-n", "2", "--bind", "none", *words)

    def test_warnings_stand_beneath_the_tables_and_in_the_last_line(self):
        done = self.on_one_processor("-o", self.directory / "r")
        self.assert_code(done, 0)
        warnings = [line for line in done.stdout.splitlines() if line.startswith("warning: ")]
        self.assertIn("latencies change tenfold", warnings[0])
        self.assertGreater(done.stdout.index("warning: "), done.stdout.index("imb-mpi1/Barrier"))
        self.assertRegex(done.stdout.splitlines()[-1], r"[1-9]\d* warnings?\)$")

    def test_warnings_of_a_quiet_run_are_on_standard_error_and_may_fail_it(self):
        done = self.on_one_processor("-q", "--fail-on-warning", "-o", self.directory / "r")
        self.assert_code(done, 3)
        self.assertIn("steelyard: warning: ", done.stderr)
        self.assertNotIn("warning", done.stdout)
        self.assertEqual(records(self.directory / "r")[-1]["exit_code"], 3)

    def test_run_record_tells_command_configuration_and_sources(self):
        out = self.directory / "r"
        self.assert_code(under_launcher(2, "run", *TINY, "-o", out, "--label", "a=b", "--name", "machine"), 0)
        run = records(out)[0]
        self.assertEqual(run["command"][:2], ["steelyard", "run"])
        self.assertEqual(run["config"]["schedule"], "fixed:20")
        self.assertEqual(run["config_sources"]["schedule"], "command line")
        self.assertEqual(run["config_sources"]["ci"], "preset")
        self.assertEqual(run["labels"], {"a": "b"})
        self.assertEqual(run["name"], "machine")
        self.assertEqual(run["processes"], 2)
        self.assertEqual(run["plan"]["points"], 3)

    def test_run_without_launcher_is_one_process(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", "imb-mpi1/Bcast", "--sizes", "8", "--schedule", "fixed:9", "--no-launch", "-o", out), 0)
        self.assertEqual(records(out)[0]["processes"], 1)

    def test_default_directory_is_named_after_the_run(self):
        self.assert_code(steelyard("run", *TINY, "-n", "2", cwd=self.directory), 0)
        (directory,) = (self.directory / "steelyard-results").iterdir()
        self.assertEqual(records(directory)[0]["run"], directory.name)

    def test_records_to_standard_output_are_all_there_is(self):
        done = steelyard("run", *TINY, "-n", "2", "-o", "-", cwd=self.directory)
        self.assert_code(done, 0)
        kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
        self.assertEqual((kinds[0], kinds.count("point"), kinds[-1]), ("run", 3, "end"))
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_append_adds_a_run(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-n", "2", "-o", out), 0)
        self.assert_code(steelyard("run", *TINY, "-n", "2", "-o", out, "--append"), 0)
        runs = of_type(records(out), "run")
        self.assertEqual(len({run["run"] for run in runs}), 2)
        self.assert_refused(steelyard("run", *TINY, "-n", "2", "-o", out), 4, "nothing is overwritten")

    def test_launches_are_runs_of_one_series(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-n", "2", "-o", out, "--launches", "2"), 0)
        runs = of_type(records(out), "run")
        self.assertEqual((len(runs), len({run["run"] for run in runs}), len({run["series"] for run in runs})), (2, 2, 1))

    def test_memory_checks_and_samples_are_as_asked_for(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", "imb-mpi1/Allreduce", "--sizes", "64", "--point-budget", "0.1s", "--verify", "all",
                                   "--samples", "all", "--buffer-kind", "mpi", "-n", "2", "--bind", "none", "-o", out), 0)
        (point,) = of_type(records(out), "point")
        time = point["metrics"]["time_s"]
        self.assertEqual(len(time["batches"]), time["n"])
        self.assertEqual(time["batches_kept"], "all")
        self.assertIs(point["verified"], True)

    def test_points_without_the_huge_pages_asked_for_say_why_they_fail(self):
        with open("/proc/meminfo") as meminfo:
            if not re.search(r"^HugePages_Free: +0$", meminfo.read(), re.MULTILINE):
                self.skipTest("this machine has huge pages set aside")
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "--huge-pages", "explicit", "-n", "2", "-o", out), 1)
        for point in of_type(records(out), "point"):
            self.assertEqual((point["status"], point["reason"]["code"]), ("failed", "memory"))
            self.assertIn("vm.nr_hugepages", point["reason"]["text"])

    def test_windows_tell_global_times_and_judge_the_clocks(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", "imb-mpi1/Allreduce", "--sizes", "64Ki", "--schedule", "fixed:50", "--sync", "window",
                                   "--clock", "tsc", "-n", "2", "-o", out), 0)
        (point,) = of_type(records(out), "point")
        schedule = point["schedule"]
        if schedule["sync"] == "window":
            self.assertEqual(point["metrics"]["time_s"]["over_ranks"], "global")
            self.assertGreaterEqual(schedule["clock_error_s"], schedule["clock_error_median_s"])
        else:
            self.assertIn("clock_sync_poor", [event["code"] for event in of_type(records(out), "event")])

    def test_table_of_the_original_and_none(self):
        for word in ("original", "seed"):  # its name until 0.1
            original = steelyard("run", *TINY, "-n", "2", "-o", self.directory / word, "--table", word)
            self.assertIn("# Benchmarking PingPong \n# #processes = 2 \n", original.stdout)
        none = steelyard("run", *TINY, "-n", "2", "-o", self.directory / "b", "--table", "none", "--quiet")
        self.assertEqual((none.stdout, none.returncode), ("", 0))

    def test_records_satisfy_the_schema(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", "imb-mpi1/PingPong", "imb-mpi1/Allreduce", "--sizes", "0,4Ki", "-n", "2", "-o", out,
                                   "--point-budget", "100ms"), 0)
        self.assert_of_schema(records(out))

    def test_print_environment_is_a_run_record_and_leaves_nothing(self):
        done = steelyard("run", "--print-environment", "-n", "2", cwd=self.directory)
        self.assert_code(done, 0)
        told = json.loads(done.stdout)
        self.assertEqual((told["type"], told["processes"]), ("run", 2))
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_anonymous_names_no_host(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-n", "2", "-o", out, "--anonymous"), 0)
        text = (out / "result.jsonl").read_text()
        self.assertNotIn(str(self.directory), text)
        self.assertEqual(records(out)[0]["layout"]["hosts"], ["node0"])
        self.assertIsNone(records(out)[0]["name"])

    def test_what_to_do_next_is_what_the_run_allows(self):
        """IMB makes no figure of a balance, neither does a transform that says nothing about the machine."""
        out = self.directory / "r"
        done = steelyard("run", "--no-launch", "hpcc/MPIFFT", "imb-mpi1/Sendrecv", "--sizes", "0", "--hpcc-n", "64", "--repeat", "1",
                         "--schedule", "fixed:9", "-o", out)
        self.assert_code(done, 0)
        self.assertNotIn("steelyard balance", done.stdout)
        self.assertIn(f"\nnext     steelyard report {out}     all of it", done.stdout)
        self.assertIn(f"\n         steelyard export {out} --to csv    every point\n", done.stdout)
        refused = steelyard("balance", out)
        self.assert_refused(refused, 2, "FFT over all processes (512 elements where ", "HPL (run hpcc/HPL)")
        self.assertNotIn("run hpcc/MPIFFT", refused.stderr)


class Exports(Case):
    """One run, exported many ways; tests that change it work on a copy."""

    @classmethod
    def setUpClass(cls):
        cls.measured = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-")) / "r"
        cls.addClassCleanup(shutil.rmtree, cls.measured.parent, ignore_errors=True)
        done = steelyard("run", *TINY, "-n", "2", "-o", cls.measured)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def setUp(self):
        super().setUp()
        self.out = self.directory / "r"
        shutil.copytree(self.measured, self.out)

    def test_csv_has_a_row_per_point_and_metric(self):
        rows = steelyard("export", self.out, "--to", "csv", "--metrics", "primary").stdout.splitlines()
        self.assertEqual(len(rows), 1 + 3)
        self.assertTrue(rows[0].startswith("run,session,seq,suite,benchmark,status,"))

    def test_select_keeps_what_matches(self):
        rows = steelyard("export", self.out, "--to", "csv", "--select", "imb-mpi1/Barrier", "--metrics", "primary").stdout
        self.assertEqual(len(rows.splitlines()), 2)
        text = steelyard("export", self.out, "--to", "imb", "--select", "imb-mpi1/Barrier").stdout
        self.assertIn("# Barrier\n", text)
        self.assertNotIn("PingPong", text.replace("imb-mpi1/PingPong", ""))

    def test_json_holds_all_records(self):
        told = json.loads(steelyard("export", self.out, "--to", "json").stdout)
        self.assertEqual(len(told["records"]), len(records(self.out)))

    def test_standard_input_is_read(self):
        text = (self.out / "result.jsonl").read_text()
        done = steelyard("export", "-", "--to", "csv", stdin=text)
        self.assertEqual(done.stdout, steelyard("export", self.out, "--to", "csv").stdout)

    def test_imb_text(self):
        done = steelyard("export", self.out, "--to", "imb", "--imb-version", "2021")
        self.assert_code(done, 0)
        self.assertIn("# Benchmarking PingPong", done.stdout)

    def test_incomplete_run_needs_partial(self):
        file = self.out / "result.jsonl"
        lines = [line for line in file.read_text().splitlines(keepends=True) if '"type":"end"' not in line]
        last = max(i for i, line in enumerate(lines) if '"type":"point"' in line)
        file.write_text("".join(lines[:last] + lines[last + 1:]))
        self.assert_refused(steelyard("export", self.out, "--to", "imb"), 2, "the end of the run", "--resume -o DIR", "--partial")
        self.assert_code(steelyard("export", self.out, "--to", "imb", "--partial"), 0)

    def test_suite_that_is_whole_needs_no_end_of_the_run(self):
        file = self.out / "result.jsonl"
        whole = steelyard("export", self.out, "--to", "imb").stdout
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(line for line in lines if '"type":"end"' not in line))
        done = steelyard("export", self.out, "--to", "imb")
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, whole)
        self.assertIn("# All processes entering MPI_Finalize", done.stdout)

    def test_line_that_a_kill_has_torn_is_told(self):
        file = self.out / "result.jsonl"
        file.write_text(file.read_text() + '{"type":"po')
        done = steelyard("export", self.out, "--to", "csv")
        self.assert_code(done, 0)
        self.assertIn("the last line is cut off after 11 bytes", done.stderr)
        self.assertEqual(done.stdout, steelyard("export", self.measured, "--to", "csv").stdout)
        for words in (["balance", self.out], ["compare", self.out, self.out], ["report", self.out, "-o", self.directory / "page.html"]):
            self.assertIn("the last line is cut off after 11 bytes", steelyard(*words).stderr, words)

    def test_damaged_lines_are_left_out_and_told(self):
        file = self.out / "result.jsonl"
        head, *rest = file.read_text().splitlines(keepends=True)
        file.write_text(head + '{"type":"po\n' + "\0\n" + "".join(rest))
        page = self.directory / "page.html"
        for words in (["export", self.out, "--to", "csv"], ["export", self.out, "--to", "imb"], ["balance", self.out],
                      ["compare", self.out, self.out], ["report", self.out, "-o", page]):
            done = steelyard(*words)
            self.assertRegex(done.stderr, r"result.jsonl:2: .*; 2 such lines are left out", words)

    def test_damaged_run_record_is_told_with_its_place(self):
        file = self.out / "result.jsonl"
        head, *rest = file.read_text().splitlines(keepends=True)
        file.write_text(head[:50] + "\n" + "".join(rest))
        for words in (["export", self.out, "--to", "csv"], ["export", self.out, "--to", "imb"], ["balance", self.out],
                      ["compare", self.out, self.out], ["report", self.out, "-o", self.directory / "page.html"]):
            done = steelyard(*words)
            self.assert_code(done, 2)
            self.assertRegex(done.stderr, r"result.jsonl:1: not valid JSON.*; without it run \S+ has no run record", words)
        done = steelyard("history", self.out, "--no-cache")
        self.assert_refused(done, 2, "result.jsonl:1: not valid JSON", "none of 1 result can be read")

    def test_what_may_never_end_is_refused_and_pipes_of_a_shell_are_read(self):
        file = self.out / "result.jsonl"
        kept = self.directory / "kept.jsonl"
        file.rename(kept)
        os.mkfifo(file)
        for words in (["export", self.out, "--to", "csv"], ["export", "/dev/zero", "--to", "csv"], ["balance", self.out],
                      ["history", self.out]):
            self.assert_refused(steelyard(*words), 2, "is no regular file")
        for words in (["export", kept, "--to", "csv", "--config", "/dev/zero"], ["run", "--topology", "/dev/zero", "--plan"],
                      ["balance", kept, "--metadata", "/dev/full"], ["balance", kept, "--power", "/dev/zero"]):
            self.assert_refused(steelyard(*words), 2, "cannot read '/dev/", "a device is no text")
        piped = subprocess.run(["bash", "-c", f"'{PROGRAM}' export <(cat '{kept}') --to csv --config <(echo '[run]')"],
                               env=environment(), capture_output=True, text=True, timeout=60, check=False)
        self.assert_code(piped, 0)
        self.assertEqual(piped.stdout, steelyard("export", self.measured, "--to", "csv").stdout)

    def test_partial_is_taken_by_every_format_that_has_something_to_write(self):
        for form in ("csv", "json", "imb"):
            self.assert_code(steelyard("export", self.out, "--to", form, "--partial"), 0)
        for form in ("hpcc", "hpl", "ftio", "b-eff", "b-eff-io"):
            done = steelyard("export", self.out, "--to", form, "--partial", "-o", self.directory / form)
            self.assert_refused(done, 2, "points of")
            self.assertNotIn("--partial", done.stderr)

    def test_files_are_replaced_only_when_asked(self):
        file = self.directory / "x.csv"
        self.assert_code(steelyard("export", self.out, "--to", "csv", "-o", file), 0)
        self.assert_refused(steelyard("export", self.out, "--to", "csv", "-o", file), 4, "--overwrite")
        self.assert_code(steelyard("export", self.out, "--to", "csv", "-o", file, "--overwrite"), 0)

    def test_options_of_other_formats_are_refused(self):
        self.assert_refused(steelyard("export", self.out, "--to", "csv", "--hpl-version", "2.0"), 2, "--hpl-version: belongs to --to hpl")
        self.assert_refused(steelyard("export", self.out), 2, "--to: is missing")

    def test_name_of_a_format_may_be_in_any_case(self):
        self.assertEqual(steelyard("export", self.out, "--to", "CSV").stdout, steelyard("export", self.out, "--to", "csv").stdout)

    def test_run_is_chosen(self):
        self.assert_refused(steelyard("export", self.out, "--to", "csv", "--run", "20200101T000000Z-00000000"), 2)
        self.assertEqual(steelyard("export", self.out, "--to", "csv", "--run", "first").stdout,
                         steelyard("export", self.out, "--to", "csv", "--run", "all").stdout)


class FrontEnd(Case):
    def rows(self, text, name):
        """Numbers of a table, by an own reader: from its name to the next empty line."""
        match = re.search(rf"^# Benchmarking {name} \n(.*?)\n\n", text + "\n\n", re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(match, text)
        return [list(map(float, line.split())) for line in match.group(1).splitlines() if re.match(r"\s+\d", line)]

    def test_text_can_be_read_back(self):
        done = under_launcher(2, "imb-mpi1", "PingPong", "allreduce", "-msglog", "0:4", "-iter", "20")
        self.assert_code(done, 0)
        pingpong = self.rows(done.stdout, "PingPong")
        self.assertEqual([row[:2] for row in pingpong], [[x, 20] for x in (0, 1, 2, 4, 8, 16)])
        for row in pingpong[1:]:
            rounding = 0.006 / row[2]  # times have two decimals
            self.assertAlmostEqual(row[3], row[0] / row[2] / 1.048576, delta=0.01 + row[3] * rounding)
        for row in self.rows(done.stdout, "Allreduce"):
            self.assertLessEqual(row[2], row[4])
            self.assertLessEqual(row[4], row[3])
        self.assertIn("# All processes entering MPI_Finalize", done.stdout)

    def test_runs_are_named_after_the_machine(self):
        out = self.directory / "r"
        done = under_launcher(2, "imb-mpi1", "Barrier", "PingPong", "-iter", "20", "-msglog", "0:1", "--out", out,
                              SLURM_CLUSTER_NAME="lion")
        self.assert_code(done, 0)
        self.assertEqual(records(out)[0]["name"], "lion")

    def test_one_sided_tables_have_modes_and_defects(self):
        done = under_launcher(2, "imb-ext", "Unidir_Put", "Accumulate", "-msglog", "2:4", "-iter", "20,1,5", "--check")
        self.assert_code(done, 0)
        tables = re.findall(r"^# Benchmarking (\S+) \n# #processes = 2 \n#-+\n#\n#    MODE: (\S+) \n#\n(.*?)\n\n",
                            done.stdout, re.MULTILINE | re.DOTALL)
        self.assertEqual([table[:2] for table in tables],
                         [(name, mode) for name in ("Unidir_Put", "Accumulate") for mode in ("AGGREGATE", "NON-AGGREGATE")])
        for _, mode, text in tables:
            heading, *rows = [line.split() for line in text.splitlines()]
            self.assertEqual(heading[-1], "defects")
            self.assertEqual([row[:2] for row in rows], [[str(x), "20" if mode == "AGGREGATE" else "5"] for x in (0, 4, 8, 16)])
            self.assertEqual({row[-1] for row in rows}, {"0.00"})

    def test_tables_of_started_collectives_have_overlap_and_defects(self):
        for version in ("3.1", "2021"):
            done = under_launcher(2, "imb-nbc", "Iallreduce", "Ialltoall_pure", "Ibarrier", "Ibarrier_pure", "-msglog", "2:4",
                                  "-iter", "20", "--imb-version", version, "--check", "--progress-calls", "2")
            self.assert_code(done, 0)
            self.assertIn("# --progress-calls 2 instead of 0", done.stdout)
            tables = re.findall(r"^# Benchmarking (\S+) \n# #processes = 2 \n#-+\n(.*?)\n\n", done.stdout, re.MULTILINE | re.DOTALL)
            self.assertEqual([name for name, _ in tables], ["Iallreduce", "Ialltoall_pure", "Ibarrier", "Ibarrier_pure"])
            headings = [text.splitlines()[0].split() for _, text in tables]
            overlap = ["t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]"]
            self.assertEqual(headings[0], ["#bytes", "#repetitions", *overlap, "defects"])
            self.assertEqual(headings[1][-1], "defects")
            self.assertEqual(headings[2], ["#repetitions", *overlap])
            self.assertEqual([len(text.splitlines()) for _, text in tables], [5, 5, 2, 2])
            for row in tables[0][1].splitlines()[1:]:
                self.assertEqual(row.split()[-1], "0.00")

    def test_requests_parts_and_neighbours_have_tables_of_their_own(self):
        # A library is known whose requests of these three deliver wrong data.
        done = under_launcher(2, "mpi4", "-msglog", "10:11", "-zero_size", "off", "-iter", "20", "-window_size", "4", "-partitions", "1,4",
                              "-exclude", "Gather_init,Allgather_init,Scatter_init", "--check")
        self.assert_code(done, 0)
        tables = {name: [line.split() for line in text.splitlines()] for name, text in
                  re.findall(r"^# Benchmarking (\S+) \n# #processes = 2 \n(?:# topology = .*\n)?#-+\n(.*?)\n\n", done.stdout,
                             re.MULTILINE | re.DOTALL)}
        for name, (heading, *rows) in tables.items():
            if "defects" in heading:
                self.assertEqual({row[-1] for row in rows}, {"0.00"}, name)
        self.assertEqual(tables["Allreduce_init"][0][2:6], ["t_init[usec]", "t_exec[usec]", "t_call[usec]", "break_even"])
        self.assertEqual(tables["Barrier_init"][0][0], "#repetitions")
        self.assertIn("# #processes = 2 \n# topology = 2 x 1, neighbours = 4\n", done.stdout)
        if "PingPong_part" in tables:
            self.assertEqual([row[:2] for row in tables["PingPong_part"][1:]], [["1024", "1"], ["1024", "4"], ["2048", "1"], ["2048", "4"]])
            self.assertEqual(tables["Overlap_part"][0][3:6], ["t_comp[usec]", "t_part[usec]", "t_p2p[usec]"])
        else:
            self.assertRegex(done.stdout, "(?m)^# Left out, because (this MPI library has no partitioned communication|"
                                          r"messages in parts to both neighbours did not arrive in \d+ s with this MPI library): PingPong_part ")

    def test_tables_of_passive_targets_have_their_modes_classes_and_times(self):
        done = under_launcher(2, "imb-rma", "Unidir_get", "One_put_all", "All_put_all", "Compare_and_swap", "truly_passive_put",
                              "-msglog", "2:4", "-iter", "20,1,5", "--outstanding", "4", "-sync", "on", "--check")
        self.assert_code(done, 0)
        tables = re.findall(r"^# Benchmarking (\S+) \n# #processes = 2 \n#-+\n(?:#\n#    MODE: (\S+) \n#\n)?(.*?)\n\n",
                            done.stdout, re.MULTILINE | re.DOTALL)
        both = ("NON-AGGREGATE", "AGGREGATE")
        self.assertEqual([table[:2] for table in tables],
                         [("Unidir_get", mode) for mode in both] + [("One_put_all", ""), ("All_put_all", "")] +
                         [("Compare_and_swap", mode) for mode in both] + [("Truly_passive_put", "")])
        times = {"All_put_all": ["t_min[usec]", "t_max[usec]", "t_avg[usec]"], "Truly_passive_put": ["t_pure[usec]", "t_ovrl[usec]"]}
        for name, mode, text in tables:
            heading, *rows = [line.split() for line in text.splitlines()]
            self.assertEqual(heading, ["#bytes", "#repetitions", *times.get(name, ["t[usec]", "Mbytes/sec"]), "defects"])
            sizes = [4] if name == "Compare_and_swap" else [0, 4, 8, 16]
            self.assertEqual([row[:2] for row in rows], [[str(x), "5" if mode == "NON-AGGREGATE" else "20"] for x in sizes])
            self.assertEqual({row[-1] for row in rows}, {"0.00"})
        self.assertIn("# --outstanding 4 instead of all\n", done.stdout)
        self.assertIn("# -sync on changes nothing in imb-rma\n", done.stdout)

    def test_patterns_have_one_table_of_all_processes(self):
        done = under_launcher(2, "imb-p2p", "pingpong,Corandom", "Stencil2D", "SendRecv_Replace", "-MsgLog", "2:4", "-msgsz", "1000",
                              "-iter", "20,1", "-pause", "1ms", "--check")
        self.assert_code(done, 0)
        self.assertIn("# !! Benchmark Stencil2D invalid for 2 processes !!", done.stdout)
        for name, messages in (("PingPong", 1), ("Corandom", 2), ("SendRecv_Replace", 2)):
            text = done.stdout.split(f"# Benchmarking {name}\n# #processes = 2\n")[1].split("\n\n")[0]
            rows = [line.split() for line in text.splitlines()[2:]]
            self.assertEqual([row[:2] for row in rows], [[str(x), "20"] for x in (4, 8, 16, 1000)])
            for _, _, time, _, rate, defects in rows:
                self.assertEqual(defects, "0.00")
                # Of the slowest process, while the time is the mean.
                self.assertLessEqual(float(rate), messages / max(float(time) - 0.006, 1e-3) * 1e6 * 1.01)

    def test_threads_have_tables_and_none_where_nobody_has_a_partner(self):
        done = under_launcher(2, "imb-mt", "pingpongmt,UniBandMT", "BarrierMT", "AllReduceMT", "--threads", "2", "-repeat", "20",
                              "-warmup", "2", "-count", "0,3", "-window_size", "4", "--check", "-noheader")
        self.assert_code(done, 0)
        self.assertTrue(done.stdout.startswith("\n#---"))
        for name, columns in (("PingPongMT", 7), ("UniBandMT", 6), ("AllReduceMT", 6)):
            text = done.stdout.split(f"# Benchmarking {name}\n# #processes = 2 (threads: 2)\n")[1].split("\n\n")[0]
            rows = [line.split() for line in text.splitlines() if not line.startswith("#") and "#bytes" not in line]
            self.assertEqual([row[:2] for row in rows], [["0", "20"], ["24", "20"]])
            self.assertEqual({(len(row), row[-1]) for row in rows}, {(columns, "0.00")})
        done = under_launcher(3, "imb-mt", "BiBandMT", "-stride", "2")
        self.assert_code(done, 4)  # nothing could be measured
        self.assertIn("# Benchmarking BiBandMT\n# NO SUCCESSFUL EXECUTIONS\n", done.stdout)
        self.assertRegex(done.stderr, r"(?m)^steelyard: nothing was measured: BiBandMT .+")

    def test_words_that_change_nothing_are_warned_of_without_a_head_too(self):
        file = self.directory / "times"
        done = under_launcher(2, "imb-mt", "PingPongMT", "-count", "1", "-repeat", "5", "-noheader", "-iter_policy", "off",
                              "-zero_size", "off", "-map", "2x1", "-show_tail", "yes", "-dumpfile", file, "--imb-version", "3.1")
        self.assert_code(done, 0)
        for words in ("-iter_policy off", "-zero_size off", "-map 2x1", "-show_tail yes", f"-dumpfile {file}", "--imb-version 3.1"):
            self.assertEqual(done.stderr.count(f"steelyard: warning: {words} changes nothing in imb-mt\n"), 1, done.stderr)
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_verbose_names_benchmark_size_and_mode_before_each_row(self):
        done = under_launcher(2, "imb-rma", "Unidir_put", "-msglog", "3:4", "-zero_size", "off",
                              "-iter", "4,1,2", "-v")
        self.assert_code(done, 0)
        begun = re.findall(r"^steelyard: begins (\S+)$", done.stderr, re.MULTILINE)
        self.assertEqual(len(begun), 4, done.stderr)
        for key, (mode, size) in zip(begun, ((m, s) for m in ("non_aggregate", "aggregate") for s in (8, 16))):
            self.assertTrue(key.startswith("imb-rma/Unidir_put;"), key)
            self.assertRegex(key, rf"[;/]message_byte={size}(;|$)")
            self.assertRegex(key, rf"[;/]mode={mode}(;|$)")
        silent = under_launcher(2, "imb-rma", "Unidir_put", "-msglog", "3:4", "-iter", "4,1,2")
        self.assertNotIn("begins", silent.stderr)
        out = self.directory / "r"
        run = steelyard("run", "imb-mpi1/PingPong", "--sizes", "8,16", "--schedule", "fixed:10", "-n", "2", "-v", "-o", out)
        self.assert_code(run, 0)
        told = re.findall(r"^steelyard: begins (\S+)$", run.stderr, re.MULTILINE)
        self.assertEqual(sorted(told), sorted(point["key"] for point in of_type(records(out), "point")))

    def test_tables_of_files_tell_the_rate_of_the_computation_first_and_leave_nothing(self):
        done = under_launcher(2, "imb-io", "P_Write_Expl", "C_IRead_Shared", "Open_Close", "-npmin", "2", "-msglog", "9:10",
                              "-iter", "4,1,2", "--balance-overlap", "--check", "-imb_barrier", "on", "-warm_up", "on",
                              "-dropcache", "--file-name", "name", "--io-dir", self.directory)
        self.assert_code(done, 0)
        begin = done.stdout.index("\n\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n"
                                  "# performance of ")
        self.assertLess(begin, done.stdout.index("# Benchmarking"))
        self.assertRegex(done.stdout[begin:], r"^\n\n\n.*\n\n.*\n# performance of +[0-9.]+ MFlops\n\n#-+\n# Benchmarking P_Write")
        self.assertEqual(done.stdout.count("CPU_Exploit"), 1)
        self.assertEqual(re.findall(r"^# Benchmarking (\S+)", done.stdout, re.MULTILINE),
                         ["P_Write_Expl", "P_Write_Expl", "C_IRead_Shared", "Open_Close"])
        self.assertEqual(re.findall(r"MODE: (\S+)", done.stdout), ["AGGREGATE", "NON-AGGREGATE", "AGGREGATE"])
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r"^ +\d", line)]
        self.assertEqual([row[:2] for row in rows],
                         [[str(x), n] for n in ("4", "2", "4") for x in (0, 512, 1024)] + [rows[-1][:2]])
        self.assertEqual({row[-1] for row in rows[:-1]}, {"0.00"})
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_without_out_nothing_is_left_and_nothing_is_said(self):
        done = subprocess.run([PROGRAM, "imb-mpi1", "-n", "2", "Barrier", "-iter", "5"], cwd=self.directory, text=True,
                              capture_output=True, env=environment(), timeout=60)
        self.assert_code(done, 0)
        self.assertEqual(list(self.directory.iterdir()), [])
        self.assertEqual(done.stderr, "")

    def test_records_and_text_tell_the_same(self):
        out = self.directory / "r"
        done = under_launcher(2, "imb-mpi1", "Sendrecv", "-msgsize", "0,1024", "-iter", "10", "--out", out)
        self.assert_code(done, 0)
        exported = steelyard("export", out, "--to", "imb").stdout
        self.assertEqual(self.rows(done.stdout, "Sendrecv"), self.rows(exported, "Sendrecv"))
        self.assertEqual(records(out)[0]["program"]["front_end"], "imb-mpi1")

    def test_single_process(self):
        done = steelyard("imb-mpi1", "PingPong", "Bcast", "-msgsize", "8", "-iter", "5")
        self.assertIn("# !! Benchmark PingPong invalid for 1 processes !!", done.stdout)
        self.assertIn("# Benchmarking Bcast", done.stdout)
        self.assert_code(done, 0)

    def test_dump_file_holds_a_line_per_repetition(self):
        file = self.directory / "dump"
        done = under_launcher(2, "imb-mpi1", "PingPong", "-msgsize", "8,16", "-iter", "7", "-dumpfile", file)
        self.assert_code(done, 0)
        sizes = [int(line.split()[0]) for line in file.read_text().splitlines()]
        self.assertEqual(sizes, [8] * 7 + [16] * 7)
        refused = under_launcher(2, "imb-mpi1", "PingPong", "-dumpfile", self.directory / "none" / "dump")
        self.assert_refused(refused, 4, "-dumpfile: cannot write")

    def test_map_that_does_not_fit_is_two_on_all_ranks(self):
        self.assert_refused(under_launcher(2, "imb-mpi1", "-map", "2x2", "Bcast"), 2, "possible are 1x2, 2x1")


class ExitCodes(Case):
    def test_directory_that_went_away_is_four(self):
        for processes in ("1", "2"):
            done = subprocess.run(["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", PROGRAM, "run", *TINY,
                                   "--launch", processes, "-o", "r"], cwd=self.directory, env=environment(), capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assert_refused(done, 4, "the current directory is not there any more: No such file or directory")

    def test_zero_one_two_and_four_arrive_through_the_launcher(self):
        self.assert_code(under_launcher(2, "imb-mpi1", "Barrier", "-iter", "5"), 0)
        self.assert_refused(under_launcher(2, "run", "--sizs", "1"), 2, "unknown option '--sizs'")
        (self.directory / "result.jsonl").write_text("{}\n")
        self.assert_refused(under_launcher(2, "run", *TINY, "-o", self.directory), 4)

    def test_file_that_one_process_cannot_read_ends_all_with_one_error(self):
        for number in (0, 1):
            (self.directory / str(number)).mkdir()
        words = f"{PROGRAM} imb-mpi1 PingPong -iter 2 -msglen lengths"
        in_each = [["-n", "1", "sh", "-c", f"cd {self.directory}/{number} && exec {words}"] for number in (0, 1)]

        def started():
            return subprocess.run([LAUNCHER, *in_each[0], ":", *in_each[1]], env=environment(), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=60, check=False)

        if subprocess.run([LAUNCHER, *"-n 1 true : -n 1 true".split()], env=environment(), timeout=60, check=False,
                          capture_output=True).returncode < 0:
            self.skipTest("this launcher crashes where it is to start two programs, as that of Open MPI 5.0.7")
        said = "-msglen: cannot read 'lengths': No such file or directory\n"
        self.assert_refused(done := started(), 2, "steelyard: error: " + said)
        self.assertEqual(done.stderr.count("steelyard: error"), 1)
        for there, where in ((0, r"\[rank 1 on \S+\] "), (1, "")):
            with self.subTest(there=there):
                (self.directory / str(there) / "lengths").write_text("8\n")
                done = started()
                self.assert_refused(done, 2)
                self.assertRegex(done.stderr, "(?m)^steelyard: error: " + where + said)
                self.assertEqual(done.stderr.count("steelyard: error"), 1)
                (self.directory / str(there) / "lengths").unlink()

    def test_processes_that_mpi_sees_alone_are_four_and_only_the_first_says_why(self):
        of_open_mpi = "Open MPI" in steelyard("--version").stdout
        rank, size = ("PMI_RANK", "PMI_SIZE") if of_open_mpi else ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")
        for number in ("0", "1"):
            done = steelyard("run", *TINY, "-o", self.directory / "r", SLURM_JOB_ID="7", **{rank: number, size: "2"})
            said = ("the launcher started 2 processes, but MPI (", ") sees each of them alone: ", "'srun") if number == "0" else ()
            self.assert_refused(done, 4, *said)
            if not said:
                self.assertNotIn("steelyard: error", done.stderr)
        done = steelyard("run", *TINY, "-o", self.directory / "r", FLUX_TASK_RANK="0", FLUX_JOB_SIZE="2", SLURM_JOB_ID=None)
        self.assert_refused(done, 4, "sees each of them alone: start them by the mpiexec of this library")
        self.assertNotIn("srun", done.stderr)
        self.assertFalse((self.directory / "r").exists())
        self.assert_code(steelyard("run", *TINY, "-o", self.directory / "r", **{rank: "0", size: "1"}), 0)

    def test_budget_that_holds_nothing_is_four_and_says_what_is_needed(self):
        done = steelyard("run", "b-eff-io", "--budget", "200ms", "-n", "1", "-o", self.directory / "r")
        self.assert_code(done, 4)
        self.assertRegex(done.stdout + done.stderr, r"nothing can be measured: needs --budget \d+ ?m?s")
        self.assertNotIn("0 of 0 points", done.stdout + done.stderr)

    def test_budget_that_the_start_used_up_is_four_and_asks_for_a_longer_one(self):
        done = steelyard("run", *TINY, "--budget", "1ms", "-n", "2", "-o", self.directory / "r")
        self.assert_code(done, 4)
        self.assertRegex(done.stderr, r"spent after 0 of \d+ points\. Nothing was measured: a longer --budget is needed\.\n")
        self.assertNotIn("continue with: ", done.stderr)  # with the same words it would come no further

    def test_campaign_that_measured_nothing_tells_how_to_go_on_and_nothing_else(self):
        words = ["imb-mpi1/Barrier", "imb-nbc/Ibarrier", "--sizes", "0", "--schedule", "fixed:20"]
        done = steelyard("run", *words, "--budget", "1ms", "-n", "2", "-o", self.directory / "r")
        self.assert_code(done, 4)
        said = done.stdout + done.stderr
        self.assertIn("Nothing was measured: a longer --budget is needed.", said)
        for word in ("trust  ", "steelyard balance", "steelyard report", "steelyard export", "--resume"):
            self.assertNotIn(word, said)

    def test_elapsed_time_counts_from_the_start_of_the_program(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "--budget", "10s", "-n", "2", "-o", out), 0)
        first, *_, last = records(out)
        self.assertGreater(last["elapsed_s"], first["survey"]["seconds"])

    def test_wrong_data_are_one(self):
        out = self.directory / "r"
        done = steelyard("run", "imb-mpi1/Allreduce", "--sizes", "64", "--schedule", "fixed:10", "-n", "2", "-o", out,
                         LD_PRELOAD=os.environ["STEELYARD_WRONG_DATA"])
        self.assert_code(done, 1)
        (point,) = of_type(records(out), "point")
        self.assertIs(point["verified"], False)
        self.assertIn("1 unverified", done.stdout)

    def test_a_window_that_the_library_refuses_is_told_with_what_helps(self):
        if "Open MPI" not in steelyard("--version").stdout:
            self.skipTest("another MPI library than Open MPI")
        done = steelyard("run", "imb-ext/Accumulate", "--sizes", "64", "--schedule", "fixed:10", "-n", "1",
                         "-o", self.directory / "r", OMPI_MCA_osc="rdma")  # refuses windows of one process
        if "failed (" not in done.stdout:
            self.skipTest("this Open MPI makes windows of one process")
        self.assertRegex(done.stdout, r"warning: .*MPI_ERR_WIN.*'mpiexec --mca osc \^rdma' makes windows in another way")

    def test_selftest_sees_wrong_data(self):
        done = steelyard("selftest", LD_PRELOAD=os.environ["STEELYARD_WRONG_DATA"])
        self.assert_code(done, 1)
        self.assertIn("wrong data imb-mpi1/Allreduce", done.stdout)

    def handles(self, *words, **variables):
        """The words under the launcher; on every rank what was made in the MPI library, and what was not given back."""
        done = under_launcher(2, *words, STEELYARD_TEST_HANDLES=self.directory / "of", LD_PRELOAD=os.environ["STEELYARD_HANDLES"],
                              **variables)
        self.assert_code(done, 0)
        lines = [(self.directory / f"of.{rank}").read_text().splitlines() for rank in (0, 1)]
        return done, [{kind: (int(made), int(kept)) for kind, made, kept in map(str.split, rank)} for rank in lines]

    def test_selftest_of_a_sound_copy_is_zero_and_gives_back_what_it_made(self):
        if re.search(r"MPICH Version:\s*4\.0", steelyard("--version").stdout):
            self.skipTest("MPICH 4.0 gives wrong data by persistent collectives, which selftest says")
        done, ranks = self.handles("selftest", **SOUND_WINDOWS)
        self.assertRegex(done.stdout, r"selftest: [1-9]\d* points measured, data of [1-9]\d* verified, 0 wrong, 0 failed")
        for handles in ranks:
            self.assertEqual({kind: kept for kind, (_, kept) in handles.items() if kept != 0}, {})
            for kind in ("communicators", "types", "operations", "infos", "windows", "files", "requests"):
                self.assertGreater(handles[kind][0], 0, kind)

    def test_handle_that_is_not_given_back_is_counted(self):
        _, ranks = self.handles("imb-mpi1", "Allreduce", "-iter", "5", "-msglog", "2:3", STEELYARD_TEST_LOSE="operations")
        for handles in ranks:
            self.assertEqual({kind: kept for kind, (_, kept) in handles.items() if kept != 0}, {"operations": 1})

    def test_everything_skipped_is_four(self):
        self.assert_code(steelyard("run", "imb-mpi1/Bcast", "--sizes", "64Mi", "--memory", "1Mi", "-n", "2", "-o", self.directory / "r"), 4)

    def test_launcher_that_starts_nothing_is_four(self):
        for code in ("true", "false"):
            done = steelyard("run", *TINY, "-n", "2", "--launcher", f"sh -c {code}", "-o", self.directory / code)
            self.assert_code(done, 4)
            self.assertIn("ended before anything was measured", done.stderr)

    def test_launcher_that_starts_nothing_is_four_at_a_resume_too(self):
        out = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-n", "2", "-o", out), 0)
        done = steelyard("run", "--resume", "--launcher", "sh -c true", "-o", out)
        self.assert_code(done, 4)
        self.assertIn("ended before anything was measured", done.stderr)

    def test_launcher_that_refuses_says_why(self):
        hosts = self.directory / "hosts"
        hosts.write_text("localhost slots=1\n")
        told = {"OMPI_MCA_orte_default_hostfile": str(hosts), "OMPI_MCA_rmaps_base_oversubscribe": None}
        done = steelyard("run", *TINY, "-n", "2", "-o", self.directory / "r", **told)
        if done.returncode == 0:
            self.skipTest("this launcher knows no such file of hosts")
        self.assert_code(done, 4)
        self.assertIn("not enough slots", done.stdout + done.stderr)

    def test_launcher_that_is_missing_is_four(self):
        self.assert_refused(steelyard("run", *TINY, "-n", "2", "-o", self.directory / "r", "--launcher", "/nonexistent/mpiexec"), 4,
                            "cannot start '/nonexistent/mpiexec'")

    def test_unwritable_directory_is_four(self):
        self.assert_refused(steelyard("run", *TINY, "-n", "2", "-o", "/proc/none/r"), 4)


class Streams(Case):
    def test_progress_goes_to_standard_error_only(self):
        done = steelyard("run", *TINY, "-n", "2", "-o", self.directory / "r", "--progress", "json")
        self.assert_code(done, 0)
        self.assertTrue([line for line in done.stderr.splitlines() if '"event":"progress"' in line.replace(" ", "")])
        self.assertNotIn("progress", done.stdout)

    def test_without_terminal_there_is_no_bar(self):
        done = steelyard("run", *TINY, "-n", "2", "-o", self.directory / "r")
        self.assertNotIn("\r", done.stderr)

    def test_quiet_says_nothing_but_warnings(self):
        done = steelyard("run", *TINY, "-n", "2", "-o", self.directory / "r", "--table", "none", "-q")
        self.assertEqual(done.stdout, "")
        self.assertEqual([line for line in done.stderr.splitlines() if not line.startswith("steelyard: warning: ")], [])

    def test_standard_output_that_is_full_is_four_for_readers_and_one_for_a_run(self):
        out = self.directory / "r"
        with open("/dev/full", "w", encoding="ascii") as full:
            def code(*words):
                done = subprocess.run([PROGRAM, *map(str, words)], env=environment(), stdin=subprocess.DEVNULL,
                                      stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
                self.assertIn("error: standard output: No space left on device", done.stderr)
                return done.returncode
            self.assertEqual(code("run", *TINY, "-n", "2", "-o", out), 1)
            self.assertEqual(records(out)[-1]["exit_code"], 0)
            for words in (["export", out, "--to", "csv"], ["report", out], ["compare", out, out],
                          ["systems"], ["doctor"], ["run", "--plan", *TINY, "-n", "2"], ["list"], ["--version"]):
                with self.subTest(words):
                    self.assertEqual(code(*words), 4)

    def test_processors_beyond_those_of_the_shell_are_warned_of(self):
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2 or "Open MPI v4" not in steelyard("--version").stdout:
            self.skipTest("one processor, or a launcher that keeps to them")
        for words, is_warned in (([], True), (["--bind", "none"], False)):
            with self.subTest(words):
                out = self.directory / f"r{len(words)}"
                subprocess.run([PROGRAM, "run", *TINY, "-n", "2", *words, "-o", str(out)], env=environment(),
                               timeout=60, check=True, stdin=subprocess.DEVNULL, capture_output=True,
                               preexec_fn=lambda: os.sched_setaffinity(0, allowed[-1:]))
                told = [event for event in of_type(records(out), "event") if event["code"] == "launcher"]
                self.assertEqual(len(told), int(is_warned), told)

    def test_user_without_a_home_can_measure(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be another user")
        self.directory.chmod(0o777)
        variables = {name: value for name, value in environment().items() if name != "HOME"}
        done = subprocess.run([PROGRAM, "run", *TINY, "-n", "2", "-o", str(self.directory / "r")], env=variables,
                              user=4242, group=4242, extra_groups=[], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)
        self.assert_code(done, 0)

    def test_reader_that_leaves_does_not_end_the_run(self):
        out = self.directory / "r"
        run = subprocess.Popen([PROGRAM, "run", *TINY, "-n", "2", "-o", str(out)], env=environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        run.stdout.readline()
        run.stdout.close()
        self.assertEqual(run.wait(60), 0)
        self.assertEqual(records(out)[-1]["status"], "complete")

    def full_pipe(self):
        """A pipe that is full and does not block: its reading end, its writing end, and how much lies in it."""
        ours, theirs = os.pipe()
        self.addCleanup(os.close, ours)
        os.set_blocking(theirs, False)
        least = 0
        try:
            while True:
                least += os.write(theirs, b"-" * 4096)
        except BlockingIOError:
            return ours, theirs, least

    def read_late(self, ours, least):
        """What comes after so many bytes, to a reader that sleeps first."""
        time.sleep(0.5)
        return b"".join(iter(lambda: os.read(ours, 4096), b""))[least:].decode()

    def test_text_arrives_whole_where_the_stream_does_not_block_and_its_reader_is_slow(self):
        many = self.directory / "many.sh"
        many.write_text("seq 100000\n")
        seq = "".join(f"{number}\n" for number in range(1, 100001))
        launched = ["run", *TINY, "-n", "2", "-o", str(self.directory / "r"), "--launcher", f"sh {many}"]
        for stream, words, told in (("stdout", ["help", "run"], "--budget"), ("stdout", launched, seq),
                                    ("stderr", ["run", "no-such-suite"], "steelyard: error: ")):
            with self.subTest(stream, first=words[0]):
                ours, theirs, least = self.full_pipe()
                streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
                run = subprocess.Popen([PROGRAM, *words], env=environment(), stdin=subprocess.DEVNULL, **streams)
                self.addCleanup(run.kill)
                os.close(theirs)
                self.assertIn(told, self.read_late(ours, least))
                run.wait(60)

    def test_reader_that_reads_no_more_does_not_hold_a_run_that_is_told_to_end(self):
        """As a pager does whose user looks at the first page."""
        much = self.directory / "much.sh"
        much.write_text(f"head -c 100000 /dev/zero\necho >'{self.directory}/written'\n")
        words = ["run", *TINY, "-n", "2", "-o", str(self.directory / "r"), "--launcher", f"sh {much}"]
        run = subprocess.Popen([PROGRAM, *words], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.kill)
        until = time.monotonic() + 60
        while time.monotonic() < until and not (self.directory / "written").exists():
            time.sleep(0.05)
        time.sleep(1)  # the launcher ends: it is not to hear the signal
        run.terminate()
        self.assertEqual(run.wait(60), 4)


class Directories(Case):
    """Where files are measured."""

    COMMANDS = (["run", "imb-io/Open_Close", "--preset", "quick"], ["imb-io", "Open_Close", "-npmin", "2"],
                ["b-eff-io", "-T", "1"], ["ftio", "4"])
    OPTION = {"b-eff-io": "-p", "ftio": "-dir"}

    def test_directory_that_is_not_there_is_refused_and_not_made(self):
        absent = self.directory / "none"
        for words in self.COMMANDS:
            with self.subTest(words[0]):
                option = self.OPTION.get(words[0], "--io-dir")
                done = steelyard(*words, "-n", "2", option, absent, cwd=self.directory)
                self.assert_code(done, 4)
                self.assertIn(f"{option}: there is no directory '{absent}'", done.stderr)
                self.assertEqual(list(self.directory.iterdir()), [])

    def test_directory_that_nothing_can_be_made_in_is_refused_by_the_word_that_named_it(self):
        for words in self.COMMANDS:
            with self.subTest(words[0]):
                option = self.OPTION.get(words[0], "--io-dir")
                self.assert_refused(steelyard(*words, "-n", "2", option, "/proc", cwd=self.directory), 4,
                                    f"error: {option}: ")

    def test_own_default_is_made_and_mount_point_and_file_system_are_told(self):
        done = steelyard("run", "imb-io/Open_Close", "--preset", "quick", "-n", "2", "-o", "r", cwd=self.directory)
        self.assert_code(done, 0)
        io = records(self.directory / "r")[0]["io"]
        self.assertEqual(pathlib.Path(io["path"]), self.directory.resolve())
        self.assertTrue(os.path.ismount(io["mount_point"]), io)
        self.assertGreater(io["size_byte"], 0)
        self.assertRegex(done.stderr, r"(?m)^steelyard: files are measured in steelyard-io: " + io["type"] + r".* mounted at "
                         + io["mount_point"] + "$")
        self.assertEqual([path.name for path in self.directory.iterdir()], ["r"])

    def test_heads_of_the_seed_programs_name_the_mount_point(self):
        done = steelyard("ftio", "4", "-n", "2", cwd=self.directory)
        self.assertRegex(done.stdout, r"(?m)^file system +: \S+ at /")


class Doctor(Case):
    def test_full_folder_of_the_launcher_is_told(self):
        if "Open MPI" not in steelyard("--version").stdout:
            self.skipTest("of Open MPI's launcher")
        done = steelyard("doctor", "--format", "json", TMPDIR="/proc/sys")
        found = [f for f in json.loads(done.stdout) if f["section"] == "launcher" and "/proc/sys" in f["text"]]
        self.assertEqual([f["level"] for f in found], ["problem"], done.stdout)

    def test_probe_measures_two_processes(self):
        done = steelyard("doctor", "--probe", "--format", "json")
        self.assert_code(done, 0)
        texts = [finding["text"] for finding in json.loads(done.stdout)]
        self.assertIn("Starts two processes.", texts)
        self.assertTrue([text for text in texts if text.startswith("Ping-pong of 0 B: ")], texts)
        self.assertTrue([text for text in texts if text.startswith("Noise: ") and " % of the time lost" in text], texts)

    def test_probe_of_a_directory_tells_what_mpi_io_makes_of_its_files(self):
        done = steelyard("doctor", "--probe", "--io-dir", self.directory, "--format", "json")
        self.assert_code(done, 0)
        findings = [f for f in json.loads(done.stdout) if f["text"].startswith("MPI-IO")]
        self.assertEqual({(f["section"], f["level"]) for f in findings}, {("files", "ok")})
        self.assertRegex(findings[0]["text"], r"^MPI-IO of this directory: \w+\.$")
        for name in ("C_Write_Indv", "C_Read_Indv", "C_Write_Shared"):
            self.assertTrue([f for f in findings if f"{name} of 1 MiB" in f["text"]], findings)
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_probe_with_a_clock_too_coarse_for_fixed_work_tells_the_rest(self):
        launcher = self.directory / "coarse"
        launcher.write_text(f'''#!/bin/sh\n{LAUNCHER} "$@" | sed 's/"noise":[0-9][0-9.e-]*/"noise":null/'\n''')
        launcher.chmod(0o755)
        done = steelyard("doctor", "--probe", "--format", "json", "--launcher", launcher)
        self.assert_code(done, 0)
        noise = [f["text"] for f in json.loads(done.stdout) if f["text"].startswith("Noise: ")]
        self.assertRegex("\n".join(noise), r"^Noise: .* at once; the clock is too coarse for fixed work\.$")

    def test_probe_without_launcher_is_four(self):
        done = steelyard("doctor", "--probe", "--launcher", "/nonexistent/mpiexec")
        self.assert_code(done, 4)


class FullFileSystem(Case):
    def test_run_ends_with_a_file_that_can_be_read(self):
        mount = self.directory / "small"
        mount.mkdir()
        if os.geteuid() != 0 or subprocess.run([tool("mount"), "-t", "tmpfs", "-o", "size=32k", "none", str(mount)],
                                               capture_output=True).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, [tool("umount"), str(mount)], check=False)
        done = steelyard("run", "imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "--schedule", "fixed:64", "-n", "2", "-o", mount / "r")
        self.assertIn(done.returncode, (1, 4), done.stderr)
        self.assertIn("steelyard: error", done.stderr)
        lines = (mount / "r" / "result.jsonl").read_text().splitlines()
        for line in lines:
            json.loads(line)
        self.assertGreater(len(lines), 1)

    def test_export_that_does_not_fit_tells_why_and_leaves_no_piece(self):
        mount = self.directory / "small"
        mount.mkdir()
        if os.geteuid() != 0 or subprocess.run([tool("mount"), "-t", "tmpfs", "-o", "size=4k", "none", str(mount)],
                                               capture_output=True).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, [tool("umount"), str(mount)], check=False)
        run = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-o", run), 0)
        for words in (["export", run, "--to", "json"], ["report", run]):
            done = steelyard(*words, "-o", mount / "out")
            self.assert_code(done, 4)
            self.assertIn(f"cannot write '{mount / 'out'}': No space left on device", done.stderr)
            self.assertEqual(list(mount.iterdir()), [])

    def test_output_beyond_a_limit_of_the_size_of_files_tells_why_and_leaves_no_piece(self):
        run = self.directory / "r"
        self.assert_code(steelyard("run", *TINY, "-o", run), 0)
        out = self.directory / "out"
        for words in (["export", run, "--to", "json"], ["report", run]):
            done = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", PROGRAM, *map(str, words), "-o", str(out)],
                                  env=environment(), capture_output=True, text=True, timeout=60, check=False)
            self.assert_code(done, 4)
            self.assertIn(f"cannot write '{out}': File too large", done.stderr)
            self.assertFalse(out.exists())


if __name__ == "__main__":
    main()
