# SPDX-License-Identifier: Apache-2.0
"""Records that look like those of `steelyard run`, of any number of points: for programs that measure readers."""

import json
import pathlib
import random

BENCHMARKS = ["PingPong", "PingPing", "Sendrecv", "Exchange", "Allreduce", "Reduce", "Reduce_scatter", "Allgather", "Allgatherv",
              "Gather", "Gatherv", "Scatter", "Scatterv", "Alltoall", "Alltoallv", "Bcast"]


def point_templates(count):
    """(key, benchmark, text with places for run, seq, times): a point of every benchmark, size and number of processes."""
    points = []
    processes = 2
    while len(points) < count:
        for benchmark in BENCHMARKS if processes == 2 else BENCHMARKS[2:]:  # transfers between two need no more
            for exponent in range(24):
                if len(points) < count:
                    points.append((benchmark, 2**exponent, processes, 4e-7 * processes**0.5 + 2**exponent * 1e-10))
        processes += 1
    return points


def point_line(run, seq, point, factor, noise):
    benchmark, size, processes, base = point
    time_s = base * factor * (1 + 0.02 * noise)
    return (
        f'{{"format":"steelyard.result","format_version":1,"type":"point","run":"{run}","session":1,"seq":{seq},"at_s":{seq * 0.09:.3f},'
        f'"key":"imb-mpi1/{benchmark};message_byte={size};processes={processes};type=MPI_BYTE","suite":"imb-mpi1","benchmark":"{benchmark}",'
        f'"status":"ok","verified":true,"processes":{processes},"threads":1,"groups":1,"params":{{"message_byte":{size},"type":"MPI_BYTE"}},'
        f'"schedule":{{"rule":"adaptive","warmup_ops":16,"ops":5248,"batches":41,"ops_per_batch":128,"stop":"ci","elapsed_s":0.0331,'
        f'"overhead_s":0.0009,"tries":1,"visits":6}},"metrics":{{"time_s":{{"over_ranks":"max","n":41,"median":{time_s:.5g},"ci":[{time_s * 0.99:.5g},'
        f'{time_s * 1.01:.5g}],"ci_level":0.95,"min":{time_s * 0.96:.5g},"p25":{time_s * 0.98:.5g},"p75":{time_s * 1.02:.5g},"p99":'
        f'{time_s * 1.4:.5g},"max":{time_s * 1.7:.5g},"mean":{time_s * 1.03:.5g}}},"bandwidth_byte_s":{{"median":{size / time_s:.5g},"ci":'
        f'[{size / time_s * 0.99:.5g},{size / time_s * 1.01:.5g}],"ci_level":0.95}}}},"primary":"time_s","better":"lower","ranks":'
        f'{{"slowest_rank":1,"slowest_host":"node0"}},"classic":{{"repetitions":5248,"t_min_s":{time_s * 0.98:.5g},"t_max_s":{time_s * 1.03:.5g},'
        f'"t_avg_s":{time_s:.5g}}},"check":{{"errors":0,"worst":0.0,"limit":1.2e-05}}}}\n'
    )


def example_head(seed):
    """The run record of the examples, as if it were of another run: a pair of id and record."""
    source = pathlib.Path(__file__).resolve().parent.parent / "tests/record/data/examples.jsonl"
    head = json.loads(source.read_text().splitlines()[0])
    run = f"20240101T0000{seed:02}Z-{seed:08x}"
    head.update({"run": run, "started_utc": f"2024-01-01T00:00:{seed:02}Z"})
    return run, head


def write_result(file, points, seeds=(1,), factor=1.0):
    """A result file with a run of so many points for each seed: 2 % of spread, times `factor` as long."""
    dice = random.Random(seeds[0])
    noises = [dice.gauss(0, 1) for _ in range(65536)]
    with open(file, "w") as out:
        for seed in seeds:
            run, head = example_head(seed)
            out.write(json.dumps(head, separators=(",", ":")) + "\n")
            for seq, point in enumerate(point_templates(points)):
                out.write(point_line(run, seq + 1, point, factor, noises[(7 * seq + seed) % 65536]))
