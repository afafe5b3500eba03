# SPDX-License-Identifier: Apache-2.0
"""One call fails once, on one process, wherever a benchmark makes it: nobody waits for it, and the rest is measured.

    alone.py SEED [launcher] [NAME...]      from the environment of the tests; NAME: of a benchmark, or of a call
    launcher: the processes are started by the launcher of the MPI library, not by the program itself

What each run makes of each call is counted first; the seed says which process fails, and at which of its calls. A row of
the table says of a call in a benchmark where it failed, after how many seconds that was on record, the code of the resume,
and what became of the error. Several builds at once, such as one for each MPI library: by_hand.py.
"""

import collections
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

from program import LAUNCHER, PROGRAM, SANITIZED, SOUND_WINDOWS, environment, of_type  # noqa: E402

LIBRARY = os.environ["STEELYARD_PLANTED"]
QUIET = ["--table", "none", "--progress", "none", "--confirm", "0"]
PROMISED_S = 60 if SANITIZED else 30  # from the error to a record of it
PATIENCE_S = 240
PROCESSES = int(os.environ.get("STEELYARD_TEST_PROCESSES", "2"))
CALLS = ["MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Sendrecv", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Sendrecv_replace",
         "MPI_File_open", "MPI_File_sync", "MPI_File_set_view"]
MORE_CALLS = ["MPI_Win_fence", "MPI_Ibcast"]  # where a run has few points
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
    "PTRANS": ["hpcc/PTRANS", "--hpcc-n", "1000", "--budget", "10s"],
    "FFT": ["hpcc/MPIFFT", "--hpcc-n", "1000", "--budget", "10s"],
    "RandomAccess": ["hpcc/MPIRandomAccess", "--hpcc-n", "1000", "--budget", "10s"],
    "rings": ["hpcc/LatencyBandwidth", "--budget", "10s"],
    "quick": ["--preset", "quick", "--budget", "12s", "--point-budget", "2ms", "--ci", "50%"],
}
# Of thousands of points, a resume that its budget ends has done what it is for when those that failed are measured.
LARGE = {"quick"}
ROW = "{:<15} {:<13} {:<21} {:<22} {:>9} {:>6}  {}"


class Wrong(Exception):
    """What a run with an error found."""


# What became of an error: words, after how many seconds it was on record, and the code of the resume.
Told = collections.namedtuple("Told", "outcome seconds resume")


class Run:
    """A result directory, its sessions, and what goes wrong in them."""

    def __init__(self, words, launched, large):
        self.words, self.launched, self.large = words, launched, large
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-alone-"))
        self.out = self.directory / "r"
        self.files = self.directory / "io"
        self.files.mkdir()
        self.once = self.directory / "once"
        self.stderr = ""
        self.recorded_s = None

    def session(self, *words, launched=False, **variables):
        """Runs to the end of all sessions that it starts; the code."""
        start = [LAUNCHER, "-n", str(PROCESSES), PROGRAM] if launched else [PROGRAM]
        if self.large:  # both processes fetch in one of its benchmarks
            variables = {**SOUND_WINDOWS, **variables}
        with open(self.directory / "stderr", "a+", encoding="utf-8") as told:
            run = subprocess.Popen([*start, "run", *map(str, words), "-o", str(self.out)], env=environment(**variables),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=told, start_new_session=True)
            try:
                self.follow(run)
            finally:
                told.seek(0)
                self.stderr = told.read()
        return run.returncode

    def follow(self, run):
        """Waits for the end; the error must be on record in time."""
        until = time.monotonic() + PATIENCE_S
        while run.poll() is None:
            time.sleep(0.1)
            if self.recorded_s is None and self.once.exists():
                self.look(run)
            if time.monotonic() > until:
                self.kill(run)
                raise Wrong(f"does not end in {PATIENCE_S} s")
        if self.recorded_s is None and self.once.exists():
            self.recorded_s = self.since_error_s()

    def since_error_s(self):
        return time.time() - self.once.stat().st_mtime

    def look(self, run):
        waiting_s = self.since_error_s()
        if any(r["type"] == "end" or r.get("status") == "failed" for r in self.records()):
            self.recorded_s = waiting_s
        elif waiting_s > PROMISED_S:
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

    def failed(self):
        return [p for p in self.latest().values() if p["status"] == "failed"]

    def library(self):
        """Name and version of the MPI library, as it says them."""
        name = of_type(self.records(), "run")[0]["mpi"]["library"].split(",")[0]
        return " ".join(name.replace("Version:", "").replace(" v", " ").split())

    def count(self):
        """How often each process makes every call, in one session without an error: {call: {rank: times}}. The library too."""
        file = self.directory / "counts"
        for _ in range(3):  # a busy machine may spend a budget before anything is measured
            shutil.rmtree(self.out, ignore_errors=True)
            file.unlink(missing_ok=True)
            code = self.start(STEELYARD_TEST_FAULT="count any -1 1", STEELYARD_TEST_COUNTS=str(file),
                              STEELYARD_TEST_FAULT_AFTER=str(self.out / "result.jsonl"))
            if code == 0 and self.reaches_all_suites():
                return self.read_counts(file), self.library()
            self.take_longer()
        raise Wrong(f"without an error the code is {code}: {self.stderr[-600:]}")

    def reaches_all_suites(self):
        planned = of_type(self.records(), "run")[0]["plan"]["suites"]
        return set(planned) == {p["suite"] for p in self.latest().values() if p["status"] in ("ok", "partial")}

    @staticmethod
    def read_counts(file):
        counts = {}
        for line in file.read_text().splitlines():
            call, times, rank = line.split()
            counts.setdefault(call, {})[int(rank)] = int(times)
        return counts

    def take_longer(self):
        """All later runs of these words too."""
        if "--budget" in self.words:
            seconds = self.words.index("--budget") + 1
            self.words[seconds] = f"{min(160, 4 * int(self.words[seconds].rstrip('s')))}s"

    def meet(self, call, rank, nth):
        """A session with the error, what follows from it, a resume. Nothing if the error was not met."""
        code = self.start(STEELYARD_TEST_FAULT=f"error {call} {rank} {nth}", STEELYARD_TEST_FAULT_ONCE=str(self.once),
                          STEELYARD_TEST_FAULT_AFTER=str(self.out / "result.jsonl"))
        if not self.once.exists():
            self.take_longer()
            return None
        if self.recorded_s > PROMISED_S:
            raise Wrong(f"on record after {self.recorded_s:.0f} s")
        if code == 4 and not self.records():
            return Told("ended before anything was measured", self.recorded_s, self.once_more())
        if code == 0 or code != 1 and not self.launched:  # launchers have codes of their own
            raise Wrong(f"code {code}: {self.stderr[-600:]}")
        what = self.check_record(rank)
        return Told(what, self.recorded_s, self.resume())

    def check_record(self, rank):
        """The error is told with its rank, and the session has an end."""
        failed = self.failed()
        named = [p["reason"] for p in failed if p["reason"].get("rank") == rank]
        ends = of_type(self.records(), "end")
        if not ends or ends[-1]["exit_code"] == 0:
            raise Wrong(f"the end is {ends}")
        if failed and not named:
            raise Wrong(f"the reasons are {[p['reason'] for p in failed]}")
        if not failed and f"rank {rank} " not in self.stderr and rank != 0:
            raise Wrong(f"nobody tells of rank {rank}: {self.stderr[-600:]}")
        how = "session ended" if "the session ends" in self.stderr else "met, went on"
        return f"{len(failed)} points failed, {how}" if failed else f"run ended, {how}"

    def once_more(self):
        """Nothing is there that could be resumed; the same words begin it."""
        code = self.session(*self.words, *QUIET, "--io-dir", self.files, "-n", PROCESSES)
        if code != 0:
            raise Wrong(f"it cannot be begun again: {self.stderr[-600:]}")
        return code

    def resume(self):
        for _ in range(4):  # a busy machine may spend a budget before what failed is measured again
            code = self.session("--resume", "--budget", "60s" if self.large else "200s")
            end = self.records()[-1]
            if code != 0 and not (self.large and end.get("cause") == "budget"):
                raise Wrong(f"the resume ends with {code}: {self.stderr[-600:]}")
            if end["type"] == "end" and (end["points"]["left"] == 0 or self.large and code == 0):
                break
        failed = [p["reason"] for p in self.failed()]
        if code != 0 or end["points"]["left"] != 0 and not self.large or failed:
            raise Wrong(f"after the resume: {code}, {end}, {failed[:3]}")
        left = [path.name for path in self.files.iterdir()]
        if left:
            raise Wrong(f"{left} stay in --io-dir")
        return code


