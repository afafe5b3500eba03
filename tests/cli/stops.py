# SPDX-License-Identifier: Apache-2.0
"""Orderly ends: signals, stop file, deadline, kill and resume."""

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

from program import LAUNCHER, PROGRAM, Case, environment, kill_tree, main, of_type, records, steelyard, under_launcher

LONG = ["imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "imb-mpi1/Barrier", "--sizes", "0,1..1Ki", "--schedule", "time:300ms",
        "--budget", "15m", "--table", "none", "--progress", "none"]  # a busy machine needs more than a minute
POINTS = 2 * 12 + 1


class StoppedRun(Case):
    def start(self, *words, launched_by=None, measured=LONG, started_by=()):
        out = self.directory / "r"
        words = [PROGRAM, "run", *measured, "-o", str(out), *words]
        if launched_by:
            words = [launched_by, "-n", "2", *words]
        else:
            words = [*started_by, *words, "-n", "2"]
        self.run = subprocess.Popen(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        return out

    def wait_for_points(self, out, least=1):
        """Until so many points are in the file."""
        for _ in range(2400):
            file = out / "result.jsonl"
            if file.exists() and file.read_text().count('"type":"point"') >= least:
                return
            if self.run.poll() is not None:
                self.fail(self.run.communicate()[1])
            time.sleep(0.05)
        self.fail("no point was written")

    def ended(self, out, code, cause, also=()):
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertIn(self.run.returncode, (code, *also), stdout + stderr)
        end = records(out)[-1]
        self.assertEqual((end["type"], end["status"], end["cause"], end["exit_code"]), ("end", "interrupted", cause, code))
        return stderr

    def wait_until_measuring(self, out):
        """Records of a block appear when it ends; the run record shows that measuring begins."""
        for _ in range(2400):
            if (out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0:
                time.sleep(0.3)
                return
            time.sleep(0.05)
        self.fail("no record was written")


class Stops(StoppedRun):
    def test_terminate_of_our_parent_stops_in_order(self):
        out = self.start()
        self.wait_until_measuring(out)
        self.run.terminate()
        stderr = self.ended(out, 5, "signal")
        self.assertRegex(stderr, r"stopped after \d+ of \d+ points( and parts of \d+)?, by a signal")
        self.assertIn(f"continue with:  steelyard run --resume -o {out} -n 2", stderr)

    def test_interrupt_of_our_parent_stops_in_order(self):
        out = self.start()
        self.wait_until_measuring(out)
        self.run.send_signal(signal.SIGINT)
        self.ended(out, 5, "signal")

    def test_limit_of_processor_time_stops_in_order_before_it_kills(self):
        # five seconds are left for the end; so many operations take more than the sixth, and none of the points so long
        work = ["imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "imb-mpi1/Exchange", "--sizes", "64Ki,128Ki,256Ki", "--schedule",
                "fixed:10000", "--table", "none", "--progress", "none"]
        out = self.start(measured=work, started_by=("sh", "-c", 'ulimit -t 6; exec "$@"', "sh"))
        self.wait_until_measuring(out)
        self.assertIn("by the limit of processor time (SIGXCPU; ulimit -t).", self.ended(out, 5, "cpu_limit"))

    def test_limit_of_processor_time_that_our_parent_hears_of_every_second_stops_in_order(self):
        out = self.start()
        self.wait_until_measuring(out)
        for _ in range(2):
            self.run.send_signal(signal.SIGXCPU)
            time.sleep(0.1)
        self.ended(out, 5, "signal")

    def test_usr1_to_the_launcher_stops_in_order(self):
        out = self.start(launched_by=LAUNCHER)
        self.wait_until_measuring(out)
        self.run.send_signal(signal.SIGUSR1)
        # Hydra 4.0 now and then answers 0 after it has passed a signal on, whatever its processes end with.
        self.ended(out, 5, "signal", also=(0,) if "mpich" in LAUNCHER else ())

    def test_stop_file_stops_in_order_and_goes_away_at_the_next_start(self):
        out = self.start()
        self.wait_until_measuring(out)
        (out / "STOP").touch()
        self.ended(out, 5, "stop_file")
        done = steelyard("run", "--resume", "-o", out)
        self.assert_code(done, 0)
        self.assertFalse((out / "STOP").exists())

    def test_stop_file_that_comes_while_the_processes_start_stops(self):
        script = self.directory / "slow.sh"
        script.write_text(f"mkdir -p {self.directory}/r\ntouch {self.directory}/r/STOP\nexec {LAUNCHER} \"$@\"\n")
        out = self.start("--launcher", f"sh {script}")
        self.assertIn("Nothing was measured.", self.ended(out, 5, "stop_file"))

    def test_resume_that_reaches_nothing_counts_what_the_file_holds(self):
        out = self.start()
        self.wait_for_points(out)
        self.run.terminate()
        self.ended(out, 5, "signal")
        held = records(out)[-1]["points"]
        script = self.directory / "slow.sh"
        script.write_text(f"touch {out}/STOP\nexec {LAUNCHER} \"$@\"\n")
        done = steelyard("run", "--resume", "-o", out, "--launcher", f"sh {script}")
        self.assert_code(done, 5)
        end = records(out)[-1]
        self.assertEqual((end["session"], end["cause"]), (2, "stop_file"))
        kinds = ("ok", "partial", "skipped", "failed", "unverified")
        self.assertEqual([end["points"][kind] for kind in kinds], [held[kind] for kind in kinds])
        self.assertNotIn("Nothing was measured", done.stdout + done.stderr)
        self.assertIn(f"({held['ok']} ok, {held['partial']} partial, ", done.stdout)

    def test_front_end_that_is_stopped_says_so_and_tells_of_no_failure(self):
        words = ["imb-mpi1", "Allreduce", "-iter", "300000", "-msglog", "0:6"]
        out = self.directory / "r"
        self.run = subprocess.Popen([LAUNCHER, "-n", "2", PROGRAM, *words, "--out", str(out)], env=environment(),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        self.wait_until_measuring(out)
        (out / "STOP").touch()
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertTrue(stdout.rstrip().endswith("# Ended by the file STOP before all was measured"), stdout[-300:])
        self.assertRegex(stderr, r"stopped after \d+ of \d+ points( and parts of \d+)?, by the file STOP\.\n")

    def test_selftest_that_is_stopped_says_that_it_is_not_whole(self):
        self.run = subprocess.Popen([PROGRAM, "selftest", "--no-launch"], env=environment(), cwd=self.directory,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        self.assertIn("files are measured in", self.run.stderr.readline())
        self.run.send_signal(signal.SIGTERM)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertRegex(stdout, r"0 wrong, 0 failed, \d+ skipped, [1-9]\d* left: stopped, by a signal\n$")

    SHORT = ["imb-mpi1/Barrier", "--schedule", "time:3s", "--table", "none", "--progress", "none"]

    def test_hangup_is_not_heard_by_a_run_that_is_to_survive_it(self):
        out = self.start(started_by=["nohup"], measured=self.SHORT)
        self.wait_until_measuring(out)
        self.run.send_signal(signal.SIGHUP)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 0, stdout + stderr)
        self.assertEqual(records(out)[-1]["status"], "complete")

    def test_interrupt_is_not_heard_by_a_run_in_the_background(self):
        background = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
        out = self.start(started_by=[sys.executable, "-c", background], measured=self.SHORT)
        self.wait_until_measuring(out)
        self.run.send_signal(signal.SIGINT)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 0, stdout + stderr)
        self.assertEqual(records(out)[-1]["status"], "complete")

    def test_run_ends_where_ends_of_children_were_ignored(self):
        ignoring = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
        self.start(started_by=[sys.executable, "-c", ignoring], measured=self.SHORT)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 0, stdout + stderr)

    def test_stop_is_heard_while_other_work_is_waited_for(self):
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(busy.wait)
        self.addCleanup(busy.kill)
        out = self.start("--wait-quiet", "1h")
        self.wait_until_measuring(out)
        (out / "STOP").touch()
        self.assertIn("Nothing was measured.", self.ended(out, 5, "stop_file"))

    def test_deadline_stops_in_order(self):
        out = self.start("--deadline", "+3")
        self.ended(out, 5, "deadline")


class Insists(StoppedRun):
    """A second wish, before the first has ended the run."""

    ENDLESS = ["imb-mpi1/PingPong", "--sizes", "8", "--schedule", "fixed:80000000", "--table", "none", "--progress",
               "none"]

    def ask_twice(self, out):
        self.wait_until_measuring(out)
        time.sleep(2)  # beside other work the point takes a while to begin
        for _ in range(2):
            self.run.send_signal(signal.SIGINT)
            time.sleep(0.7)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 1, stdout + stderr)
        self.assertEqual(of_type(records(out), "end"), [])
        self.assertIn("a second signal ended them", stderr)
        self.assertIn(f"continue with:  steelyard run --resume -o {out} -n 2\n", stderr)
        return stderr

    def test_it_ends_a_long_point_with_a_line_that_continues(self):
        self.ask_twice(self.start(measured=self.ENDLESS))

    def test_it_ends_a_series_that_has_measured_nothing(self):
        stderr = self.ask_twice(self.start("--launches", "3", measured=self.ENDLESS))
        self.assertIn("launches not begun: 2, 3\n", stderr)
        self.assertNotIn("stopped after launch", stderr)

    def test_it_is_not_passed_on_when_the_end_is_recorded(self):
        script = self.directory / "late.sh"  # a launcher that takes its time when its processes have ended
        script.write_text("shift 2\ntrap : USR1\n\"$@\"\ncode=$?\ntrap 'exit 9' TERM\n"
                          "sleep 2 & wait $!\nwait $!\nexit $code\n")
        out = self.directory / "r"
        words = ["imb-mpi1/Allreduce", "--schedule", "time:100ms", "--sizes", "8", "--table", "none", "-n", "1"]
        self.run = subprocess.Popen([PROGRAM, "run", *words, "--launcher", f"sh {script}", "-o", str(out)],
                                    env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        self.wait_until_measuring(out)
        while records(out)[-1]["type"] != "end":
            time.sleep(0.05)
        for _ in range(2):
            self.run.terminate()
            time.sleep(0.2)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 0, stdout + stderr)


