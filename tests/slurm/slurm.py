# SPDX-License-Identifier: Apache-2.0
"""Campaigns as jobs of a real Slurm over four nodes, with the script that `steelyard docs slurm` writes."""

import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parent / "hosts")]

import batch_system  # noqa: E402  (the folders have to be known first)
import cluster  # noqa: E402
from program import LAUNCHER, PROGRAM, Case, environment, main, of_type, records, steelyard  # noqa: E402

NODES, EACH = 4, 2
SELECT = ["imb-mpi1/Barrier", "imb-mpi1/Allreduce", "imb-mpi1/Bcast", "imb-mpi1/Alltoall", "--np", str(NODES * EACH), "--sizes",
          "8,64", "--confirm", "0", "--progress", "none", "--budget", "20m", "--schedule"]
POINTS = 1 + 3 * 2


def over_tcp():
    """Variables that bring the libraries over the network of the hosts."""
    if "mpich" in LAUNCHER:
        return {"UCX_TLS": "tcp,sm,self", "LD_PRELOAD": os.environ["STEELYARD_MPICH_OVER_TCP"]}
    return {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,vader,self", "OMPI_MCA_btl_tcp_if_include": f"{cluster.NETWORK}.0/24",
            "OMPI_MCA_osc": "pt2pt,sm"}


class Jobs(Case):
    programs = pathlib.Path(PROGRAM).parent  # where the job finds `steelyard`

    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(NODES)
        cls.addClassCleanup(cls.cluster.close)
        cls.slurm = batch_system.Slurm(cls.cluster, cluster.NETWORK)

    def submit(self, schedule, **directives):
        """The documented script with another selection; directives are changed as its reader would, None takes one out."""
        text = steelyard("docs", "slurm").stdout
        text = text.replace("measure=(--preset standard)", "measure=(" + " ".join([*SELECT, schedule]) + ")")
        for name, value in directives.items():
            line = f"#SBATCH --{name}={value}" if value else ""
            text, changed = re.subn(rf"^#SBATCH --{name}=.*$", line, text, flags=re.MULTILINE)
            self.assertEqual(changed, 1, name)
        script = self.directory / "steelyard.sbatch"
        script.write_text(text)
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        self.number = self.slurm.submit(script, self.directory, environment(PATH=path, **over_tcp()))
        self.out = self.directory / "steelyard-results" / f"job-{self.number}"

    def log(self):
        file = self.directory / f"steelyard-{self.number}.log"
        text = file.read_text() if file.exists() else "no output"
        return "\n".join([text, str(self.slurm.job(self.number)), *self.slurm.last_lines()])

    def written(self, word, seconds=60):
        file = self.out / "result.jsonl"
        self.slurm.wait_for(lambda: file.exists() and word in file.read_text(), seconds, lambda: f"no {word}: " + self.log())

    def finished(self, sessions, seconds=90):
        """Every point once, in so many sessions (None: two at least), of a job that has ended well."""
        self.slurm.wait_for(self.ended, seconds, lambda: "the job does not end: " + self.log())
        job = self.slurm.job(self.number)
        self.assertEqual((job["JobState"], job["ExitCode"]), ("COMPLETED", "0:0"), self.log())
        all_records = records(self.out)
        self.assertEqual((all_records[-1]["type"], all_records[-1]["status"]), ("end", "complete"))
        points = [point["key"] for point in of_type(all_records, "point") if point["status"] == "ok"]
        self.assertEqual((len(points), len(set(points))), (POINTS, POINTS))
        runs = of_type(all_records, "run")
        self.assertEqual([run["session"] for run in runs], list(range(1, (sessions or max(2, len(runs))) + 1)))
        for run in runs:
            self.assert_job(run)

    def ended(self):
        """Has the job ended? Where it has gone back into the queue, it is started again."""
        if self.slurm.state(self.number) == "PENDING":
            self.slurm.start_at_once(self.number)
        return self.slurm.state(self.number) in ("COMPLETED", "FAILED", "TIMEOUT")

    def assert_job(self, run):
        job = run["job"]
        self.assertEqual((job["scheduler"], job["id"], job["nodes"], job["tasks"]), ("slurm", self.number, NODES, NODES * EACH))
        self.assertEqual((job["node_list"], job["partition"]), (f"host[0-{NODES - 1}]", "main"))
        self.assertEqual(job["restarts"], run["session"] - 1 or None)
        self.assertGreater(job["left_s"], 0)
        self.assertEqual((run["nodes"], run["layout"]["ranks"]), (NODES, [[node, EACH] for node in range(NODES)]))


