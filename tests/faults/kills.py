# SPDX-License-Identifier: Apache-2.0
"""Random kills, stops and resumes: nothing measured is lost or measured twice, and nothing is left behind.

    kills.py FIRST CYCLES [brief] [AT_ONCE]      from the environment of the tests; cycle N depends on its number alone
    brief: campaigns of a second, for a thousand cycles; AT_ONCE: so many beside one another
"""

import concurrent.futures
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

from program import PROGRAM, environment, of_type  # noqa: E402

# Longer than any budget and what then is in flight: where others take the processors, two processes that wait for one
# another in turn need a hundred times as long.
PATIENCE_S = 900
QUIET = ["--table", "none", "--progress", "none"]
# What is measured: selection and schedule, and about how long it takes on a quiet machine.
RUNS = [
    (["hpcc/HPL", "hpcc/StarDGEMM", "hpcc/StarSTREAM", "hpcc/LatencyBandwidth", "b-eff", "b-eff-io", "ftio", "imb-mpi1/PingPong",
      "imb-ext/Unidir_Put", "imb-io/S_Write_Indv", "--preset", "quick", "--budget", "4s", "--point-budget", "5ms", "--ci", "50%"], 7),
    (["--preset", "quick", "--budget", "6s", "--point-budget", "2ms", "--ci", "50%"], 12),
    (["imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "imb-mpi1/Barrier", "--sizes", "0,1..64Ki", "--schedule", "adaptive",
      "--point-budget", "100ms", "--budget", "60s"], 6),
    (["imb-mpi1/Allreduce", "imb-ext/Bidir_Get", "--sizes", "4..4Ki", "--schedule", "time:50ms"], 4),
    (["imb-io/P_Write_Expl", "imb-io/P_Read_Expl", "--sizes", "1,64,4Ki", "--schedule", "fixed:20"], 3),
    (["hpcc/PTRANS", "hpcc/StarFFT", "hpcc/MPIRandomAccess", "--budget", "4s"], 5),
    (["b-eff", "--memory", "16Mi", "--budget", "3s"], 4),
    (["b-eff-io", "--budget", "3s"], 5),
    (["ftio", "imb-mpi1/Barrier", "--budget", "3s"], 4),
    (["imb-mpi1/PingPing", "--sizes", "0,1..1Ki", "--schedule", "time:50ms", "--launches", "3"], 5),
]
TIMED = ["--schedule", "time:3ms"]
BRIEF = [
    (["imb-mpi1/PingPong", "imb-mpi1/Barrier", "imb-mpi1/Alltoall", "--sizes", "0,1,64,1Ki", *TIMED], 1.4),
    (["imb-mpi1/Sendrecv", "imb-mpi1/Bcast", "--sizes", "0,1,64,4Ki", "--schedule", "adaptive", "--point-budget", "5ms",
      "--budget", "60s"], 1.4),
    (["imb-mpi1/PingPing", "--sizes", "0,64", *TIMED, "--launches", "3"], 3),
    (["imb-ext/Bidir_Get", "imb-rma/Unidir_put", "imb-nbc/Ibcast", "--sizes", "4,256", *TIMED], 1.6),
    (["imb-p2p/PingPong", "imb-mt/PingPongMT", "imb-mpi4/Bcast_persist", "--sizes", "1,64", *TIMED], 1.4),
    (["imb-io/P_Write_Expl", "imb-io/S_IWrite_Indv", "--sizes", "1,4Ki", "--schedule", "fixed:4"], 1.6),
    (["hpcc/StarDGEMM", "hpcc/PTRANS", "hpcc/MPIRandomAccess", "imb-mpi1/Barrier", "--hpcc-n", "300", "--budget", "2500ms"], 2),
    (["b-eff", "imb-mpi1/Barrier", "--memory", "16Mi", "--budget", "2500ms"], 2),
    (["b-eff-io", "imb-mpi1/Barrier", "--budget", "2500ms"], 2),
    (["ftio", "imb-mpi1/Barrier", "--budget", "2500ms"], 2),
    (["hpcc/StarSTREAM", "ftio", "imb-mpi1/PingPong", "imb-ext/Unidir_Put", "imb-io/S_Write_Indv", "--preset", "quick",
      "--budget", "3s", "--point-budget", "2ms", "--ci", "50%"], 2.5),
]


class Wrong(Exception):
    """What a cycle found."""


