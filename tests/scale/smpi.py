# SPDX-License-Identifier: Apache-2.0
"""Runs the simulated program on a simulated machine and reads what it tells."""

import os
import pathlib
import shutil
import subprocess
import tempfile

# Collectives as good libraries do them; SMPI's own default asks every process in turn.
TREES = {"bcast": "binomial_tree", "reduce": "binomial", "allreduce": "rdb", "barrier": "ompi_bruck", "allgather": "bruck"}

# Nothing but the platform's own figures: no correction tables, no acknowledgements, no window of a protocol, no time of
# this machine.
PLAIN = ["--log=root.thres:error", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/bw-factor:0:1",
         "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0", "--cfg=contexts/stack-size:256",
         *(f"--cfg=smpi/{call}:{how}" for call, how in TREES.items())]


def overheads(send_s, receive_s):
    """What the processor of a message's sender and of its receiver spends, whatever its length."""
    return [f"--cfg=smpi/{name}:0:{seconds}:0" for name, seconds in
            (("os", send_s), ("ois", send_s), ("or", receive_s))]


class Failed(Exception):
    """The simulation ended with something else than an answer."""


class Machine:
    """A platform with the environment that it reads its figures from; hosts are numbered from 0."""

    def __init__(self, platform, hosts, figures, options=()):
        self.platform, self.hosts, self.options = platform, hosts, [*PLAIN, *options]
        self.environment = {**os.environ, **{name: str(value) for name, value in figures.items()}}

    def run(self, program, processes, *words, limit_s=600, hosts=None):
        """The lines "name value" of the program on this many processes, numbers where they are. hosts: that of each process."""
        with tempfile.TemporaryDirectory(prefix="steelyard-") as directory:
            names = pathlib.Path(directory) / "hosts"
            names.write_text("".join(f"n{number}\n" for number in hosts or range(processes)))
            done = subprocess.run(
                [shutil.which("smpirun") or "smpirun", "-no-privatize", "-np", str(processes), "-platform", self.platform,
                 "-hostfile", names, *self.options, program, *map(str, words)],
                env=self.environment, cwd=directory, capture_output=True, text=True, timeout=limit_s, check=False)
        told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
        if done.returncode != 0 or "error" in told or not told:
            raise Failed(f"code {done.returncode}: {done.stdout[-1500:]} {done.stderr[-1500:]}")
        return {name: number(value) for name, value in told.items()}


def number(text):
    """A number where the text is one."""
    try:
        return float(text)
    except ValueError:
        return text