class Campaign(Jobs):
    def test_job_that_is_signalled_puts_itself_into_the_queue_again_and_ends_complete(self):
        self.submit("time:400ms")
        self.written('"type":"point"')
        self.slurm.ask("scancel", "--signal=USR1", self.number)
        self.written('"cause":"signal"')
        self.finished(sessions=2)


class Limits(Jobs):
    """A limit is a minute at least: the run ends by the deadline that the job tells, or by the signal."""

    def test_time_limit_ends_the_run_in_order_and_it_goes_on_from_the_queue(self):
        self.submit("time:12s", time="2", signal=None)  # the signal may come a minute early
        self.written('"type":"end"', 150)
        end = of_type(records(self.out), "end")[0]
        self.assertEqual((end["cause"], end["exit_code"]), ("deadline", 5))
        self.finished(sessions=2, seconds=150)

    def test_signal_before_the_limit_ends_the_run_in_order(self):
        self.submit("time:15s", time="4", signal="USR1@170")
        self.written('"type":"end"', 150)
        self.assertEqual(of_type(records(self.out), "end")[0]["cause"], "signal")
        self.finished(sessions=None, seconds=300)  # the signal may come up to a minute early, and so again


class OneRank(Jobs):
    def test_error_of_one_process_under_srun_ends_the_job_and_it_goes_on_when_it_is_put_into_the_queue(self):
        self.programs = self.directory / "bin"
        self.programs.mkdir()
        planted = self.programs / "steelyard"
        planted.write_text(f"""#!/bin/sh
export LD_PRELOAD="{os.environ['STEELYARD_PLANTED']}${{LD_PRELOAD:+:$LD_PRELOAD}}"
export STEELYARD_TEST_FAULT="error MPI_Alltoall 5 70" STEELYARD_TEST_FAULT_ONCE="{self.directory}/once"
exec {PROGRAM} "$@"
""")
        planted.chmod(0o755)
        self.submit("fixed:50")
        self.written('"type":"end"', 120)
        waited_s = time.time() - (self.directory / "once").stat().st_mtime
        self.assertLess(waited_s, 60, "processes that wait")
        self.slurm.wait_for(lambda: self.slurm.state(self.number) == "FAILED", 60, lambda: "not ended: " + self.log())
        failed = [point for point in of_type(records(self.out), "point") if point["status"] == "failed"]
        self.assertEqual([(point["benchmark"], point["reason"]["rank"]) for point in failed], [("Alltoall", 5)])
        self.assertIn("continue with:", self.log())
        self.slurm.ask("scontrol", "requeue", self.number)
        self.finished(sessions=2, seconds=120)


class LostNode(Jobs):
    def test_lost_node_requeues_the_job_and_the_campaign_is_finished(self):
        self.submit("time:2s")
        self.written('"type":"point"')
        lost = self.cluster.hosts[3]
        lost.kill()
        self.slurm.wait_for(lambda: self.slurm.job(self.number)["JobState"] == "PENDING", 90, "not requeued: " + self.log())
        lost.start()
        self.slurm.start_host(lost)
        self.finished(sessions=2, seconds=120)


if __name__ == "__main__":
    reason = batch_system.missing()
    if reason:
        cluster.skip(reason)
    cluster.enter()
    main()
