# SPDX-License-Identifier: Apache-2.0
"""What goes wrong around a run: a line that says so, a record, the exit code; nothing hangs, nothing measured is lost."""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import (LAUNCHER, LIMIT_S, PROGRAM, SANITIZED, Case, environment, main, of_type, records,  # noqa: E402
                     steelyard, tool)

LIBRARY = os.environ["STEELYARD_PLANTED"]
QUIET = ["--table", "none", "--progress", "none", "--confirm", "0"]
MESSAGES = ["imb-mpi1/Barrier", "imb-mpi1/Alltoall", "imb-mpi1/PingPong", "--np", "2", "--sizes", "8,64", "--schedule", "fixed:50"]
MESSAGE_POINTS = 1 + 2 + 2
PATIENCE_S = LIMIT_S


def planted(fault, out=None):
    """Variables of a run in which this goes wrong; with a result directory, once its records have begun."""
    after = {"STEELYARD_TEST_FAULT_AFTER": str(out / "result.jsonl")} if out else {}
    return {"LD_PRELOAD": LIBRARY, "STEELYARD_TEST_FAULT": fault, **after}


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.out = self.directory / "r"
        self.files = self.directory / "io"
        self.files.mkdir()

    def start(self, *words, **variables):
        self.run = subprocess.Popen([PROGRAM, *map(str, words)], env=environment(**variables), stdin=subprocess.DEVNULL,
                                    cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)

    def wait_for(self, happened):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            found = happened()
            if found:
                return found
            if self.run.poll() is not None:
                self.fail("ended too early: " + self.run.communicate()[1])
            time.sleep(0.01)
        self.fail("waited in vain")

    def ended(self, code):
        stdout, stderr = self.run.communicate(timeout=PATIENCE_S)
        self.assertEqual(self.run.returncode, code, stdout + stderr)
        return stderr

    def points(self):
        return of_type(records(self.out), "point")

    def failed(self):
        return [point for point in self.points() if point["status"] == "failed"]

    def resume_to_the_end(self, points):
        """What is missing is measured, what is there stays."""
        before = {point["key"] for point in self.points() if point["status"] == "ok"}
        self.assert_code(steelyard("run", "--resume", "-o", self.out), 0)
        last = max(point["session"] for point in self.points())
        again = {point["key"] for point in self.points() if point["session"] == last}
        self.assertEqual(again & before, set())
        self.assertEqual(len(again | before), points)

    def mount(self, *words):
        """Mounts on a directory of the test, or skips."""
        place = self.directory / "mounted"
        place.mkdir(exist_ok=True)
        if subprocess.run([tool("mount"), *words, str(place)], capture_output=True, check=False).returncode != 0:
            self.skipTest("this user may not mount anything here")
        self.addCleanup(subprocess.run, [tool("umount"), "-l", str(place)], check=False, capture_output=True)
        return place