class StopsEarly(StoppedRun):
    """A stop before the processes know the signal that asks for it."""

    def launcher(self, after, before=""):
        script = self.directory / "slow.sh"
        script.write_text(f"{before}\necho here >{self.directory}/there\n{after}\n")
        return ["--launcher", f"sh {script}"]

    def stop_at_once(self):
        for _ in range(2400):
            if (self.directory / "there").exists():
                break
            time.sleep(0.05)
        self.run.terminate()
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertRegex(stderr, r"steelyard: stopped before anything (more )?was measured\n")
        return stderr

    def test_of_a_launcher_that_starts_nothing_yet(self):
        out = self.start(*self.launcher("exec sleep 300"))
        self.assertNotIn("continue with", self.stop_at_once())
        self.assertFalse((out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0)

    def test_of_a_resume_says_how_to_go_on(self):
        out = self.directory / "r"
        stopped = self.start()
        self.wait_for_points(stopped)
        self.run.terminate()
        self.ended(out, 5, "signal")
        words = [PROGRAM, "run", "--resume", "-o", str(out), *self.launcher("exec sleep 300")]
        self.run = subprocess.Popen(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        self.assertIn(f"continue with:  steelyard run --resume -o {out} -n 2", self.stop_at_once())

    # Asked before it has processes, as Open MPI's while it starts: the wish goes to nobody.
    DEAF_AT_FIRST = """trap 'asked=1' USR1
echo here >{there}
while [ -z "$asked" ]; do sleep 0.05; done
shift 2
{then}
"""

    def deaf_launcher(self, then):
        script = self.directory / "deaf.sh"
        script.write_text(self.DEAF_AT_FIRST.format(there=self.directory / "there", then=then))
        return ["--launcher", f"sh {script}"]

    def test_of_a_launcher_without_processes_yet_is_told_to_them_when_they_are_there(self):
        passes_on = """trap 'kill -USR1 $child' USR1
"$@" & child=$!
wait $child; code=$?
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
exit $code"""
        out = self.start(*self.deaf_launcher(passes_on), measured=["imb-mpi1/Barrier", "--schedule", "time:8s", "--table", "none"])
        for _ in range(2400):
            if (self.directory / "there").exists():
                break
            time.sleep(0.05)
        self.run.terminate()
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertIn("stopped ", stderr)
        if (out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0:
            self.assertEqual(records(out)[-1]["exit_code"], 5)

    def test_of_processes_that_hear_nothing_and_do_nothing(self):
        waits = """trap 'kill -KILL $child; exit 1' TERM
"$@" & child=$!
until tr '\\0' ' ' </proc/$child/cmdline | grep -q '^[^ ]* --launched'; do sleep 0.01; done
kill -STOP $child
while :; do sleep 0.05; done"""
        out = self.start(*self.deaf_launcher(waits))
        self.assertNotIn("continue with", self.stop_at_once())
        self.assertFalse((out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0)

    def test_of_a_process_that_waits_for_others_in_the_start_of_mpi(self):
        if subprocess.run([LAUNCHER, "-n", "1", "true", ":", "-n", "1", "true"], env=environment(), capture_output=True, timeout=60,
                          check=False).returncode != 0:
            self.skipTest("this launcher starts no two programs, as that of Open MPI 5.0.7")
        words = [LAUNCHER, "-n", "1", PROGRAM, "imb-mpi1", "Barrier", ":", "-n", "1", "sleep", "100"]
        self.run = subprocess.Popen(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(kill_tree, self.run)
        process = self.descendant(PROGRAM)
        time.sleep(1)
        process.joinpath("cwd").stat()  # it waits
        os.kill(int(process.name), signal.SIGTERM)
        for _ in range(400):
            if not process.exists() or "\nState:\tZ" in (process / "status").read_text():
                return
            time.sleep(0.05)
        self.fail("the process waits on")

    def descendant(self, program):
        """Directory in /proc of the process of this program, which has handlers of signals."""
        for _ in range(400):
            family = [self.run.pid]
            for pid in family:
                process = pathlib.Path(f"/proc/{pid}")
                try:
                    family += map(int, (process / "task" / str(pid) / "children").read_text().split())
                    caught = int(re.search(r"SigCgt:\t(\w+)", (process / "status").read_text())[1], 16)
                    is_it = (process / "cmdline").read_text().split("\0")[0] == program
                except FileNotFoundError:
                    continue
                if is_it and caught >> (signal.SIGTERM - 1) & 1:
                    return process
            time.sleep(0.05)
        return self.fail(f"{program} was not started")

    def test_of_the_launcher_of_the_library_at_any_moment_of_its_start(self):
        for delay in (0, 0.05, 0.1, 0.2):
            with self.subTest(delay):
                self.directory.joinpath("r").mkdir(exist_ok=True)
                self.start("--append", measured=["imb-mpi1/Barrier", "--schedule", "time:8s", "--table", "none"])
                children = pathlib.Path(f"/proc/{self.run.pid}/task/{self.run.pid}/children")
                for _ in range(2400):
                    if children.read_text():
                        break
                    time.sleep(0.01)
                time.sleep(delay)
                self.run.send_signal(signal.SIGTERM)
                stdout, stderr = self.run.communicate(timeout=60)
                self.assertEqual(self.run.returncode, 5, stdout + stderr)

    def test_of_a_launcher_that_is_told_twice_is_a_stop_and_names_files_that_stay(self):
        out = self.start(*self.launcher("while :; do sleep 0.05; done", before="trap '' USR1; trap 'exit 9' TERM"))
        while not (self.directory / "there").exists():
            time.sleep(0.05)
        out.mkdir(exist_ok=True)
        (out / "scratch.manifest").write_text("/nowhere/steelyard-x\n")
        self.run.send_signal(signal.SIGINT)
        time.sleep(0.6)
        self.run.send_signal(signal.SIGINT)
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertIn("stopped before anything was measured\n", stderr)
        self.assertIn(f"steelyard doctor --clean {out}\n", stderr)

    def test_of_a_launcher_that_fails_by_itself_is_no_stop(self):
        self.start(*self.launcher("while :; do sleep 0.05; done", before="trap 'exit 9' USR1"))
        self.assertRaises(AssertionError, self.stop_at_once)
        self.assertEqual(self.run.returncode, 4)


class StuckLauncher(StoppedRun):
    """A launcher that stays when its process has ended: Open MPI's does so now and then after a signal."""

    SCRIPT = """shift 2
"$@" & child=$!
trap 'kill -USR1 $child' USR1
wait $child
wait $child
exec sleep 300
"""

    def test_it_is_ended_and_the_records_tell_the_code(self):
        script = self.directory / "stuck.sh"
        script.write_text(self.SCRIPT)
        out = self.directory / "r"
        words = ["imb-mpi1/Allreduce", "imb-mpi1/Bcast", *LONG[2:], "-n", "1", "--launcher", f"sh {script}", "-o", str(out)]
        self.run = subprocess.Popen([PROGRAM, "run", *words], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.run.kill)
        self.wait_until_measuring(out)
        self.run.terminate()
        stderr = self.ended(out, 5, "signal")
        self.assertIn("the launcher stayed when all its processes had ended", stderr)


class Resumes(StoppedRun):
    def test_resume_measures_the_rest_and_keeps_what_is_there(self):
        out = self.start("--confirm", "0")
        self.wait_for_points(out)
        self.run.terminate()
        self.ended(out, 5, "signal")
        before = [r["key"] for r in of_type(records(out), "point") if r["status"] == "ok"]
        done = steelyard("run", "--resume", "-o", out, STEELYARD_LAUNCHES="3")  # the run's own number counts
        self.assert_code(done, 0)
        all_records = records(out)
        sessions = of_type(all_records, "run")
        self.assertEqual([r["session"] for r in sessions], [1, 2])
        self.assertEqual(sessions[0]["plan"]["hash"], sessions[1]["plan"]["hash"])
        again = [r["key"] for r in of_type(all_records, "point") if r["session"] == 2]
        self.assertEqual(set(before) & set(again), set())
        self.assertEqual(len(set(before) | set(again)), POINTS)
        self.assertEqual([r["seq"] for r in all_records], list(range(len(all_records))))

    def test_line_that_continues_is_for_a_shell_whatever_the_directory_is_called(self):
        self.directory = self.directory / "it's $HOME; größer"
        self.directory.mkdir()
        out = self.start("--confirm", "0")
        self.wait_for_points(out)
        self.run.terminate()
        line, = (one for one in self.ended(out, 5, "signal").splitlines() if one.startswith("continue with:"))
        words = shlex.split(line.removeprefix("continue with:"))
        self.assertEqual(words[:5], ["steelyard", "run", "--resume", "-o", str(out)])
        self.assert_code(steelyard(*words[1:]), 0)
        self.assertEqual(records(out)[-1]["points"]["left"], 0)

    def test_killed_run_is_resumed_without_its_torn_line(self):
        out = self.start()
        self.wait_for_points(out)
        kill_tree(self.run)
        file = out / "result.jsonl"
        with open(file, "a") as torn:
            torn.write('{"format":"steelyard.result","type":"poi')
        self.assert_code(steelyard("run", "--resume", "-o", out), 0)
        all_records = records(out)
        self.assertEqual(of_type(all_records, "run")[1]["resumes"]["dropped_byte"], 40)
        self.assertEqual(len({r["key"] for r in of_type(all_records, "point")}), POINTS)

    def test_resume_elsewhere_needs_force(self):
        out = self.start()
        self.wait_for_points(out)
        self.run.terminate()
        self.ended(out, 5, "signal")
        refused = steelyard("run", "--resume", "-o", out, "-n", "1")
        self.assertEqual(refused.returncode, 4)
        self.assertIn("--force resumes all the same:\n  the number of processes was 2, is 1\n", refused.stderr)

    def test_a_deadline_that_has_passed_is_refused_and_the_end_of_another_job_ignored(self):
        out = self.directory / "late"
        words = ["run", "imb-mpi1/Barrier", "--schedule", "fixed:20", "-n", "2", "-o", out]
        self.assert_refused(steelyard(*words, "--deadline", "2020-01-01T00:00"), 2, "--deadline: 2020-01-01T00:00 has passed")
        self.assertFalse(out.exists())
        self.assert_code(steelyard(*words, SLURM_JOB_ID="7", SLURM_JOB_END_TIME=str(int(time.time()) - 100)), 0)
        near = steelyard(*words[:-1], self.directory / "near", SLURM_JOB_ID="7", SLURM_JOB_END_TIME=str(int(time.time()) + 30))
        self.assert_code(near, 5)
        self.assertIn("stopped after 0 of 1 points, a minute before the job's end as its batch system tells it", near.stderr)

    def test_resume_of_nothing_is_two(self):
        self.assert_refused(steelyard("run", "--resume", "-o", self.directory), 2)
        self.assert_refused(steelyard("run", "--resume", "-o", self.directory, "--sizes", "8"), 2, "without --sizes")

    def test_only_runs_of_run_are_resumed(self):
        measured = self.directory / "measured"
        self.assert_code(under_launcher(2, "imb-mpi1", "Barrier", "-iter", "20", "--out", measured), 0)
        for resume in (steelyard, lambda *words: under_launcher(2, *words)):
            refused = resume("run", "--resume", "-o", measured)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("was made by 'imb-mpi1', to be started again: only runs of 'steelyard run' are resumed", refused.stderr)
        text, read = self.directory / "b_eff.txt", self.directory / "read"
        text.write_text("b_eff = 9709.549 MB/s = 37.928 * 256 PEs with 128 MB/PE on Linux n1 6.1 x x86_64\n")
        self.assert_code(steelyard("import", text, "-o", read, "--date", "2023-05-04"), 0)
        self.assert_refused(steelyard("run", "--resume", "-o", read), 2, "another program's text")


class Series(StoppedRun):
    SHORT = ["imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "--sizes", "0,64", "--schedule", "time:600ms", "--confirm", "0",
             "--budget", "15m", "--table", "none", "--progress", "none", "--launches", "3"]
    POINTS = 2 * 2

    def keys(self, all_records):
        """Of the points of each launch, in their order, also of those that were measured twice."""
        launch_of = {head["run"]: head["launch"] for head in of_type(all_records, "run")}
        keys = {}
        for point in of_type(all_records, "point"):
            keys.setdefault(launch_of[point["run"]], []).append(point["key"])
        return keys

    def test_series_stopped_in_its_second_launch_goes_on_with_it_and_measures_the_third(self):
        out = self.start(measured=self.SHORT)
        self.wait_for_points(out, least=self.POINTS + 1)
        self.run.terminate()
        self.assertIn("launches not begun: 3", self.ended(out, 5, "signal"))
        before = self.keys(records(out))
        self.assertEqual(set(before), {1, 2})
        self.assert_code(steelyard("run", "--resume", "-o", out), 0)
        all_records = records(out)
        after = self.keys(all_records)
        self.assertEqual(after[1], before[1], "the first launch is left alone")
        for launch in (1, 2, 3):
            self.assertEqual(len(set(after[launch])), self.POINTS, launch)
        ends = {record["run"]: record for record in of_type(all_records, "end")}  # of each launch the last one
        self.assertEqual([end["status"] for end in ends.values()], ["complete"] * 3)

    def test_series_is_stopped_by_the_file_wherever_it_is(self):
        out = self.start(measured=self.SHORT)
        self.wait_for_points(out, least=self.POINTS)
        (out / "STOP").touch()
        stdout, stderr = self.run.communicate(timeout=60)
        self.assertEqual(self.run.returncode, 5, stdout + stderr)
        self.assertIn("continue with:  steelyard run --resume", stderr)
        self.assertLessEqual(len(of_type(records(out), "run")), 2)
        self.assert_code(steelyard("run", "--resume", "-o", out), 0)
        self.assertFalse((out / "STOP").exists())
        self.assertEqual(len(self.keys(records(out))), 3)


if __name__ == "__main__":
    main()
