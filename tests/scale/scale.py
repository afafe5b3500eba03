# SPDX-License-Identifier: Apache-2.0
"""Simulated machines of 16 to 4096 processes: data, times that are known, messages and memory of the engine."""

import math
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import smpi  # noqa: E402
from program import main  # noqa: E402  (the folder of the command line's tests has to be known first)

PROGRAM = os.environ["STEELYARD_PROGRAM"]
CROSSBAR = os.environ["STEELYARD_TEST_CROSSBAR"]
SHAPES = os.environ["STEELYARD_TEST_SHAPES"]
LATENCY_S, BANDWIDTH, SEND_S, RECEIVE_S = 5e-6, 1e9, 2e-6, 3e-6


def crossbar(hosts, latency_s=LATENCY_S, **more):
    figures = {"STEELYARD_TEST_HOSTS": hosts, "STEELYARD_TEST_LATENCY_S": latency_s, "STEELYARD_TEST_BANDWIDTH": BANDWIDTH,
               **{f"STEELYARD_TEST_{name.upper()}": value for name, value in more.items()}}
    machine = smpi.Machine(CROSSBAR, hosts, figures, smpi.overheads(SEND_S, RECEIVE_S))
    if "slow_a" in more:  # the platform says the factor of a bandwidth itself
        machine.options = [option for option in machine.options if "bw-factor" not in option]
    return machine


def measured(processes, *words, latency_s=LATENCY_S):
    return crossbar(processes, latency_s).run(PROGRAM, processes, *words)


def step_s(size):
    """One step of a ring in which everybody sends and receives at the same time."""
    return SEND_S + RECEIVE_S + LATENCY_S + size / BANDWIDTH


def is_right(measured_s, known_s):
    return abs(measured_s - known_s) <= 0.01 * known_s


def grows_like_log(values):
    """Whether a count by number of processes grows no faster than the logarithm: at most 15 % more per doubling step
    than at the smallest number."""
    first = min(values)
    per_step = values[first] / math.log2(first)
    return all(value <= 1.15 * per_step * math.log2(processes) for processes, value in values.items())


def does_not_grow(values):
    """Whether a number of bytes stays within 2 % and 256 byte of that at the smallest number of processes."""
    first = values[min(values)]
    return all(value <= 1.02 * first + 256 for value in values.values())


class Simulated(unittest.TestCase):
    """What holds at every number of processes."""

    def assert_transfers(self, processes, *benchmarks, size=1024, operations=4):
        for benchmark in benchmarks:
            told = measured(processes, "imb", f"benchmark={benchmark}", f"size={size}", f"operations={operations}")
            self.assertEqual(told["status"], "ok", (benchmark, told))
            self.assertGreater(told["t_max_s"], 0, benchmark)
            self.assertEqual(told["defects"], -1 if benchmark == "Barrier" else 0, benchmark)

    def engine(self, numbers, *words):
        told = {processes: measured(processes, "engine", *words) for processes in numbers}
        for processes, one in told.items():
            self.assertEqual(one["status"], "ok", (processes, one))
        self.assertEqual(len({one["visits"] for one in told.values()}), 1, told)
        return told

    def assert_engine_scales(self, numbers, schedule):
        told = self.engine(numbers, f"schedule={schedule}")
        messages = {processes: one["messages"] for processes, one in told.items()}
        self.assertTrue(grows_like_log(messages), messages)
        for where in ("memory_root_byte", "memory_others_byte"):
            memory = {processes: one[where] for processes, one in told.items()}
            self.assertTrue(does_not_grow(memory), (where, memory))


    def screened(self, nodes, *words, **machine):
        """What a screening names: nodes, and links by bandwidth."""
        told = crossbar(nodes, **machine).run(PROGRAM, nodes, "screen", *words)
        self.assertEqual(told["triad_values"], nodes, told)
        return str(told["slow"]).strip(), str(told["links"]).strip(), told


class Few(Simulated):
    """16 to 256 processes."""

    def test_a_screening_of_all_pairs_names_what_is_planted_and_nothing_else(self):
        hosts, links, told = self.screened(64, "slow=5", slow_host=11, slow_a=7, slow_b=40)
        self.assertEqual((hosts, links), ("n[5,11]", "n7 - n40"), told)
        self.assertEqual(told["bandwidth_values"], 64 * 63 / 2, told)
        hosts, links, told = self.screened(64)
        self.assertEqual((hosts, links), ("", ""), told)

    def test_a_screening_of_a_sample_names_what_is_planted_and_nothing_else(self):
        hosts, links, told = self.screened(64, "pairs=sample", "slow=5", slow_host=11)
        self.assertEqual((hosts, links), ("n[5,11]", ""), told)
        self.assertIn("alone too", [told[name] for name in told if name.startswith("finding") and "n11" in told[name]][0], told)

    def test_b_eff_verifies_its_data_and_repeats_exactly(self):
        words = ("b-eff", "polygons=1", "loop_s=0.00001", "longest=16384")
        told = measured(16, *words)
        self.assertEqual((told["verified"], told["missing"]), (1, 0), told)
        self.assertGreater(told["b_eff_byte_s"], 0)
        self.assertLess(told["b_eff_byte_s"], 16 * 2 * BANDWIDTH)
        self.assertEqual(measured(16, *words), told)

    def test_a_step_of_a_ring_takes_as_long_as_the_machine_says(self):
        for size in (0, 1024, 1 << 20):
            told = measured(16, "imb", "benchmark=Sendrecv", f"size={size}", "operations=100")
            self.assertTrue(is_right(told["t_max_s"], step_s(size)), (size, told))
            self.assertEqual(told["defects"], 0, (size, told))

    def test_a_latency_that_is_five_hundredths_off_is_noticed(self):
        told = measured(16, "imb", "benchmark=Sendrecv", "size=0", "operations=100", latency_s=1.05 * LATENCY_S)
        self.assertFalse(is_right(told["t_max_s"], step_s(0)), told)

    def test_collectives_deliver_their_data(self):
        self.assert_transfers(16, "Bcast", "Allreduce", "Reduce", "Alltoall", "Allgather", "Barrier")
        self.assert_transfers(256, "Bcast", "Allreduce", "Barrier")

    def test_messages_of_the_engine_grow_like_the_logarithm_and_its_memory_does_not(self):
        self.assert_engine_scales((16, 64, 256), "fixed")
        self.assert_engine_scales((16, 64, 256), "adaptive")

    def test_an_engine_that_asks_every_process_would_be_noticed(self):
        told = self.engine((16, 64, 256), "schedule=fixed", "planted=gather")
        self.assertFalse(grows_like_log({processes: one["messages"] for processes, one in told.items()}))
        self.assertFalse(does_not_grow({processes: one["memory_root_byte"] for processes, one in told.items()}))