class Processes(Faults):
    """A rank that dies, fails or has no memory."""

    def test_killed_rank_is_told_and_the_run_can_be_continued(self):
        done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out, **planted("kill MPI_Alltoall 1 40", self.out))
        self.assert_code(done, 1)
        self.assertIn("the processes ended before the run did", done.stderr)
        self.assertIn(f"continue with:  steelyard run --resume -o {self.out} -n 2", done.stderr)
        self.assertEqual([point["benchmark"] for point in self.points()], ["Barrier"])
        self.resume_to_the_end(MESSAGE_POINTS)

    def test_processes_end_with_their_parent(self):
        self.start("run", *MESSAGES[:-1], "time:20s", *QUIET, "-n", "2", "-o", self.out)
        self.wait_for(lambda: (self.out / "result.jsonl").exists())
        file = pathlib.Path(f"/proc/{self.run.pid}/task/{self.run.pid}/children")
        launcher, = map(int, file.read_text().split())
        self.run.kill()
        self.run.communicate(timeout=PATIENCE_S)
        until = time.monotonic() + PATIENCE_S
        while pathlib.Path(f"/proc/{launcher}/exe").exists() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertFalse(pathlib.Path(f"/proc/{launcher}/exe").exists())
        records(self.out)

    def test_rank_killed_when_the_end_is_recorded_is_no_lost_run(self):
        done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out, **planted("kill MPI_Finalize 1 1", self.out))
        self.assert_code(done, 0)
        self.assertIn("note: a process was lost when the end of the run was recorded", done.stderr)
        self.assertNotIn("continue with", done.stderr)
        self.assertEqual((records(self.out)[-1]["status"], len(self.points())), ("complete", MESSAGE_POINTS))

    def test_rank_killed_before_anything_is_written_is_four(self):
        done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out, **planted("kill MPI_Bcast 1 1"))
        self.assert_code(done, 4)
        self.assertIn("the processes ended before anything was measured", done.stderr)

    def test_error_of_a_measured_call_is_a_record_and_the_rest_is_measured(self):
        for kind, call, benchmark, rank, named in (("told", "MPI_Alltoall", "Alltoall", 1, 1),
                                                  ("told", "MPI_Waitall", "Uniband", 1, 1),
                                                  ("error", "MPI_Win_create", "Unidir_Put", -1, 0)):
            with self.subTest(call):
                self.out = self.directory / benchmark
                suite = "imb-ext" if benchmark == "Unidir_Put" else "imb-mpi1"
                done = steelyard("run", f"{suite}/{benchmark}", "imb-mpi1/PingPong", "--np", "2", "--sizes", "8,64",
                                 "--schedule", "fixed:4", *QUIET, "-n", "2", "-o", self.out, **planted(f"{kind} {call} {rank} 1", self.out))
                self.assert_code(done, 1)
                self.assertGreater(len(self.failed()), 0)
                for point in self.failed():
                    self.assertEqual(point["benchmark"], benchmark)
                    self.assertEqual((point["reason"]["mpi_class"], point["reason"]["rank"]), ("MPI_ERR_OTHER", named), point["reason"])
                    self.assertEqual(point["reason"]["mpi_call"], call, point["reason"])
                self.assertEqual({point["status"] for point in self.points() if point["benchmark"] == "PingPong"}, {"ok"})
                self.assertEqual(records(self.out)[-1]["exit_code"], 1)

    def test_error_of_the_programs_own_calls_on_one_rank_ends_the_run_with_a_line(self):
        for nth in (1, 10, 20, 30):
            with self.subTest(nth):
                self.out = self.directory / str(nth)
                done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out, **planted(f"error MPI_Bcast 1 {nth}"))
                file = self.out / "result.jsonl"
                self.assert_code(done, 1 if file.exists() and file.stat().st_size > 0 else 4)
                self.assertRegex(done.stderr, r"steelyard: error: (imb-mpi1/\w+: )?\[rank 1 on [^]]+\] MPI_Bcast: (MPI_ERR_OTHER|Other MPI error)")
                if self.out.exists():
                    records(self.out)

    def test_code_of_the_end_record_is_that_of_the_program(self):
        ended = 0
        for nth in (1, 3, 10, 30):
            with self.subTest(nth):
                self.out = self.directory / str(nth)
                done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out,
                                 **planted(f"told MPI_Bcast 0 {nth}", self.out))
                file = self.out / "result.jsonl"
                ends = of_type(records(self.out), "end") if file.exists() and file.stat().st_size > 0 else []
                self.assertIn(done.returncode, (1, 4), done.stderr)
                if ends:
                    self.assertEqual(ends[-1]["exit_code"], done.returncode, done.stderr)
                    ended += ends[-1]["status"] == "failed"
        self.assertGreater(ended, 0)

    def test_launcher_that_hears_nothing_ends_by_the_third_signal(self):
        deaf = self.directory / "deaf"
        deaf.write_text("trap '' USR1 TERM\necho here >there\nwhile :; do sleep 0.1; done\n")
        self.start("run", *MESSAGES, *QUIET, "-n", "2", "-o", self.out, "--launcher", f"sh {deaf}")
        self.wait_for((self.directory / "there").exists)
        for _ in range(3):
            self.run.send_signal(signal.SIGTERM)
            time.sleep(0.2)
        self.assertIn("stopped before anything was measured", self.ended(5))

    def test_missing_memory_of_one_rank_is_a_record_and_the_rest_is_measured(self):
        # a limit from the beginning on would be seen by the plan, which on a busy machine has no time for it in a minute
        for kind, fault in (("plain", "limit MPI_Barrier 1 4 100"), ("mpi", "memory MPI_Alloc_mem 1 1")):
            with self.subTest(kind):
                if SANITIZED and kind == "plain":
                    self.skipTest("the address sanitizer ends a process that gets no memory")
                self.out = self.directory / kind
                done = steelyard("run", "imb-mpi1/Barrier", "imb-mpi1/PingPong", "--np", "2", "--sizes", "32Mi", "--buffer-kind",
                                 kind, "--schedule", "fixed:3", "--budget", "2m", *QUIET, "-n", "2", "-o", self.out,
                                 **planted(fault))
                self.assert_code(done, 1)
                point, = self.failed()
                self.assertEqual((point["benchmark"], point["reason"]["code"], point["reason"]["rank"]), ("PingPong", "memory", 1))
                self.assertEqual(len(self.points()), 2)


