# SPDX-License-Identifier: Apache-2.0
"""A real Slurm on the hosts of a Cluster: one controller on this machine, one daemon on every host."""

import os
import pathlib
import re
import secrets
import shutil
import socket
import subprocess
import time

TOOLS = {"slurmctld": "slurmctld", "slurmd": "slurmd", "munged": "munge", "sbatch": "slurm-client"}
PATHS = ["/usr/sbin", "/sbin"]
SETTINGS = """ClusterName=sy
SlurmctldHost={machine}({network}.1)
SlurmctldPort=16817
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool/%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.%n.log
TmpFS={place}/tmp/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
KillWait=5
SlurmdTimeout=15
MailProg=/bin/true
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,batch_sched_delay=0
PartitionName=main Nodes=ALL Default=YES MaxTime=60 OverSubscribe=FORCE:4 State=UP
"""


def missing():
    """The first tool that is not here and its package; nothing if all are."""
    os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], *PATHS])
    for name, package in TOOLS.items():
        if not any((pathlib.Path(folder) / name).exists() for folder in os.environ["PATH"].split(os.pathsep)):
            return f"{name} is missing (package {package})"
    return None


class Slurm:
    def __init__(self, cluster, network):
        self.cluster, self.network = cluster, network
        self.place = cluster.place / "slurm"
        for name in ("state", "spool"):
            (self.place / name).mkdir(parents=True)
        os.environ["SLURM_CONF"] = str(self.place / "slurm.conf")
        self.write_settings()
        self.start_munge()
        self.daemon("slurmctld")
        for host in cluster.hosts:
            self.start_host(host)
        self.wait_for(lambda: self.states() == ["idle"] * len(cluster.hosts), 30, "the nodes did not come up")

    def write_settings(self):
        text = SETTINGS.format(machine=socket.gethostname().split(".")[0], network=self.network, user="root", place=self.place)
        for host in self.cluster.hosts:
            text += f"NodeName={host.name} NodeAddr={host.address} CPUs=2 RealMemory=1000\n"
        (self.place / "slurm.conf").write_text(text)

    def start_munge(self):
        key = self.place / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        self.daemon("munged", "--force", f"--key-file={key}", f"--socket={self.place}/munge.socket",
                    f"--pid-file={self.place}/munge.pid", f"--log-file={self.place}/munge.log", f"--seed-file={self.place}/seed")

    @staticmethod
    def daemon(*words):
        """Starts what goes into the background by itself; it ends with our process namespace."""
        subprocess.run(words, check=True, timeout=20, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def start_host(self, host):
        # a step that was lost with its node has left names behind on which the next one would stumble
        for folder in (self.place / "tmp" / host.name, self.place / "spool" / host.name):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.daemon(*host.inside("slurmd"))

    @staticmethod
    def wait_for(happened, seconds, otherwise):
        """otherwise: what to say, as text or as a function that finds it when it is needed."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if happened():
                return
            time.sleep(0.2)
        raise AssertionError(otherwise() if callable(otherwise) else otherwise)

    @staticmethod
    def ask(*words):
        return subprocess.run(words, capture_output=True, text=True, timeout=30, check=False).stdout

    def states(self):
        return self.ask("sinfo", "-h", "-N", "-o", "%t").split()

    def last_lines(self):
        """What the daemons said last."""
        return [line for file in sorted(self.place.glob("slurm*.log")) for line in file.read_text().splitlines()[-12:]]

    def submit(self, script, cwd, environment):
        done = subprocess.run(["sbatch", "--parsable", str(script)], cwd=cwd, env=environment, capture_output=True, text=True,
                              timeout=30, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout.strip()

    def job(self, number):
        """What the controller knows of a job."""
        return dict(re.findall(r"(\S+?)=(\S*)", self.ask("scontrol", "-o", "show", "job", number)))

    def start_at_once(self, number):
        """A requeued job waits two minutes otherwise. What is asked too early, while its end is still being told from
        host to host, is forgotten: ask until it runs."""
        self.wait_for(lambda: self.state(number) == "PENDING", 60, lambda: f"not requeued: {self.job(number)}")

        def runs():
            self.ask("scontrol", "update", f"jobid={number}", "starttime=now")
            time.sleep(3)  # what was just revoked is told from what is new by the second
            return self.state(number) != "PENDING"

        time.sleep(2)
        self.wait_for(runs, 60, lambda: f"not started: {self.job(number)}")

    def state(self, number):
        return self.job(number).get("JobState")