def family(pid):
    """The process and all that descend from it, as long as their parents live."""
    pids = [pid]
    for one in pids:
        try:
            pids += map(int, pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:
            pass
    return pids


def processes_of(directory):
    """Processes that were told this directory, whoever is their parent."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(directory).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return [pid for pid in found if pid != os.getpid()]


def shared_memory():
    """What lies there by our name, but for directories of files: those of a cycle are in its own --io-dir, these belong to
    tests beside this one."""
    names = {path.name for path in pathlib.Path("/dev/shm").iterdir()} if os.path.isdir("/dev/shm") else set()
    return {name for name in names if "steelyard" in name and not name.startswith("steelyard-scratch-")}


class Cycle:
    def __init__(self, number, brief=False):
        self.random = random.Random(number)
        self.words, self.length_s = self.random.choice(BRIEF if brief else RUNS)
        self.most_disturbed = 2 if brief else 4
        self.resumed_in_vain = self.random.random() < (0.2 if brief else 1)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-kills-"))
        self.out = self.directory / "r"
        self.files = self.directory / "io"
        self.files.mkdir()
        self.story = [" ".join(self.words)]
        self.finished = {}  # (run, key) -> seq of the record that ended it

    # ---- what happens

    def start(self, *words):
        self.story.append(" ".join(map(str, words)) or "start")
        self.sent, self.before = None, len(self.records())
        what = ["--resume", *words] if self.records() else [*self.words, "--io-dir", str(self.files), "-n", "2"]
        return subprocess.Popen([PROGRAM, "run", *what, *QUIET, "-o", str(self.out)], env=environment(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, run):
        try:
            _, stderr = run.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            for pid in reversed(family(run.pid)):
                os.kill(pid, signal.SIGKILL)
            raise Wrong(f"{run.args} does not end") from late
        return run.returncode, stderr

    def wait_for_the_moment(self, run):
        """Some time, or some records and a little time: a busy machine too is disturbed in the midst of measuring."""
        if self.random.random() < 0.5:
            time.sleep(self.random.uniform(0.05, self.length_s))
            return
        records, rest_s = self.before + self.random.randint(1, 12), self.random.uniform(0, 0.1)
        until = time.monotonic() + PATIENCE_S
        while run.poll() is None and self.lines() < records and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(rest_s)

    def disturb(self, run):
        """Something happens at some moment of the session, or it ends before."""
        self.wait_for_the_moment(run)
        what = self.random.choice(["kill parent", "kill launcher", "kill rank", "kill all", "TERM", "INT", "USR1", "STOP", "TERM twice"])
        self.story.append(what)
        mine = family(run.pid)
        if run.poll() is not None:
            return
        if what == "kill parent":
            victims = mine[:1]
        elif what == "kill launcher":
            victims = mine[1:2]
        elif what == "kill rank":
            victims = [self.random.choice(mine[2:])] if len(mine) > 2 else []
        elif what == "kill all":
            victims = list(reversed(mine))
        else:
            victims = []
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if what == "STOP" and self.out.exists():
            (self.out / "STOP").touch()
        elif what in ("TERM", "INT", "USR1", "TERM twice"):
            self.sent = getattr(signal, "SIG" + what.split()[0])
            run.send_signal(self.sent)
            if what == "TERM twice":
                time.sleep(1)
                if run.poll() is None:
                    run.terminate()

    def gone(self):
        """All processes of the session end, also those whose parent was killed."""
        until = time.monotonic() + 60
        while processes_of(self.directory):
            if time.monotonic() > until:
                left = processes_of(self.directory)
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                raise Wrong(f"processes {left} stay")
            time.sleep(0.1)

    # ---- what must hold

    def lines(self):
        file = self.out / "result.jsonl"
        return file.read_bytes().count(b"\n") if file.exists() else 0

    def records(self):
        file = self.out / "result.jsonl"
        lines = file.read_text().split("\n") if file.exists() else [""]
        return [json.loads(line) for line in lines[:-1]] + ([json.loads(lines[-1])] if whole(lines[-1]) else [])

    def check_records(self):
        """What was finished stays; what belongs to one experiment may be measured again with the rest of it."""
        all_records = self.records()
        points = of_type(all_records, "point")
        latest = {(p["run"], p["key"]): p for p in points}
        for place, seq in self.finished.items():
            if place not in latest:
                raise Wrong(f"{place} is lost")
            if latest[place]["seq"] != seq and not of_one_experiment(latest[place]):
                raise Wrong(f"{place} is measured twice")
            if latest[place]["status"] != "ok" and not of_one_experiment(latest[place]):
                raise Wrong(f"{place} is {latest[place]['status']}")
        self.finished = {place: p["seq"] for place, p in latest.items() if p["status"] == "ok"}
        failed = {p["key"]: p["reason"]["text"] for p in latest.values() if p["status"] == "failed"}
        if failed:
            raise Wrong(f"failed: {failed}")
        return all_records

    def check_end(self, all_records):
        heads = of_type(all_records, "run")
        for run in {head["run"] for head in heads}:
            own = [r for r in all_records if r["run"] == run]
            plans = {head["plan"]["hash"] for head in of_type(own, "run")}
            if len(plans) != 1:
                raise Wrong("the plan changed")
            keys = {p["key"] for p in of_type(own, "point")}
            planned = of_type(own, "run")[0]["plan"]["points"]
            if len(keys) != planned:
                raise Wrong(f"{len(keys)} of {planned} points have a record")
            if own[-1]["type"] != "end" or own[-1]["status"] != "complete" or own[-1]["points"]["left"] != 0:
                raise Wrong(f"the end is {own[-1]}")
            numbers = [r["seq"] for r in own]
            if numbers != sorted(set(numbers)):
                raise Wrong("records are not numbered on")
        launches = {head.get("launch") for head in heads}
        if "--launches" in self.words and launches != {1, 2, 3}:
            raise Wrong(f"launches {launches}")

    def check_nothing_is_left(self):
        left = [path.name for path in self.files.iterdir()]
        if left:
            raise Wrong(f"{left} stay in --io-dir")
        beside = {path.name for path in self.out.iterdir()} - {"result.jsonl", "result.jsonl.torn", "scratch.list", "report.html"}
        if beside:
            raise Wrong(f"{beside} stay in the result directory")

    # ---- one after the other

    def run(self):
        run = self.start()
        for _ in range(self.random.randint(1, self.most_disturbed)):
            if self.random.random() < 0.8:
                self.disturb(run)
            code, stderr = self.end(run)
            self.gone()
            self.check_records()
            self.check_code(code, stderr)
            run = self.start(*self.another_way())
        code, stderr = self.end(run)
        self.gone()
        self.check_records()
        self.check_code(code, stderr)
        all_records = self.records()
        for seconds in (20, 250, 250):  # on a busy machine one budget may be too small
            if code == 0 and self.all_done(all_records) and not self.resumed_in_vain:
                break
            code, stderr = self.end(self.start("--budget", f"{seconds}s"))
            if code != 0 and not (code == 4 and self.nothing_fits()):
                raise Wrong(f"the last resume ends with {code}: {stderr[-600:]}")
            all_records = self.check_records()
            if self.all_done(all_records):
                break
        self.gone()
        self.check_end(all_records)
        self.check_nothing_is_left()

    def all_done(self, all_records):
        """Whether a resume would have nothing to do."""
        ends = {r["run"]: r for r in all_records if r["type"] == "end"}
        launches = 3 if "--launches" in self.words else 1
        return len(ends) == launches and all(end["status"] == "complete" for end in ends.values()) and all_records[-1]["type"] == "end"

    def another_way(self):
        """Words of a resume: nothing, another budget, a deadline."""
        way = self.random.choice(["", "budget", "budget", "deadline"])
        if way == "budget":
            return ["--budget", f"{self.random.choice([0.2, 1, 3, 20])}s"]
        return ["--deadline", f"+{self.random.choice([0.5, 2, 5])}s"] if way == "deadline" else []

    def check_code(self, code, stderr):
        """0 or 5, or what the surroundings or a kill make of it; never a refusal of a resume."""
        if "--force" in stderr or "internal error" in stderr:
            raise Wrong(stderr[-600:])
        if self.sent is not None and code == -self.sent and not self.within_session():
            return  # as any program, before it takes signals or when all is done
        if code not in (0, 1, 4, 5, -signal.SIGKILL):
            raise Wrong(f"code {code}: {stderr[-600:]}")

    def nothing_fits(self):
        """Whether the plan left out everything: the first budget, of seconds, on a machine that others use."""
        points = of_type(self.records(), "point")
        return len(points) > 0 and all(p["status"] == "skipped" and p["reason"]["code"] == "time" for p in points)

    def within_session(self):
        """Whether the records of this start lack their end."""
        new = self.records()[self.before:]
        return len(new) > 0 and new[-1]["type"] != "end"


def whole(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def of_one_experiment(point):
    return point["suite"] in ("hpcc", "b-eff", "b-eff-io", "ftio")


def attempt(number, brief):
    """What cycle of this number found, or nothing; prints its line."""
    cycle = Cycle(number, brief)
    start = time.monotonic()
    found = None
    try:
        cycle.run()
        shutil.rmtree(cycle.directory, ignore_errors=True)
    except Wrong as wrong:
        found = f"WRONG: {wrong} (kept: {cycle.directory})"
    print(f"cycle {number}: {found or 'ok'}  {time.monotonic() - start:.0f} s  [{' | '.join(cycle.story)}]", flush=True)
    return found


def main():
    first, cycles = int(sys.argv[1]), int(sys.argv[2])
    brief, at_once = "brief" in sys.argv[3:], int(next((word for word in sys.argv[3:] if word.isdigit()), "1"))
    before = shared_memory()
    with concurrent.futures.ThreadPoolExecutor(at_once) as several:
        found = list(several.map(lambda number: attempt(number, brief), range(first, first + cycles)))
    bad = sum(one is not None for one in found)
    left = shared_memory() - before
    print(f"{cycles} cycles, {bad} wrong; shared memory left: {sorted(left)}")
    sys.exit(1 if bad or left else 0)


if __name__ == "__main__":
    main()
