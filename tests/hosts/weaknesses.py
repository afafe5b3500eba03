# SPDX-License-Identifier: Apache-2.0
"""Hosts with a planted weakness of network, link or host: the first sentence of the verdict names it."""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import cluster  # noqa: E402  (the folder of the command line's tests has to be known first)
from program import LAUNCHER, Case, main, steelyard  # noqa: E402

# Every host takes the memory of the whole machine for its own, and has a part of two processors: what would fill so much
# asks for few messages. What fits that part asks for more of them, and what is small for the shortest.
MEMORY, LITTLE_MEMORY = "256Mi", "16Mi"
TESTS = ["hpcc/StarDGEMM", "hpcc/StarSTREAM", "hpcc/LatencyBandwidth"]


class Weak(Case):
    """Of each host a process; arithmetic, memory and messages are measured."""

    def verdict(self, place, memory=MEMORY):
        """Its first sentence."""
        out = self.directory / "r"
        hosts = range(len(place.hosts))
        done = steelyard("run", *TESTS, "--budget", "3m", "-n", len(hosts), "-o", out, "--table", "none", "--progress", "none",
                         "--launcher", cluster.launcher_words(place, LAUNCHER, hosts, 1), cwd=self.directory)
        self.assert_code(done, 0)
        told = steelyard("balance", out, "--memory", memory, "--reference", "none", "--format", "json")
        self.assert_code(told, 0)
        sentence = json.loads(told.stdout)["systems"][0]["verdict"]["text"][0]
        print(sentence, flush=True)
        return sentence


class NarrowCables(Weak):
    def setUp(self):
        super().setUp()
        self.cluster = cluster.Cluster(2)
        self.addCleanup(self.cluster.close)

    def test_are_network_bandwidth(self):
        for host in self.cluster.hosts:
            host.shape("1gbit", "64kb")
        self.assertRegex(self.verdict(self.cluster), "^Network bandwidth holds this machine back")


class Distance(Weak):
    def test_is_network_latency(self):
        place = cluster.WiredCluster(2)
        self.addCleanup(place.close)
        place.wire([(host, 1.25e9) for host in range(2)], [(0, 1, 2000, 0)])
        self.assertRegex(self.verdict(place, LITTLE_MEMORY), "^Network latency holds this machine back: half the network latency")


class OneSlowLink(Weak):
    def setUp(self):
        super().setUp()
        self.cluster = cluster.Cluster(4)
        self.addCleanup(self.cluster.close)

    def test_one_at_a_tenth_is_named_by_its_ends(self):
        hosts = self.cluster.hosts
        ends = {1: hosts[3], 3: hosts[1]}
        for host in hosts:
            host.shape_towards("1gbit", "100mbit", [ends[host.number]] if host.number in ends else [])
        self.assertRegex(self.verdict(self.cluster), "^The link between (host1 and host3|host3 and host1) holds this machine back")


class Stopped(threading.Thread):
    """Processes of our program on one host run for an eighth of the time; hosts share two processors and differ by themselves."""

    PERIOD_S, RUNNING = 0.1, 0.125

    def __init__(self, host):
        super().__init__(daemon=True)
        self.space = os.readlink(f"/proc/{host.pid}/ns/pid")
        self.ended = threading.Event()

    def processes(self):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "ns/pid") == self.space and \
                        (entry / "comm").read_text() == "steelyard\n":
                    found.append(int(entry.name))
            except OSError:  # it has ended
                pass
        return found

    def send(self, processes, name):
        if processes:
            subprocess.run(["kill", f"-{name}", *map(str, processes)], check=False, capture_output=True)

    def run(self):
        while not self.ended.is_set():
            processes = self.processes()
            self.send(processes, "STOP")
            time.sleep(self.PERIOD_S * (1 - self.RUNNING))
            self.send(processes, "CONT")
            time.sleep(self.PERIOD_S * self.RUNNING)

    def end(self):
        self.ended.set()
        self.join()


class OneSlowHost(Weak):
    def test_one_that_is_slow_is_named(self):
        place = cluster.Cluster(4)
        self.addCleanup(place.close)
        stopped = Stopped(place.hosts[2])
        stopped.start()
        self.addCleanup(stopped.end)
        self.assertRegex(self.verdict(place), "^Host host2 holds this machine back: its processes reach ")


if __name__ == "__main__":
    cluster.enter()
    main()
