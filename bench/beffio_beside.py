#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""b_eff_io's contiguous transfers of 1 MB beside a plain loop of system calls and beside fio, and its pattern types
under several MPI-IO implementations beside each other.

In each round every variant of the launcher runs b-eff-io once, in turning order. Right after each run both peers move
as many bytes in as many processes, each in a file of its own, in the same directory: writing a new file, writing it
again, reading it, 1 MB a call, writes with one fsync of every process inside the time (from the first start to the
last end, without opening and closing). Pattern 19 of b_eff_io is the same: type 2, a file per process, chunks of 1 MB,
MPI_File_sync in the time. Nothing is dropped from the page cache on either side.

Virtual machines may give free memory back to their host and get it again slowly. New pages of the page cache then cost
14 us each instead of 1 us as soon as more than about 1 GB of files is new, which hits the first writes of b_eff_io and
not those of the peers, whose files are small and deleted each time. --seconds is therefore short by default.

Printed: median, least and largest bandwidth over the rounds, and the median of the ratios within a round.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
ACCESSES = ("write", "rewrite", "read")
TYPES = ("scatter", "shared", "separated", "segmented", "seg_coll")
MEBI = 1 << 20
PATTERN = 19


def own_run(args, launcher, folder):
    """Points of one run of b-eff-io."""
    words = [*shlex.split(launcher), "-n", str(args.n), args.steelyard, "b-eff-io", "-MB", "64", "-N", str(args.n), "-T",
             str(args.seconds), "-p", str(folder), "-f", str(folder / "files"), "--overwrite", "--out", str(folder / "r")]
    done = subprocess.run(words, env=ENV, capture_output=True, text=True, timeout=args.limit)
    lines = (folder / "r" / "result.jsonl").read_text().strip("\n").split("\n") if done.returncode == 0 else []
    shutil.rmtree(folder / "r", ignore_errors=True)
    if done.returncode != 0:
        sys.exit(f"failed ({done.returncode}): {' '.join(words)}\n{done.stdout[-1000:]}{done.stderr}")
    records = [json.loads(line) for line in lines]
    return [record for record in records if record["type"] == "point"]


def of_pattern(points, access):
    point, = [p for p in points if p["params"]["access"] == access and p["classic"]["pattern_number"] == PATTERN]
    return point["classic"]


def type_rate(points, access, name):
    """Bytes over opening, patterns and closing, as b_eff_io counts them."""
    rows = [p["classic"] for p in points if p["params"]["access"] == access and p["classic"]["type"] == name]
    seconds = sum(row["time_s"] + row.get("open_s", 0) + row.get("close_s", 0) for row in rows)
    return sum(row["bytes_moved_byte"] for row in rows) / seconds


def worker(path, access, calls, barrier, answer):
    data = bytearray(os.urandom(MEBI))
    file = os.open(path, os.O_RDONLY if access == "read" else os.O_RDWR | os.O_CREAT, 0o600)
    barrier.wait()
    start = time.perf_counter()
    for call in range(calls):
        moved = os.preadv(file, [data], call * MEBI) if access == "read" else os.pwrite(file, data, call * MEBI)
        if moved != MEBI:
            raise OSError(f"{moved} byte moved")
    if access != "read":
        os.fsync(file)
    answer.put((start, time.perf_counter()))
    os.close(file)


def posix(args, folder, access, calls):
    """Byte per second of plain loops."""
    fork = multiprocessing.get_context("fork")
    barrier, answer = fork.Barrier(args.n), fork.Queue()
    processes = [fork.Process(target=worker, args=(folder / f"posix.{i}", access, calls, barrier, answer))
                 for i in range(args.n)]
    for process in processes:
        process.start()
    times = [answer.get(timeout=args.limit) for _ in processes]
    for process in processes:
        process.join()
    return args.n * calls * MEBI / (max(end for _, end in times) - min(start for start, _ in times))


