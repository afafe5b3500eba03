# SPDX-License-Identifier: Apache-2.0
"""The campaign that does it all: every suite within one budget, killed half-way and resumed."""

import json
import subprocess
import time

from program import PROGRAM, Case, environment, kill_tree, main, of_type, records, steelyard

SUITES = ["hpcc", "b-eff", "b-eff-io", "ftio", "imb-mpi1", "imb-ext", "imb-io"]
# A few benchmarks of every suite, a budget that chooses the smallest of everything, points that wait for nothing.
SMALL = ["hpcc/HPL", "hpcc/StarDGEMM", "hpcc/StarSTREAM", "hpcc/LatencyBandwidth", "b-eff", "b-eff-io", "ftio",
         "imb-mpi1/PingPong", "imb-ext/Unidir_Put", "imb-io/S_Write_Indv",
         "--preset", "quick", "--budget", "12s", "--point-budget", "2ms", "--ci", "50%", "-n", "2"]


class Campaign(Case):
    def start(self, *words):
        self.out = self.directory / "r"
        (self.directory / "io").mkdir(exist_ok=True)
        run = subprocess.Popen([PROGRAM, "run", *SMALL, "-o", str(self.out), "--io-dir", str(self.directory / "io"),
                                "--progress", "none", *words],
                               env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        return run

    def points(self):
        """Those of a file whose last line may be torn."""
        lines = (self.out / "result.jsonl").read_text().split("\n")[:-1]
        return of_type(map(json.loads, lines), "point")

    def kill_half_way(self, run):
        """When something was measured; on a busy machine the budget may be spent before."""
        file = self.out / "result.jsonl"
        while run.poll() is None and not (file.exists() and file.read_text().count('"status":"ok"') > 2):
            time.sleep(0.05)
        kill_tree(run)
        return {p["key"] for p in self.points() if p["status"] == "ok"}

    def resume(self):
        """The rest, with all the time that it takes on a busy machine."""
        done = steelyard("run", "--resume", "-o", self.out, "--budget", "60s", "--progress", "none", "--report")
        self.assert_code(done, 0)
        return done

    def test_sizes_of_an_earlier_run_make_points_that_compare(self):
        words = ["run", "hpcc/StarDGEMM", "-n", "2", "--budget", "4s", "--table", "none", "--progress", "none"]
        first, second = self.directory / "first", self.directory / "second"
        self.assert_code(steelyard(*words, "-o", first), 0)
        self.assert_code(steelyard(*words, "-o", second, "--sizes-of", first, XDG_CACHE_HOME=str(self.directory / "cache")), 0)
        keys = [[point["key"] for point in of_type(records(out), "point")] for out in (first, second)]
        self.assertEqual(keys[0], keys[1])
        survey = [of_type(records(out), "run")[0]["survey"]["rates"] for out in (first, second)]
        self.assertEqual(survey[0], survey[1])
        other = steelyard(*words, "-o", self.directory / "r", "--budget", "5s", "--sizes-of", first)
        self.assert_code(other, 2)
        self.assertIn("was planned with a budget of 4.00 s, this run with a budget of 5.00 s", other.stderr)
        self.assert_code(steelyard(*words, "-o", self.directory / "r", "--sizes-of", self.directory / "none"), 2)
        self.assertFalse((self.directory / "r").exists())

    def test_killed_half_way_it_is_resumed_and_ends_with_a_verdict(self):
        before = self.kill_half_way(self.start())
        done = self.resume()
        all_records = records(self.out)
        points = of_type(all_records, "point")
        self.assertEqual({p["suite"] for p in points}, set(SUITES))
        self.assertEqual(len({p["key"] for p in points}), all_records[0]["plan"]["points"])
        self.assertEqual({p["status"] for p in points} - {"ok", "partial", "skipped"}, set())
        again = {p["key"] for p in points if p["session"] == 2}
        self.assertEqual(self.whole({p["key"] for p in points}, before) & again, set())
        measured = {p["suite"] for p in points if p["status"] != "skipped"}  # the budget of a slow machine holds less
        self.assertLessEqual({suite.replace("-", "_") for suite in measured & {"hpcc", "b-eff", "b-eff-io", "ftio"}},
                             {s["name"] for s in of_type(all_records, "summary")})
        first, second = of_type(all_records, "run")
        self.assertEqual(first["plan"]["hash"], second["plan"]["hash"])
        self.assertEqual((all_records[-1]["type"], all_records[-1]["status"]), ("end", "complete"))
        self.told(done)

    def whole(self, planned, before):
        """Keys of what was finished before: what one experiment measures together is measured together again when it
        was cut between its records."""
        def experiment(key):
            suite = key.split("/")[0]
            if suite in ("b-eff", "b-eff-io", "ftio"):
                return suite
            return key.split(";")[0] if suite == "hpcc" else key
        cut = {experiment(key) for key in planned - before}
        return {key for key in before if experiment(key) not in cut}

    def told(self, done):
        """A plan first, figures and sentences at the end."""
        for suite in SUITES:
            self.assertRegex(done.stderr, rf"(?m)^  {suite} +\d+ +\d+ ")
        triad = any(p["benchmark"] == "StarSTREAM" and p["status"] == "ok" for p in self.points())
        for words in ("Figures of merit", "STREAM triad", "Ratios of ") if triad else ():
            self.assertIn(words, done.stdout)
        self.assertRegex(done.stdout, r"hold(s)? this machine back|No verdict|[Nn]othing stands out")
        # Last: how far to trust it, and what to do next.
        lines = done.stdout.splitlines()
        first_words = [line.split()[0] for line in lines[lines.index(f"report   {self.out}/report.html"):]]
        self.assertEqual(first_words, ["report", "trust", "next", "steelyard", "results"])
        self.assertGreater(done.stdout.index("report   "), done.stdout.index("Figures of merit"))
        self.assertTrue((self.out / "report.html").is_file())


if __name__ == "__main__":
    main()
