# SPDX-License-Identifier: Apache-2.0
"""Messages of more bytes than an int counts, where the memory for them is free."""

import re
import subprocess

from program import PROGRAM, Case, environment, main, of_type, records

MESSAGE_BYTE = 2560 << 20
NEEDED_BYTE = 6 * MESSAGE_BYTE  # two processes, send and receive buffer each, and what the library copies


def available_byte():
    with open("/proc/meminfo") as meminfo:
        return int(re.search(r"^MemAvailable: +(\d+) kB", meminfo.read(), re.MULTILINE).group(1)) * 1024


class Large(Case):
    def test_messages_beyond_two_gibibyte_arrive_whole(self):
        if available_byte() < NEEDED_BYTE:
            self.skipTest(f"{NEEDED_BYTE >> 30} GiB of free memory are needed, there are {available_byte() >> 30}")
        out = self.directory / "r"
        names = [f"imb-mpi1/{name}" for name in ("PingPong", "Sendrecv", "Bcast", "Allreduce")]
        done = subprocess.run([PROGRAM, "run", *names, "--np", "2", "--sizes", "2560Mi", "--schedule", "fixed:1", "--warm-up", "1",
                               "--verify", "sample", "--confirm", "0", "--budget", "20m", "-n", "2", "-o", str(out)],
                              env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False)
        self.assert_code(done, 0)
        points = of_type(records(out), "point")
        self.assertEqual([(point["status"], point["verified"]) for point in points], [("ok", True)] * len(names))
        for point in points:
            self.assertEqual(point["params"]["message_byte"], MESSAGE_BYTE)


if __name__ == "__main__":
    main()