class Table:
    """Rows as they are found, and how many of them are right and wrong."""

    def __init__(self, seed, launched):
        self.seed, self.launched = seed, launched
        self.words = {name: list(words) for name, words in RUNS.items()}
        self.met = self.bad = 0
        print(ROW.format("library", "benchmark", "call", "where", "told", "resume", "outcome"), flush=True)

    def attempt(self, name, act):
        """What the act answers of a run; words, with the directory that is kept, if it is wrong."""
        run = Run(self.words[name], self.launched, name in LARGE)
        try:
            answer = act(run)
        except Wrong as wrong:
            return f"WRONG: {wrong} (kept: {run.directory})"
        shutil.rmtree(run.directory, ignore_errors=True)
        return answer

    def benchmark(self, name, calls):
        found = self.attempt(name, Run.count)
        if isinstance(found, str):
            self.bad += 1
            print(ROW.format("", name, "", "", "", "", found), flush=True)
            return
        counts, library = found
        for call in calls:
            print(ROW.format(library, name, call, *self.cell(name, call, counts.get(call, {}))), flush=True)

    def cell(self, name, call, times):
        """Place, seconds, code and outcome of a call that the ranks make so often."""
        if not times:
            return "-", "-", "-", "not made here"
        chance = random.Random(f"{self.seed} {name} {call}")
        rank = chance.choice(sorted(times))
        drawn = chance.randint(1, max(1, times[rank] * 3 // 4))
        for nth in (drawn, max(1, drawn // 8), 1):  # there may be less time than where calls were counted
            told = self.attempt(name, lambda run, nth=nth: run.meet(call, rank, nth))
            if told is not None:
                break
        place = f"rank {rank}, {nth} of {times[rank]}"
        if isinstance(told, Told):
            self.met += 1
            return place, f"{told.seconds:.1f} s", told.resume, told.outcome
        if told is None and times[rank] == 1:
            return place, "-", "-", "not met: made about when the records begin, or not in every run"
        self.bad += 1
        return place, "-", "-", told or "WRONG: not met"


def main():
    seed, *words = sys.argv[1:]
    table = Table(seed, words[:1] == ["launcher"])
    for word in set(words) - {"launcher"} - set(RUNS) - {*CALLS, *MORE_CALLS}:
        sys.exit(f"alone.py: {word} is no benchmark and no call; known are {', '.join([*RUNS, *CALLS, *MORE_CALLS])}")
    for name in [one for one in RUNS if one in words] or RUNS:
        known = CALLS if name in LARGE else [*CALLS, *MORE_CALLS]
        table.benchmark(name, [call for call in known if call in words] or known)
    print(f"{table.met} errors met as promised, {table.bad} wrong")
    sys.exit(1 if table.bad or not table.met else 0)


if __name__ == "__main__":
    main()
