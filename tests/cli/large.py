# SPDX-License-Identifier: Apache-2.0
"""Messages, sections of windows and files of more bytes than an int counts, where the memory for them is free."""

import re
import shutil
import subprocess

from program import PROGRAM, Case, environment, main, of_type, records

MESSAGE_BYTE = 2560 << 20
NEEDED_BYTE = 6 * MESSAGE_BYTE  # two processes, send and receive buffer each, and what the library copies


def available_byte():
    with open("/proc/meminfo") as meminfo:
        return int(re.search(r"^MemAvailable: +(\d+) kB", meminfo.read(), re.MULTILINE).group(1)) * 1024


class Large(Case):
    def assert_whole(self, *names, points):
        if available_byte() < NEEDED_BYTE:
            self.skipTest(f"{NEEDED_BYTE >> 30} GiB of free memory are needed, there are {available_byte() >> 30}")
        out = self.directory / "r"
        (self.directory / "io").mkdir()
        done = subprocess.run([PROGRAM, "run", *names, "--np", "2", "--sizes", "2560Mi", "--schedule", "fixed:1", "--warm-up", "1",
                               "--verify", "sample", "--confirm", "0", "--budget", "20m", "-n", "2", "-o", str(out),
                               "--io-dir", str(self.directory / "io")],
                              env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False)
        self.assert_code(done, 0)
        measured = of_type(records(out), "point")
        self.assertEqual([(point["status"], point["verified"]) for point in measured], [("ok", True)] * points)
        for point in measured:
            self.assertIn(MESSAGE_BYTE, point["params"].values())  # as message_byte or chunk_byte


class Messages(Large):
    def test_messages_beyond_two_gibibyte_arrive_whole(self):
        self.assert_whole(*(f"imb-mpi1/{name}" for name in ("PingPong", "Sendrecv", "Bcast", "Allreduce")), points=4)


class SectionsAndFiles(Large):
    def test_sections_and_files_beyond_two_gibibyte_are_whole(self):
        if shutil.disk_usage(self.directory).free < 4 * MESSAGE_BYTE:
            self.skipTest(f"{4 * MESSAGE_BYTE >> 30} GiB of free disk are needed")
        # Both modes of a transfer, but the reader of a file has one.
        self.assert_whole("imb-ext/Unidir_Put", "imb-ext/Accumulate", "imb-io/S_Write_Indv", "imb-io/P_Read_Expl", points=7)


if __name__ == "__main__":
    main()
