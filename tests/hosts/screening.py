# SPDX-License-Identifier: Apache-2.0
"""A screening of six hosts: one that is slowed and one link that is narrow are named, and nobody else."""

import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import cluster  # noqa: E402  (the folder of the command line's tests has to be known first)
from program import LAUNCHER, Case, main, records, steelyard  # noqa: E402
from weaknesses import Stopped  # noqa: E402

HOSTS = 6
SCREENINGS = int(os.environ.get("STEELYARD_TEST_SCREENINGS", "1"))  # how often the same is tried
# Hosts share two processors: each is measured while the others sleep. Every one takes all memory for its own.
NODES, LINKS = ["screen/triad", "screen/random_access"], ["screen/pairs"]
STEADY = "screen/dgemm"  # what others do on the machine reaches memory first


class Half(Stopped):
    """Half of the time of one host is taken away."""

    PERIOD_S, RUNNING = 0.02, 0.5


class Quarter(Stopped):
    """Three quarters of it are: six hosts that scatter have limits of more than half."""

    PERIOD_S, RUNNING = 0.02, 0.25


class Screened(Case):
    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(HOSTS)
        cls.addClassCleanup(cls.cluster.close)
        cls.hosts = cls.cluster.hosts

    def screened(self, *tests, name="r"):
        """The result directory and what was printed."""
        out = self.directory / name
        done = steelyard("run", *tests, "--alone", "--visits", "3", "--memory", "64Mi", "-n", HOSTS, "-o", out, "--progress", "none", "--launcher",
                         cluster.launcher_words(self.cluster, LAUNCHER, range(HOSTS), 1), cwd=self.directory)
        self.assert_code(done, 0)
        print(done.stdout[done.stdout.index("Screening:"):], flush=True)
        return out, done.stdout

    def judged(self, out, code, *words):
        told = steelyard("screen", out, "--format", "json", *words)
        self.assert_code(told, code)
        return json.loads(told.stdout)

    @staticmethod
    def slow(judged):
        """Hosts by themselves, and links."""
        named = [one for one in judged["findings"] if one["verdict"] == "slow"]
        return ({one["host"] for one in named if one["other"] is None},
                {(one["host"], one["other"]) for one in named if one["other"] is not None})


class SlowHost(Screened):
    def test_is_named_alone_too_and_nobody_else(self):
        half = Half(self.hosts[2])
        half.start()
        self.addCleanup(half.end)
        out, said = self.screened(*NODES)
        self.assertIn("state=drain", said)
        judged = self.judged(out, 3)
        hosts, links = self.slow(judged)
        self.assertEqual((hosts, links), ({"host2"}, set()))
        # on a busy machine one of the two tests may scatter too much to tell
        finding = next(one for one in judged["findings"] if one["verdict"] == "slow")
        self.assertEqual(finding["note"], "alone too")
        self.assertLess(finding["percent"], -25)
        self.assertEqual(steelyard("screen", out, "--format", "hostlist").stdout, "host2\n")
        codes = {record["code"] for record in records(out) if record["type"] == "event"}
        self.assertIn("slow_node", codes)


class SlowLink(Screened):
    def test_is_named_by_its_ends_and_no_host_is(self):
        ends = {1: self.hosts[3], 3: self.hosts[1]}
        for host in self.hosts:
            host.shape_towards("200mbit", "50mbit", [ends[host.number]] if host.number in ends else [])
        out, _ = self.screened(*LINKS)
        judged = self.judged(out, 3)
        hosts, links = self.slow(judged)
        self.assertEqual(hosts, set())
        self.assertEqual(links, {("host1", "host3")})
        link = next(one for one in judged["findings"] if one["quantity"] == "bandwidth")
        self.assertLess(link["percent"], -60)


class SlowHostAndLink(Screened):
    """Both at once, between other hosts every time."""

    def test_are_named_every_time_and_nobody_else_is(self):
        for host in self.hosts:
            host.shape_towards("200mbit", "50mbit", [])
        for number in range(SCREENINGS):
            slow, one, other = number % HOSTS, (number + 1) % HOSTS, (number + 2 + number % 4) % HOSTS
            if other in (slow, one):
                other = (one + 1) % HOSTS
            with self.subTest(number=number, slow=slow, link=(one, other)):
                self.screen_with(self.hosts[slow], self.hosts[one], self.hosts[other], f"r{number}")

    @staticmethod
    def slow_towards(host, others):
        cluster.quietly(*host.inside("tc", "qdisc", "del", "dev", "eth0", "root"))
        host.shape_towards("200mbit", "50mbit", others)

    def screen_with(self, slow, one, other, name):
        self.slow_towards(one, [other])
        self.slow_towards(other, [one])
        quarter = Quarter(slow)
        quarter.start()
        try:
            out, _ = self.screened(STEADY, *LINKS, "--preset", "quick", name=name)
        finally:
            quarter.end()
            self.slow_towards(one, [])
            self.slow_towards(other, [])
        hosts, links = self.slow(self.judged(out, 3))
        self.assertEqual(hosts, {f"host{slow.number}"})
        self.assertEqual(links, {tuple(sorted((f"host{one.number}", f"host{other.number}")))})


class NothingPlanted(Screened):
    def test_names_nobody(self):
        for host in self.hosts:  # what all have is no finding
            host.shape("200mbit")
        out, _ = self.screened(*NODES, *LINKS)
        self.assertEqual(self.slow(self.judged(out, 0)), (set(), set()))

    def test_names_nobody_however_often(self):
        for host in self.hosts:
            host.shape("200mbit")
        for number in range(SCREENINGS - 1):
            with self.subTest(number=number):
                out, _ = self.screened(STEADY, *LINKS, "--preset", "quick", name=f"r{number}")
                self.assertEqual(self.slow(self.judged(out, 0)), (set(), set()))


if __name__ == "__main__":
    cluster.enter()
    main()
