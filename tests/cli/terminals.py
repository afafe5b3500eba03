# SPDX-License-Identifier: Apache-2.0
"""Behaviour on a terminal, through a pseudo-terminal: bar, width, colours, Ctrl-C."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

from program import LAUNCHER, PROGRAM, Case, environment, main, records

RUN = ["run", "imb-mpi1/PingPong", "imb-mpi1/Sendrecv", "--sizes", "0,8", "--schedule", "time:200ms"]


class Terminal(Case):
    texts = {}  # by the words of a run that several tests look at

    def text_of_run(self, *words):
        """What RUN of two processes, started by these words, writes on a terminal; it runs once for all tests."""
        if words not in self.texts:
            process, ours = self.start([*words, *RUN, *([] if LAUNCHER in words else ["-n", "2"]), "-o", str(self.directory / "shared")])
            text = self.read_all(process, ours)
            self.assertEqual(process.returncode, 0, text)
            self.texts[words] = text
        return self.texts[words]

    def start(self, words, columns=70, stderr=None, **variables):
        """Starts words on a terminal of its own, as its controlling one; answers the process and our end."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal (devpts) here: {error}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=stderr or theirs, preexec_fn=take_terminal,
                                   env=environment(COLUMNS=None, **variables))
        os.close(theirs)
        self.addCleanup(process.kill)
        return process, ours

    def read_all(self, process, ours, limit_s=60):
        text, end = b"", time.monotonic() + limit_s
        while time.monotonic() < end:
            ready, _, _ = select.select([ours], [], [], 0.2)
            if ready:
                try:
                    piece = os.read(ours, 65536)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
            elif process.poll() is not None:
                break
        process.wait(30)
        os.close(ours)
        return text.decode(errors="replace")

    def bars(self, text):
        return [piece for piece in text.replace("\n", "\r").split("\r") if "% [" in piece]

    def screen(self, text):
        """Lines as a terminal shows them when all was written: what is written after a return covers what was there."""
        lines = []
        for line in re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n"):
            shown, column = [], 0
            for letter in line:
                if letter == "\r":
                    column = 0
                    continue
                shown[column:column + 1] = [letter]
                column += 1
            lines.append("".join(shown).rstrip())
        return lines

    def test_no_row_is_glued_to_the_bar_and_no_sentence_is_torn(self):
        words = ["run", "hpcc/StarDGEMM", "hpcc/StarSTREAM", "hpcc/SingleFFT", "imb-mpi1/PingPong", "--sizes", "0,4Ki",
                 "--preset", "quick", "--memory", "256MiB", "--budget", "60s", "-n", "2"]
        for launcher in ([], [LAUNCHER, "-n", "2"]):
            out = self.directory / f"r{len(launcher)}"
            program = [*launcher, PROGRAM, *(words[:-2] if launcher else words)]
            process, ours = self.start([*program, "-o", str(out)], columns=120)
            text = self.read_all(process, ours, 120)
            self.assertEqual(process.returncode, 0, text)
            self.assertTrue(self.bars(text), text)
            lines = self.screen(text)
            for line in lines:
                self.assertNotIn("% [", line, text)
                self.assertLessEqual(len(line), 120, text)
                if "budget is spent" in line:
                    self.assertRegex(line, r"^ +steelyard run --resume .*    what is left: the budget is spent$")
            self.assertLess(len(lines), 60, text)
            starts = [next(i for i, line in enumerate(lines) if line.startswith(word)) for word in ("plan  ", "hpcc  ", "trust  ", "next  ", "results  ")]
            self.assertEqual(starts, sorted(starts), text)
            self.assertNotIn("Missing:", text)
            self.assertIn(f"'steelyard balance {out}' says more.", " ".join(lines), text)
            self.assertIn(f"next     steelyard balance {out}    ratios", text)

    def test_seed_front_end_shows_a_bar_on_a_terminal_and_nothing_elsewhere(self):
        words = [PROGRAM, "b-eff", "-n", "2", "-mem", "16", "-test", "-f", str(self.directory / "b")]
        process, ours = self.start(words)
        self.assertTrue(self.bars(self.read_all(process, ours)))
        done = subprocess.run([*words[:-1], str(self.directory / "c")], env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=100, check=False)
        self.assertNotIn("%", done.stderr)

    def test_bar_of_the_terminals_width_under_our_parent(self):
        text = self.text_of_run(PROGRAM)
        self.assertTrue(self.bars(text), text)

    def test_terminal_that_stops_writers_in_the_background_does_not_stop_a_run(self):
        process, ours = self.start(["sh", "-c", "stty tostop; exec \"$@\"", "sh", PROGRAM, *RUN, "-n", "2", "-o", str(self.directory / "r")])
        text = self.read_all(process, ours)
        self.assertEqual(process.returncode, 0, text)
        self.assertIn("results  ", text)

    def test_bar_is_found_through_the_launcher(self):
        text = self.text_of_run(LAUNCHER, "-n", "2", PROGRAM)
        self.assertTrue(self.bars(text), text)

    def test_no_bar_when_standard_error_is_a_file(self):
        with open(self.directory / "err", "wb") as err:
            process, ours = self.start([PROGRAM, *RUN, "-n", "2", "-o", str(self.directory / "r")], stderr=err)
            text = self.read_all(process, ours)
        self.assertEqual(process.returncode, 0, text)
        self.assertEqual(self.bars(text), [])
        self.assertNotIn("\r", (self.directory / "err").read_text())
        self.assertIn("imb-mpi1/PingPong", (self.directory / "err").read_text())

    def test_a_terminal_gets_a_row_per_benchmark_unless_told_otherwise(self):
        process, ours = self.start([PROGRAM, *RUN, "--table", "long", "-n", "2", "-o", str(self.directory / "r")])
        long = self.read_all(process, ours)
        self.assertEqual(process.returncode, 0, long)
        for text, is_long in ((self.text_of_run(PROGRAM), False), (long, True)):
            self.assertEqual("ops/batch" in text, is_long, text)
            self.assertEqual("best, or longest" in text, not is_long, text)

    def test_tables_are_short_on_the_terminal_of_the_launcher(self):
        text = self.text_of_run(LAUNCHER, "-n", "2", PROGRAM)
        self.assertIn("best, or longest", text)

    def test_no_colour_is_obeyed(self):
        process, ours = self.start([PROGRAM, *RUN, "-n", "2", "-o", str(self.directory / "r")], NO_COLOR="1")
        self.assertNotIn("\x1b[3", self.read_all(process, ours))

    def test_control_c_stops_in_order(self):
        out = self.directory / "r"
        process, ours = self.start([PROGRAM, *RUN[:-1], "time:2s", "-n", "2", "-o", str(out)])
        for _ in range(2400):
            if (out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0:
                break
            time.sleep(0.05)
        time.sleep(0.3)
        os.write(ours, b"\x03")
        text = self.read_all(process, ours)
        self.assertEqual(process.returncode, 5, text)
        self.assertEqual(records(out)[-1]["cause"], "signal")
        self.assertIn("continue with:", text)


if __name__ == "__main__":
    main()