class Memory(Faults):
    """Memory that one process alone lacks, while the others go on to what all do together."""

    def setUp(self):
        super().setUp()
        if SANITIZED:
            self.skipTest("the address sanitizer ends a process that gets no memory")

    def test_buffers_of_each_kind_of_session_are_a_record_and_the_rest_is_measured(self):
        suites = {"imb-p2p", "imb-mt", "imb-io", "b-eff"}
        done = steelyard("run", "imb-mpi1/Barrier", "imb-p2p/PingPong", "imb-mt/PingPongMT", "imb-io/P_Write_Expl", "b-eff", "--np",
                         "2", "--sizes", "32Mi", "--not-official", "--schedule", "fixed:3", "--budget", "100h", "--io-dir",
                         self.files, *QUIET, "-n", "2", "-o", self.out, **planted("limit MPI_Barrier 1 1 20", self.out))
        self.assert_code(done, 1)
        reasons = {(point["suite"], point["reason"]["code"], point["reason"]["rank"]) for point in self.failed()}
        self.assertEqual(reasons, {(suite, "memory", 1) for suite in suites})
        self.assertEqual([point["status"] for point in self.points() if point["suite"] not in suites], ["ok"])
        self.assertEqual((records(self.out)[-1]["points"]["left"], records(self.out)[-1]["session"]), (0, 1))
        self.assertEqual(list(self.files.iterdir()), [])

    def test_full_shared_memory_leaves_out_a_probe_and_not_the_run(self):
        full = "mount -t tmpfs -o size=4k none /dev/shm && { cat /dev/zero >/dev/shm/full 2>/dev/null; exec \"$@\"; }"
        inside = ["unshare", "-m", "sh", "-c", full, "sh"]
        if "Open MPI" not in steelyard("--version").stdout or shutil.which("unshare") is None or subprocess.run(
                [*inside, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no own mounts here, or a library that ends without shared memory")
        done = subprocess.run([*inside, PROGRAM, "run", "imb-mpi1/PingPong", "--sizes", "8", "--schedule", "fixed:4",
                               "-n", "2", "-o", str(self.out)], env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assert_code(done, 0)
        self.assertEqual([point["status"] for point in self.points()], ["ok"])
        self.assertIn("shared_memory", {event["code"] for event in of_type(records(self.out), "event")})

    def test_threads_that_one_process_is_refused_are_a_record(self):
        done = steelyard("run", "imb-mt/PingPongMT", "imb-mpi1/Barrier", "--threads", "12", "--np", "2", "--sizes", "64", "--schedule",
                         "fixed:3", "--budget", "100h", *QUIET, "-n", "2", "-o", self.out, **planted("limit MPI_Barrier 1 1 40", self.out))
        self.assert_code(done, 1)
        self.assertEqual([(p["suite"], p["reason"]["rank"], p["reason"]["text"]) for p in self.failed()],
                         [("imb-mt", 1, "one of 12 threads cannot be made: Resource temporarily unavailable")])
        self.assertEqual(records(self.out)[-1]["points"]["left"], 0)

    def test_buffers_of_effective_io_bandwidth_are_a_record(self):
        done = steelyard("b-eff-io", "-MB", "8192", "-T", "0.01", "-N", "2", "-norewrite", "-p", self.files, "-f", self.directory / "x",
                         "-n", "2", "--out", self.out, **planted("limit MPI_Barrier 1 1 20"))
        self.assert_code(done, 1)
        self.assertEqual({point["reason"]["code"] for point in self.failed()} - {"memory", "dependency"}, set())
        self.assertIn(("memory", 1), {(point["reason"]["code"], point["reason"].get("rank")) for point in self.failed()})
        self.assertEqual(list(self.files.iterdir()), [])

    def test_survey_goes_without_what_finds_no_memory(self):
        done = steelyard("run", "hpcc/HPL", "imb-mpi1/Barrier", "--budget", "10s", *QUIET, "-n", "2", "-o", self.out,
                         **planted("limit MPI_Barrier 1 1 60"))
        self.assert_code(done, 0)
        self.assertEqual(of_type(records(self.out), "run")[0]["survey"]["panels"], [])

    def test_room_in_which_a_blas_works_is_asked_for_once(self):
        done = steelyard("run", "hpcc/StarDGEMM", "hpcc/HPL", "imb-mpi1/Barrier", "--blas", "as-linked", "--hpcc-n", "300", "--np", "2",
                         "--schedule", "fixed:3", *QUIET, "-n", "2", "-o", self.out, **planted("limit MPI_Bcast 1 1 100"))
        self.assert_code(done, 0)
        head = of_type(records(self.out), "run")[0]
        if head["blas"]["as_linked"] is None or head["blas"]["as_linked"]["library"] != "OpenBLAS":
            self.skipTest("another BLAS")
        lack = "rank 1: the 128 MiB in which OpenBLAS works are refused (see ulimit -v)"
        self.assertEqual((head["blas"]["unusable"], head["blas"]["used"]), (lack, None))
        self.assertEqual({(p["benchmark"], p["status"], p.get("reason", {}).get("text")) for p in self.points()},
                         {("StarDGEMM", "skipped", lack), ("HPL", "skipped", lack), ("Barrier", "ok", None)})

    def test_survey_that_cannot_go_on_ends_with_a_line(self):
        done = steelyard("run", "imb-mpi1/PingPong", "--sizes", "8", *QUIET, "-n", "2", "-o", self.out,
                         **planted("limit MPI_Barrier 1 1 6"))
        self.assert_code(done, 4)
        self.assertRegex(done.stderr, r"steelyard: error: \[rank 1 on [^]]+\] not enough memory")
        self.assertFalse((self.out / "result.jsonl").exists())


class ErrorOfOneRank(Faults):
    """An error that one process alone meets, while others wait for what it does not do any more."""

    FIXED = ["--np", "2", "--sizes", "8,64Ki", "--schedule", "fixed:50"]
    def meets(self, call, words, nth, benchmark, rank=1, launcher=()):
        """Runs to the end; how the first session ended."""
        self.out = self.directory / f"{benchmark}-{call}-{rank}"
        start = time.monotonic()
        words = ["run", *words, *QUIET, "--io-dir", str(self.files), "-o", str(self.out)]
        if launcher:
            done = subprocess.run([*launcher, PROGRAM, *words], env=environment(**planted(f"error {call} {rank} {nth}", self.out)),
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        else:
            done = steelyard(*words, "-n", "2", **planted(f"error {call} {rank} {nth}", self.out))
        self.took_s = time.monotonic() - start
        self.assert_code(done, 1)
        named = [p["reason"] for p in self.failed() if p["reason"]["rank"] == rank]
        self.assertGreater(len(named), 0, [p["reason"] for p in self.failed()])
        self.assertIn(benchmark, {p["benchmark"] for p in self.failed()})
        self.assertEqual({p["benchmark"] for p in self.failed()}, {benchmark})
        return done


class OneRank(ErrorOfOneRank):
    def test_point_to_point_leaves_a_failed_point_and_the_rest_is_measured(self):
        done = self.meets("MPI_Send", ["imb-mpi1/Barrier", "imb-mpi1/PingPong", "imb-mpi1/Bcast", *self.FIXED], 70, "PingPong")
        self.assertRegex(done.stderr, r"error: imb-mpi1/PingPong: \[rank 1 on [^]]+\] .*the session ends")
        self.assertIn("new processes go on with what is left", done.stderr)
        self.assertEqual(len(self.failed()), 1)
        statuses = {(p["benchmark"], p["params"].get("message_byte")): p["status"] for p in self.points()}
        self.assertEqual(len(statuses), 5)
        self.assertEqual(list(statuses.values()).count("ok"), 4)
        end = records(self.out)[-1]
        self.assertEqual((end["status"], end["points"]["left"], end["exit_code"]), ("complete", 0, 1))
        self.assertEqual(of_type(records(self.out), "end")[0]["status"], "failed")

    def test_new_processes_that_begin_nothing_leave_what_was_measured(self):
        once = self.directory / "once.sh"
        once.write_text(f"test -e '{self.directory}/begun' && exit 0\n: >'{self.directory}/begun'\nexec '{LAUNCHER}' \"$@\"\n")
        self.out = self.directory / "r"
        done = steelyard("run", "imb-mpi1/Barrier", "imb-mpi1/PingPong", "imb-mpi1/Bcast", *self.FIXED, *QUIET, "-n", "2",
                         "--launcher", f"sh {once} -n {{n}}", "-o", self.out, **planted("error MPI_Send 1 70", self.out))
        self.assert_code(done, 1)
        self.assertIn("new processes go on with what is left", done.stderr)
        self.assertIn("the processes ended before the run did", done.stderr)
        self.assertIn("continue with:  steelyard run --resume", done.stderr)
        self.assertGreater(len(self.points()), 0)

    def test_error_that_all_processes_survive_ends_its_point_alone(self):
        self.out = self.directory / "r"
        done = steelyard("run", "imb-mpi1/PingPong", *self.FIXED, *QUIET, "-n", "2", "-o", self.out, **planted("told MPI_Recv 1 70", self.out))
        self.assert_code(done, 1)
        self.assertEqual([point["status"] for point in self.points()], ["ok", "failed"])
        self.assertEqual(max(point["session"] for point in self.points()), 1)

    def test_error_in_one_experiment_ends_the_experiment_alone(self):
        # in the passes that tell how long the loops are, and within the loops; the budget holds b_eff too where others take
        # the processors
        for nth in (5, 3000):
            with self.subTest(nth):
                self.out = self.directory / str(nth)
                done = steelyard("run", "b-eff", "imb-mpi1/Barrier", "--memory", "16Mi", "--budget", "10h", *QUIET, "-n", "2",
                                 "-o", self.out, **planted(f"told MPI_Sendrecv 1 {nth}", self.out))
                self.assert_code(done, 1)
                reasons = {(point["suite"], point["reason"]["rank"], point["reason"]["mpi_call"]) for point in self.failed()}
                self.assertEqual(reasons, {("b-eff", 1, "MPI_Sendrecv")})
                rest = [point["status"] for point in self.points() if point["suite"] == "imb-mpi1"]
                self.assertIn(rest, (["ok"], ["partial"]), "partial where others take the processors for most of the budget")
                self.assertEqual((records(self.out)[-1]["points"]["left"], records(self.out)[-1]["session"]), (0, 1))


class OneRankEarly(Faults):
    """Before anything is measured: rates of messages, windows and files are looked at."""

    def test_nobody_waits_for_the_one(self):
        for fault in ("error MPI_Sendrecv 1 5", "error MPI_Win_create 1 1", "early MPI_File_open 1 2", "early MPI_File_open 0 5",
                      "early MPI_File_sync 1 1"):
            with self.subTest(fault):
                start = time.monotonic()
                done = steelyard("run", "imb-ext/Unidir_Put", "imb-io/P_Write_Shared", "--np", "2", "--sizes", "8", *QUIET, "--io-dir",
                                 self.files, "-n", "2", "-o", self.out, **planted(fault))
                self.assert_code(done, 4)
                self.assertLess(time.monotonic() - start, 60, "processes that wait")
                self.assertRegex(done.stderr, r"steelyard: error: \[rank [01] on [^]]+\] |steelyard: error: MPI_")
                self.assertFalse((self.out / "result.jsonl").exists())
                self.assertEqual(list(self.files.iterdir()), [])


    def test_write_that_fails_on_one_process_leaves_a_rate_assumed(self):
        done = steelyard("run", "imb-io/P_Write_Expl", "--np", "2", "--sizes", "8", "--schedule", "fixed:4", *QUIET, "--io-dir",
                         self.files, "-n", "2", "-o", self.out, **planted("full MPI_File_sync 1 1"))
        self.assert_code(done, 0)
        assumed = of_type(records(self.out), "run")[0]["survey"]["assumed"]
        self.assertIn("file_sync_s", assumed)
        self.assertNotIn("file_flush_byte_s", assumed)
        self.assertEqual(list(self.files.iterdir()), [])


class OneRankElsewhere(ErrorOfOneRank):
    """Rank 0, files, other launchers."""

    def test_rank_0_and_file_systems_alike(self):
        self.meets("MPI_Recv", ["imb-mpi1/PingPong", *self.FIXED], 70, "PingPong", rank=0)
        self.meets("MPI_File_set_view", ["b-eff-io", "--budget", "5s"], 5, "b_eff_io")
        self.assertEqual([path.name for path in self.files.iterdir()], [])

    def test_without_our_launcher_the_run_ends_and_can_be_continued(self):
        done = self.meets("MPI_Sendrecv", ["imb-mpi1/Barrier", "imb-mpi1/Sendrecv", *self.FIXED], 70, "Sendrecv",
                          launcher=[LAUNCHER, "-n", "2"])
        self.assertIn(f"continue with:  steelyard run --resume -o {self.out} -n 2", done.stderr)
        end = records(self.out)[-1]
        self.assertEqual((end["type"], end["status"], end["cause"], end["exit_code"]), ("end", "failed", "error", 1))
        self.resume_to_the_end(3)


class Watched(Faults):
    def test_rank_that_sleeps_is_told_by_the_watchdog_and_the_run_goes_on(self):
        done = subprocess.run([PROGRAM, "run", *MESSAGES, *QUIET, "--budget", "5m", "-n", "2", "-o", self.out], cwd=self.directory,
                              env=environment(**planted("sleep MPI_Alltoall 1 30 70000")), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=200, check=False)
        self.assert_code(done, 0)
        self.assertRegex(done.stderr, r"steelyard: imb-mpi1/Alltoall has been running for 1:0\d")
        self.assertEqual(len(self.points()), MESSAGE_POINTS)


    def test_rank_that_never_comes_back_is_given_up_and_the_run_can_be_continued(self):
        """Also where the launcher then stays."""
        stays = self.directory / "stays"
        stays.write_text(f"trap '' TERM\n{LAUNCHER} \"$@\"\nwhile :; do sleep 0.1; done\n")
        for launcher in ([], ["--launcher", f"sh {stays}"]):
            with self.subTest(launcher):
                self.out = self.directory / f"r{len(launcher)}"
                self.start("run", *MESSAGES, *QUIET, "--give-up", "15s", "-n", "2", "-o", self.out, *launcher,
                           **planted("sleep MPI_Alltoall 1 30 3600000"))
                stderr = self.ended(1)
                self.assertRegex(stderr, r"steelyard: error: imb-mpi1/Alltoall is given up after 0:\d\d")
                self.assertIn(f"continue with:  steelyard run --resume -o {self.out} -n 2", stderr)
                last = records(self.out)[-1]
                self.assertEqual((last["type"], last["code"]), ("event", "gave_up"))
                self.assertEqual([point["benchmark"] for point in self.points()], ["Barrier"])
                if not launcher:
                    self.resume_to_the_end(MESSAGE_POINTS)


class Outputs(Faults):
    """Result file and streams."""

    LONG = ["imb-mpi1/Barrier", "imb-mpi1/Alltoall", "--np", "2", "--sizes", "8", "--schedule", "time:8s"]

    def test_second_writer_is_refused_and_the_first_is_not_disturbed(self):
        self.start("run", *self.LONG, *QUIET, "-n", "2", "-o", self.out)
        self.wait_for(lambda: (self.out / "result.jsonl").exists() and (self.out / "result.jsonl").stat().st_size > 0)
        # At once: both wait some seconds for a writer that may be ending.
        seconds = [["--append", *MESSAGES, *QUIET], ["--resume"]]
        with concurrent.futures.ThreadPoolExecutor() as together:
            for done in together.map(lambda words: steelyard("run", *words, "-n", "2", "-o", self.out), seconds):
                self.assert_code(done, 4)
                self.assertIn("another", done.stderr)
        self.ended(0)
        all_records = records(self.out)
        self.assertEqual((len(of_type(all_records, "run")), len(of_type(all_records, "point"))), (1, 2))

    def test_second_resume_is_refused_where_the_first_has_gone_on_since_it_was_read(self):
        self.start("run", *MESSAGES[:-1], "time:500ms", *QUIET, "-n", "2", "-o", self.out)
        self.wait_for(lambda: (self.out / "result.jsonl").exists() and (self.out / "result.jsonl").stat().st_size > 0)
        self.run.terminate()
        self.ended(5)
        words = ["run", "--resume", "-n", "2", "-o", self.out]
        with concurrent.futures.ThreadPoolExecutor() as together:
            done = list(together.map(lambda _: steelyard(*words), range(2)))
        all_records = records(self.out)
        self.assertEqual([record["seq"] for record in all_records], list(range(len(all_records))))
        sessions = [record["session"] for record in of_type(all_records, "run")]
        self.assertEqual(sessions, list(range(1, len(sessions) + 1)))
        self.assertIn(0, [one.returncode for one in done], done[0].stderr + done[1].stderr)

    def test_result_directory_that_is_removed_or_moved_ends_the_run_with_a_line(self):
        ways = {"removed": shutil.rmtree, "moved": lambda out: out.rename(self.directory / "elsewhere")}
        for name, take_away in ways.items():
            with self.subTest(name):
                self.start("run", "imb-mpi1/PingPong", "--sizes", "0,1..64", "--schedule", "time:500ms", *QUIET,
                           "-n", "2", "-o", self.out)
                file = self.out / "result.jsonl"
                self.wait_for(lambda: file.exists() and file.stat().st_size > 0)
                time.sleep(1.2)
                take_away(self.out)
                stdout, stderr = self.run.communicate(timeout=PATIENCE_S)
                self.assertIn(self.run.returncode, (1, 4), stdout + stderr)
                self.assertIn("was removed or moved while", stderr)
                self.assertNotIn("before anything was measured", stderr)
                self.assertNotIn("results  ", stdout)

    def test_nothing_is_added_to_what_is_no_result(self):
        victim = self.directory / "victim"
        victim.write_text("precious")
        self.out.mkdir()
        (self.out / "result.jsonl").symlink_to(victim)
        done = steelyard("run", "--append", *MESSAGES, *QUIET, "-n", "2", "-o", self.out)
        self.assert_code(done, 4)
        self.assertIn("is no result of steelyard", done.stderr)
        self.assertEqual((victim.read_text(), [path.name for path in self.out.iterdir()]), ("precious", ["result.jsonl"]))

    def test_closed_streams_end_the_table_and_not_the_run(self):
        for closed in ("1", "0 1 2"):
            with self.subTest(closed):
                out = self.directory / ("r" + closed.replace(" ", ""))
                words = " ".join(["run", *MESSAGES, "-n", "2", "-o", str(out)])
                shut = " ".join(f"{number}>&-" for number in closed.split())
                done = subprocess.run(["sh", "-c", f"exec '{PROGRAM}' {words} {shut}"], env=environment(), cwd=self.directory,
                                      capture_output=True, text=True, timeout=PATIENCE_S, check=False)
                self.assert_code(done, 0)
                self.assertEqual((len(of_type(records(out), "point")), records(out)[-1]["status"]), (MESSAGE_POINTS, "complete"))

    def test_output_on_a_read_only_file_system_is_four(self):
        place = self.mount("-t", "tmpfs", "-o", "ro", "none")
        done = steelyard("run", *MESSAGES, *QUIET, "-n", "2", "-o", place / "r")
        self.assert_refused(done, 4, "Read-only file system")


class Files(Faults):
    """Scratch directory and file systems."""

    WRITES = ["imb-io/P_Write_Expl", "imb-io/P_Read_Expl", "imb-io/C_Write_Shared", "imb-io/Open_Close", "--np", "2"]
    FRONT_ENDS = {"imb-io": ["imb-io", "P_Write_Expl", "-msglog", "4:6", "-iter", "4"],
                  "b-eff-io": ["b-eff-io", "-MB", "64", "-T", "0.01", "-norewrite", "-maxbytes", "96Mi"]}

    def scratch(self):
        """The run's own directory in --io-dir once it is there."""
        return next((path for path in self.files.iterdir() if path.is_dir() and not path.is_symlink()), None)

    def start_files(self, *words):
        self.start("run", *words, *QUIET, "--io-dir", self.files, "-n", "2", "-o", self.out)
        return self.wait_for(self.scratch)

    def test_read_only_directory_is_four(self):
        place = self.mount("-t", "tmpfs", "-o", "ro", "none")
        done = steelyard("run", *self.WRITES, "--sizes", "64", *QUIET, "--io-dir", place, "-n", "2", "-o", self.out)
        self.assert_code(done, 4)
        self.assertIn("--io-dir: ", done.stderr)
        self.assertIn("Read-only file system", done.stderr)
        done = steelyard(*self.FRONT_ENDS["b-eff-io"], "-N", "2", "-p", place, "-n", "2", cwd=self.directory)
        self.assert_code(done, 4)
        self.assertIn("Read-only file system", done.stderr)

    def test_scratch_directory_that_vanishes_fails_points_and_not_the_run(self):
        """Before an open of the first process: in the midst of one, Open MPI would leave the processes apart."""
        for benchmark, opened in (("P_Write_Expl", 2), ("P_Write_Expl", 4), ("Open_Close", 20)):
            with self.subTest(benchmark, opened=opened):
                self.out = self.directory / f"{benchmark}-{opened}"
                done = steelyard("run", "imb-io/" + benchmark, "imb-mpi1/Barrier", "--np", "2", "--sizes", "64,1Ki", "--schedule",
                                 "fixed:100", *QUIET, "--io-dir", self.files, "-n", "2", "-o", self.out,
                                 **planted(f"away MPI_File_open 0 {opened}"))
                self.assert_code(done, 1)
                self.assertEqual({point["benchmark"] for point in self.failed()}, {benchmark})
                for point in self.failed():
                    self.assertEqual(point["reason"]["code"], "file_system", point["reason"])
                self.assertEqual([point["status"] for point in self.points() if point["suite"] == "imb-mpi1"], ["ok"])
                self.assertEqual(records(self.out)[-1]["status"], "complete")

    def test_links_and_foreign_files_in_the_scratch_directory_stay_and_are_told(self):
        precious = self.directory / "precious"
        precious.write_text("mine")
        scratch = self.start_files("imb-io/P_Write_Expl", "imb-io/P_Read_Expl", "--np", "2", "--sizes", "64", "--schedule",
                                   "time:300ms")
        (scratch / "link").symlink_to(precious)
        (scratch / "foreign").write_text("theirs")
        stderr = self.ended(0)
        self.assertIn("left in the scratch directory", stderr)
        self.assertEqual(precious.read_text(), "mine")
        self.assertEqual((scratch / "foreign").read_text(), "theirs")
        self.assertTrue((scratch / "link").is_symlink())
        self.assertIn("scratch_left", [event["code"] for event in of_type(records(self.out), "event")])

    def test_stop_takes_the_files_away(self):
        self.start_files(*self.WRITES, "--sizes", "64,1Ki", "--schedule", "time:1s")
        self.run.send_signal(signal.SIGTERM)
        self.ended(5)
        self.assertEqual(list(self.files.iterdir()), [])
        self.assertEqual(records(self.out)[-1]["status"], "interrupted")

    def test_files_of_a_killed_run_are_found_by_their_list_and_nothing_else_goes(self):
        (self.files / "foreign").write_text("theirs")
        done = steelyard("run", *self.WRITES, "--sizes", "64,1Ki", "--schedule", "fixed:8", *QUIET, "--io-dir", self.files, "-n",
                         "2", "-o", self.out, **planted("kill MPI_File_open 1 4"))
        self.assert_code(done, 1)
        self.assertIsNotNone(self.scratch())
        self.assert_code(steelyard("doctor", "--clean", self.out), 0)
        self.assertEqual([path.name for path in self.files.iterdir()], ["foreign"])

    def test_full_disk_is_a_reason_and_what_fits_is_measured(self):
        """Every kind of transfer, small and too large."""
        place = self.mount("-t", "tmpfs", "-o", "size=2m", "none")
        kinds = ["S_Write_Indv", "S_Write_Expl", "P_Write_Indv", "P_Write_Expl", "P_Write_Shared", "P_Write_Priv", "C_Write_Indv",
                 "C_Write_Expl", "C_Write_Shared", "S_IWrite_Expl", "P_Read_Expl", "C_Read_Indv"]
        done = steelyard("run", *(f"imb-io/{kind}" for kind in kinds), "imb-mpi1/Barrier", "--np", "2", "--sizes", "1Ki,4Mi",
                         "--schedule", "fixed:2", *QUIET, "--io-dir", place, "-n", "2", "-o", self.out)
        self.assert_code(done, 1)
        self.assertEqual({point["benchmark"] for point in self.failed()}, set(kinds))
        for point in self.points():
            if point["status"] == "failed":
                self.assertEqual(point["reason"]["code"], "space", point["reason"])
                self.assertNotIn("metrics", point)
            elif "chunk_byte" in point["params"]:
                self.assertEqual(point["params"]["chunk_byte"], 1024)
        # a block of reads prepares one file for all its sizes
        small = {point["benchmark"] for point in self.points() if point["status"] == "ok"}
        self.assertEqual(small, {kind for kind in kinds if "_Read_" not in kind} | {"Barrier"})
        self.assertEqual(list(place.iterdir()), [])

    def test_quota_that_is_used_up_before_anything_is_measured_is_four(self):
        done = steelyard("run", *self.WRITES, "--sizes", "64", *QUIET, "--io-dir", self.files, "-n", "2", "-o", self.out,
                         **planted("quota write -1 1"))
        self.assert_code(done, 4)
        self.assertIn("Disk quota exceeded", done.stderr)

    def test_quota_that_is_used_up_is_a_reason_as_a_full_disk_is(self):
        kinds = ["S_Write_Indv", "P_Write_Expl", "C_Write_Indv"]
        done = steelyard("run", *(f"imb-io/{kind}" for kind in kinds), "imb-mpi1/Barrier", "--np", "2", "--sizes", "1Ki",
                         "--schedule", "fixed:2", *QUIET, "--io-dir", self.files, "-n", "2", "-o", self.out,
                         **planted("quota write -1 4"))
        self.assert_code(done, 1)
        self.assertEqual({point["benchmark"] for point in self.failed()}, set(kinds))
        for point in self.failed():
            self.assertEqual(point["reason"]["code"], "space", point["reason"])
        self.assertEqual({point["benchmark"] for point in self.points() if point["status"] == "ok"}, {"Barrier"})
        self.assertEqual(list(self.files.iterdir()), [])

    def test_full_disk_in_any_part_of_effective_io_bandwidth_is_told(self):
        for size in ("1m", "24m"):
            with self.subTest(size):
                place = self.mount("-t", "tmpfs", "-o", f"size={size}", "none")
                self.out = self.directory / size
                done = steelyard("b-eff-io", "-MB", "64", "-T", "0.01", "-N", "2", "-maxbytes", "96Mi", "-p", place, "-f",
                                 self.directory / ("x" + size), "-n", "2", "--out", self.out)
                self.assert_code(done, 1)
                self.assertEqual({point["reason"]["code"] for point in self.failed()} - {"space", "dependency"}, set())
                self.assertIn("space", {point["reason"]["code"] for point in self.failed()})
                self.assertEqual(list(place.iterdir()), [])
                subprocess.run([tool("umount"), str(place)], check=True)

    def test_effective_io_bandwidth_counts_what_a_slower_process_has_yet_to_write(self):
        """Open MPI tells nobody that a collective write found no room: its data are wrong."""
        place = self.mount("-t", "tmpfs", "-o", "size=24m", "none")
        done = steelyard("b-eff-io", "-MB", "64", "-T", "8", "-N", "2", "-p", place, "-f", self.directory / "x", "-n", "2",
                         "--out", self.out, **planted("slow write 1 1 20"))
        self.assert_code(done, 1)
        self.assertIn("space", {point["reason"]["code"] for point in self.failed()})
        self.assertEqual([point["key"] for point in self.points() if point.get("verified") is False], [])


if __name__ == "__main__":
    main()