def fio(args, folder, access, calls):
    direction = "read" if access == "read" else "write"
    words = ["fio", "--name=peer", f"--directory={folder}", "--filename_format=fio.$jobnum", f"--rw={direction}", "--bs=1m",
             f"--size={calls}m", f"--numjobs={args.n}", "--ioengine=psync", "--fallocate=none", "--invalidate=0",
             "--group_reporting", "--output-format=json"]
    words += [] if access == "read" else ["--end_fsync=1"]
    words += ["--overwrite=1"] if access == "rewrite" else []
    done = subprocess.run(words, capture_output=True, text=True, timeout=args.limit)
    if done.returncode != 0:
        sys.exit(f"fio failed: {done.stdout}{done.stderr}")
    job = json.loads(done.stdout[done.stdout.index("{"):])["jobs"][0][direction]
    return job["io_bytes"] / (job["runtime"] * 1e-3)


PEERS = {"posix": posix, "fio": fio}


def measure(args, folder):
    """Values by (variant, peer or type, access), one of each round."""
    values = {}
    for number in range(args.rounds):
        turn = number % len(args.variants)
        for name, launcher in args.variants[turn:] + args.variants[:turn]:
            points = own_run(args, launcher, folder)
            for access in ACCESSES:
                own = of_pattern(points, access)
                calls = own["bytes_moved_byte"] // (args.n * MEBI)
                values.setdefault((name, "ours", access), []).append(own["bytes_moved_byte"] / own["time_s"])
                for peer in args.peers:
                    values.setdefault((name, peer, access), []).append(PEERS[peer](args, folder, access, calls))
                for kind in TYPES:
                    values.setdefault((name, kind, access), []).append(type_rate(points, access, kind))
            for path in [*folder.glob("posix.*"), *folder.glob("fio.*")]:
                path.unlink()
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
    return values


def spread(rates):
    return f"{statistics.median(rates) / 1e6:10.0f} {min(rates) / 1e6:10.0f} {max(rates) / 1e6:10.0f}"


def ratio(ours, other):
    return statistics.median(a / b for a, b in zip(ours, other))


def report(args, values):
    columns = f"{'median':>10} {'least':>10} {'largest':>10}"
    print(f"\ncontiguous transfers of 1 MB, {args.n} processes, MB/s (10^6)")
    print(f"{'':18} |{'b_eff_io':^32} |" + "".join(f"{peer:^32} | ours / |" for peer in args.peers))
    print(f"{'':18} |{columns} |" + "".join(f"{columns} | {peer:6} |" for peer in args.peers))
    for name, _ in args.variants:
        for access in ACCESSES:
            ours = values[name, "ours", access]
            line = f"{name + ' ' + access:18} |{spread(ours)} |"
            for peer in args.peers:
                other = values[name, peer, access]
                line += f"{spread(other)} | {ratio(ours, other):6.3f} |"
            print(line)
    print(f"\npattern types with opening and closing, median MB/s, {args.n} processes")
    print(f"{'':20}" + "".join(f"{name:>12}" for name, _ in args.variants) + "   ratio to the first")
    for access in ACCESSES:
        for kind in TYPES:
            lists = [values[name, kind, access] for name, _ in args.variants]
            print(f"{access:8} {kind:11}" + "".join(f"{statistics.median(one) / 1e6:12.0f}" for one in lists) + "   " +
                  " ".join(f"{ratio(one, lists[0]):.3f}" for one in lists[1:]))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steelyard", required=True, type=os.path.abspath, help="this project's program")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=LAUNCHER",
                        help="launcher and its own words, several times; -n N follows (mpi=mpiexec)")
    parser.add_argument("--peers", default="posix,fio", help="which of posix, fio")
    parser.add_argument("-n", type=int, default=2, help="processes")
    parser.add_argument("--seconds", type=float, default=2, help="T of b_eff_io")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", default=".", help="on the file system that is measured")
    parser.add_argument("--limit", type=float, default=300, help="seconds that one run may take")
    args = parser.parse_args()
    args.variants = [tuple(one.split("=", 1)) for one in args.variant or ["mpi=mpiexec"]]
    args.peers = [peer for peer in args.peers.split(",") if peer != "fio" or shutil.which("fio")]
    return args


def main():
    args = arguments()
    with tempfile.TemporaryDirectory(dir=args.directory) as folder:
        report(args, measure(args, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
