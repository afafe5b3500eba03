# SPDX-License-Identifier: Apache-2.0
"""One call fails once, on one process, wherever a benchmark makes it: nobody waits for it, and the rest is measured.

    alone.py SEED [launcher] [NAME...]      from the environment of the tests; NAME: of a benchmark, or of a call
    launcher: the processes are started by the launcher of the MPI library, not by the program itself

What each run makes of each call is counted first; the seed says which process fails, and at which of its calls.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import LAUNCHER, PROGRAM, environment, of_type  # noqa: E402

LIBRARY = os.environ["STEELYARD_PLANTED"]
QUIET = ["--table", "none", "--progress", "none", "--confirm", "0"]
PROMISED_S = 30  # from the error to a record of it
SLACK_S = 30     # for a machine that is busy otherwise
PATIENCE_S = 240
PROCESSES = int(os.environ.get("STEELYARD_TEST_PROCESSES", "2"))
CALLS = ["MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Sendrecv", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Sendrecv_replace",
         "MPI_File_open", "MPI_File_sync", "MPI_File_set_view", "MPI_Win_fence", "MPI_Ibcast"]
FIXED = ["--np", str(PROCESSES), "--sizes", "8,64Ki", "--schedule", "fixed:50"]
RUNS = {
    "PingPong": ["imb-mpi1/Barrier", "imb-mpi1/PingPong", *FIXED],
    "Sendrecv": ["imb-mpi1/Barrier", "imb-mpi1/Sendrecv", *FIXED],
    "Exchange": ["imb-mpi1/Barrier", "imb-mpi1/Exchange", *FIXED],
    "Alltoall": ["imb-mpi1/Barrier", "imb-mpi1/Alltoall", "imb-mpi1/Alltoallv", *FIXED],
    "Unidir_Put": ["imb-mpi1/Barrier", "imb-ext/Unidir_Put", *FIXED],
    "IMB-IO": ["imb-mpi1/Barrier", "imb-io/P_Write_Shared", "imb-io/C_Read_Indv", "imb-io/S_IWrite_Expl", *FIXED],
    "b_eff": ["b-eff", "--memory", "16Mi", "--budget", "10s"],
    "b_eff_io": ["b-eff-io", "--budget", "10s"],
    "FTIO": ["ftio", "--budget", "10s"],
    "HPL": ["hpcc/HPL", "--hpcc-n", "500", "--budget", "10s"],
    "PTRANS": ["hpcc/PTRANS", "--budget", "10s"],
    "FFT": ["hpcc/MPIFFT", "--budget", "10s"],
    "RandomAccess": ["hpcc/MPIRandomAccess", "--budget", "10s"],
    "rings": ["hpcc/LatencyBandwidth", "--budget", "10s"],
    "quick": ["--preset", "quick", "--budget", "12s", "--point-budget", "2ms", "--ci", "50%"],
}


class Wrong(Exception):
    """What a run with an error found."""


class Run:
    """A result directory, its sessions, and what goes wrong in them."""

    def __init__(self, words, launched):
        self.words, self.launched = words, launched
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-alone-"))
        self.out = self.directory / "r"
        self.files = self.directory / "io"
        self.files.mkdir()
        self.once = self.directory / "once"
        self.stderr = ""

    def session(self, *words, launched=False, **variables):
        """Runs to the end of all sessions that it starts; the code."""
        start = [LAUNCHER, "-n", str(PROCESSES), PROGRAM] if launched else [PROGRAM]
        self.told = open(self.directory / "stderr", "a+")
        run = subprocess.Popen([*start, "run", *map(str, words), "-o", str(self.out)], env=environment(**variables),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.told, start_new_session=True)
        try:
            self.follow(run)
        finally:
            self.told.seek(0)
            self.stderr = self.told.read()
            self.told.close()
        return run.returncode

    def follow(self, run):
        """Waits for the end; the error must be on record in time."""
        until = time.monotonic() + PATIENCE_S
        self.recorded_s = None
        while run.poll() is None:
            time.sleep(0.1)
            if self.recorded_s is None and self.once.exists():
                self.look(run)
            if time.monotonic() > until:
                self.kill(run)
                raise Wrong(f"does not end in {PATIENCE_S} s")
        if self.recorded_s is None and self.once.exists():
            self.recorded_s = time.time() - self.once.stat().st_mtime

    def look(self, run):
        waiting_s = time.time() - self.once.stat().st_mtime
        if any(r["type"] == "end" or r.get("status") == "failed" for r in self.records()):
            self.recorded_s = waiting_s
        elif waiting_s > PROMISED_S + SLACK_S:
            self.kill(run)
            raise Wrong(f"no record of the error after {waiting_s:.0f} s")

    @staticmethod
    def kill(run):
        os.killpg(run.pid, signal.SIGTERM)
        try:
            run.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()

    def start(self, **variables):
        words = [*self.words, *QUIET, "--io-dir", self.files, *([] if self.launched else ["-n", PROCESSES])]
        return self.session(*words, launched=self.launched, LD_PRELOAD=LIBRARY, **variables)

    def records(self):
        file = self.out / "result.jsonl"
        lines = file.read_text().split("\n")[:-1] if file.exists() else []
        return [json.loads(line) for line in lines]

    def latest(self):
        return {p["key"]: p for p in of_type(self.records(), "point")}

    def counts(self, rank):
        """How often this process makes every call, in one session without an error."""
        file = self.directory / "counts"
        for _ in range(3):  # a busy machine may spend a budget before anything is measured
            shutil.rmtree(self.out, ignore_errors=True)
            file.unlink(missing_ok=True)
            code = self.start(STEELYARD_TEST_FAULT=f"count any {rank} 1", STEELYARD_TEST_COUNTS=str(file),
                              STEELYARD_TEST_FAULT_AFTER=str(self.out / "result.jsonl"))
            if code == 0 and any(p["status"] == "ok" for p in self.latest().values()):
                return {call: int(times) for call, times in (line.split() for line in file.read_text().splitlines())}
            self.take_longer()
        raise Wrong(f"without an error the code is {code}: {self.stderr[-600:]}")

    def take_longer(self):
        if "--budget" in self.words:
            seconds = self.words.index("--budget") + 1
            self.words[seconds] = f"{4 * int(self.words[seconds].rstrip('s'))}s"

    def meet(self, call, rank, nth):
        """A session with the error, what follows from it, a resume. Answers what became of the error."""
        code = self.start(STEELYARD_TEST_FAULT=f"error {call} {rank} {nth}", STEELYARD_TEST_FAULT_ONCE=str(self.once),
                          STEELYARD_TEST_FAULT_AFTER=str(self.out / "result.jsonl"))
        if not self.once.exists():
            return "not met"
        if code == 4 and not self.records():
            self.once_more()
            return "ended before anything was measured"
        if code == 0 or code != 1 and not self.launched:  # launchers have codes of their own
            raise Wrong(f"code {code}: {self.stderr[-600:]}")
        failed = [p for p in self.latest().values() if p["status"] == "failed"]
        named = [p["reason"] for p in failed if p["reason"].get("rank") == rank]
        ends = of_type(self.records(), "end")
        if not ends or ends[-1]["exit_code"] == 0:
            raise Wrong(f"the end is {ends}")
        if failed and not named:
            raise Wrong(f"the reasons are {[p['reason'] for p in failed]}")
        if not failed and f"rank {rank} " not in self.stderr and rank != 0:
            raise Wrong(f"nobody tells of rank {rank}: {self.stderr[-600:]}")
        what = f"{len(failed)} failed, {'ended' if 'the session ends' in self.stderr else 'agreed'}"
        what += f", on record after {self.recorded_s:.0f} s"
        self.resume()
        return what

    def once_more(self):
        """Nothing is there that could be resumed; the same words begin it."""
        if self.session(*self.words, *QUIET, "--io-dir", self.files, "-n", PROCESSES) != 0:
            raise Wrong(f"it cannot be begun again: {self.stderr[-600:]}")

    def resume(self):
        for _ in range(4):  # a busy machine may spend a budget
            code = self.session("--resume", "--budget", "200s")
            if code != 0:
                raise Wrong(f"the resume ends with {code}: {self.stderr[-600:]}")
            end = self.records()[-1]
            if end["type"] == "end" and end["points"]["left"] == 0:
                break
        failed = [p["reason"] for p in self.latest().values() if p["status"] == "failed"]
        if end["points"]["left"] != 0 or failed:
            raise Wrong(f"after the resume: {end}, {failed}")
        left = [path.name for path in self.files.iterdir()]
        if left:
            raise Wrong(f"{left} stay in --io-dir")


def attempt(benchmark, launched, act):
    """What the act answers; the directory is kept if it is wrong."""
    run = Run(benchmark, launched)
    try:
        answer = act(run)
    except Wrong as wrong:
        return None, f"WRONG: {wrong} (kept: {run.directory})"
    shutil.rmtree(run.directory, ignore_errors=True)
    return answer, answer


def main():
    seed, *words = sys.argv[1:]
    launched = words[:1] == ["launcher"]
    met = bad = 0
    for name in [one for one in RUNS if one in words or not any(word in RUNS for word in words)]:
        chance, benchmark = random.Random(f"{seed} {name}"), list(RUNS[name])
        rank = chance.randrange(PROCESSES)
        counts, text = attempt(benchmark, launched, lambda run: run.counts(rank))
        if counts is None:
            bad += 1
            print(f"{name}: {text}", flush=True)
            continue
        for call in [one for one in counts if one in (words if any(w.startswith("MPI_") for w in words) else CALLS)]:
            nth = chance.randint(1, max(1, counts[call] * 3 // 4))
            answer, text = attempt(benchmark, launched, lambda run: run.meet(call, rank, nth))
            if answer == "not met":  # there was less time
                nth = max(1, nth // 8)
                answer, text = attempt(benchmark, launched, lambda run: run.meet(call, rank, nth))
            bad += answer is None
            met += answer is not None and answer != "not met"
            print(f"{name}: {call} {nth} of {counts[call]} on rank {rank}: {text}", flush=True)
    print(f"{met} errors met as promised, {bad} wrong")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