class Shapes(unittest.TestCase):
    """Networks whose links are shared. The time of a pattern is that of the link that most messages cross."""

    SIZE, HOSTS = 1 << 17, 64

    def times_on(self, shape, *words, hosts=None, bandwidth=BANDWIDTH):
        """How often the busiest link carries a message, by the time that was measured."""
        figures = {"STEELYARD_TEST_SHAPE": shape, "STEELYARD_TEST_BANDWIDTH": bandwidth}
        machine = smpi.Machine(SHAPES, self.HOSTS, figures, ["--cfg=smpi/alltoall:basic_linear"])
        told = machine.run(PROGRAM, len(hosts or range(self.HOSTS)), "imb", f"size={self.SIZE}", *words, hosts=hosts)
        self.assertEqual((told["status"], told["defects"]), ("ok", 0), told)
        return told["time_s"] / (self.SIZE / BANDWIDTH)

    def exchanged(self, shape, partner, **more):
        """Every host and its partner send to one another at the same time; a host that is its own partner stays away."""
        first = [host for host in range(self.HOSTS) if host < partner(host)]
        hosts = first + [partner(host) for host in first]
        return self.times_on(shape, "part=imb-p2p", "benchmark=PingPing", "operations=2", hosts=hosts, **more)

    def assert_crossings(self, measured, known):
        self.assertLess(abs(measured / known - 1), 0.02, (measured, known))

    def test_bisection(self):
        half_of_x = lambda host: host // 8 * 8 + (host + 4) % 8  # noqa: E731
        self.assert_crossings(self.exchanged("torus", half_of_x), 4)  # a ring of 8 in which all go half way round
        for shape, known in (("fat-tree", 2), ("dragonfly", 16)):  # 8 hosts by 4 spines; 16 by the link between two groups
            self.assert_crossings(self.exchanged(shape, lambda host: (host + 32) % 64), known)

    def test_worst_permutation(self):
        transposed = lambda host: host % 8 * 8 + host // 8  # noqa: E731
        self.assert_crossings(self.exchanged("torus", transposed), 4)  # a row turns at its node of the diagonal
        self.assert_crossings(self.exchanged("fat-tree", transposed), 7)  # all hosts of a leaf by one spine

    def test_alltoall(self):
        for shape, known in (("torus", 8 * (1 + 2 + 3 + 4)),  # distances along a ring of 8, to each of its 8 columns
                             ("fat-tree", 8 * 56 / 4),  # from a leaf to all others by 4 spines
                             ("dragonfly", 16 * 16)):  # between two groups
            self.assert_crossings(self.times_on(shape, "benchmark=Alltoall", "operations=1"), known)

    def test_links_that_are_five_hundredths_slower_are_noticed(self):
        self.assertGreater(self.exchanged("fat-tree", lambda host: (host + 32) % 64, bandwidth=BANDWIDTH / 1.05), 1.03 * 2)


class Thousands(Simulated):
    """Up to 4096 processes."""

    def test_engine(self):
        self.assert_engine_scales((16, 1024, 4096), "fixed")
        self.assert_engine_scales((16, 1024), "adaptive")

    def test_collectives(self):
        self.assert_transfers(1024, "Bcast", "Allreduce", "Barrier", "Reduce")
        self.assert_transfers(4096, "Bcast", "Allreduce", "Barrier", operations=2)

    def test_a_screening_of_all_pairs_of_1024_nodes(self):
        hosts, links, told = self.screened(1024, "visits=2", "pings=1", "exchange_byte=16384", "slow=500", slow_host=77, slow_a=3,
                                           slow_b=900)
        self.assertEqual((hosts, links), ("n[77,500]", "n3 - n900"), told)
        self.assertEqual(told["bandwidth_values"], 1024 * 1023 / 2, told)

    def test_b_eff(self):
        told = measured(256, "b-eff", "polygons=1", "loop_s=0.00001", "longest=16384", "method=Sndrcv")
        self.assertEqual((told["verified"], told["missing"]), (1, 0), told)


if __name__ == "__main__":
    main()
