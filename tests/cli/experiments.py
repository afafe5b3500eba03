# SPDX-License-Identifier: Apache-2.0
"""Campaigns with b_eff: what is planned, measured, told and kept."""

import os
import subprocess
import time

from program import PROGRAM, Case, environment, main, of_type, records, steelyard

# A memory of 16 MiB makes L_max 128 KiB: a second or two.
SMALL = ["b-eff", "--memory", "16Mi", "-n", "2", "--budget", "4m"]
LOOPS = (46 - 24) * 21 * 3 - 2 * 21  # 6 of the 30 polygons; the ping-pong has one method


class Experiment(Case):
    def test_quick_campaign_measures_a_short_schedule_and_says_that_it_is_not_official(self):
        out = self.directory / "r"
        done = steelyard("run", *SMALL, "-o", out, "--progress", "none")
        self.assert_code(done, 0)
        all_records = records(out)
        points = of_type(all_records, "point")
        self.assertEqual(len(points), LOOPS)
        self.assertTrue(all(point["verified"] for point in points if point["status"] == "ok"))
        own = all_records[0]["config"]["b-eff"]
        self.assertEqual((own["mark"], own["repetitions"], own["polygons"], own["longest_byte"]), ("SHORT", 2, 6, 131072))
        (summary,) = of_type(all_records, "summary")
        self.assertEqual([r["type"] for r in all_records[-2:]], ["summary", "end"])
        self.assertEqual((summary["name"], summary["verified"], summary["official"]), ("b_eff", True, False))
        self.assertIn("2 repetitions instead of 3", summary["not_official_because"])
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 25)
        self.assertIn(f"{summary['values']['b_eff_byte_s'] / 1e6:.3f} MB/s", done.stdout)
        self.assertIn("all messages right", done.stdout)
        self.assertIn("no: 2 repetitions instead of 3", done.stdout)

    def test_plan_of_the_official_schedule_is_one_block_of_all_loops(self):
        done = steelyard("run", "b-eff", "--preset", "official", "--memory", "1Gi", "-n", "8", "--plan")
        self.assert_code(done, 0)
        self.assertIn(f"estimate: {49 * 21 * 3 - 2 * 21} points in about ", done.stdout)

    def test_wrong_bytes_are_shown_and_make_the_code_one_and_the_rest_is_kept(self):
        out = self.directory / "r"
        done = steelyard("run", *SMALL, "-o", out, "--progress", "none", LD_PRELOAD=os.environ["STEELYARD_WRONG_DATA"])
        self.assert_code(done, 1)
        all_records = records(out)
        wrong = [p for p in of_type(all_records, "point") if p.get("verified") is False]
        self.assertTrue(wrong)
        self.assertEqual({p["params"]["message_byte"] for p in wrong}, {2048})
        self.assertEqual({p["params"]["method"] for p in wrong}, {"Alltoal"})
        (summary,) = of_type(all_records, "summary")
        self.assertIs(summary["verified"], False)
        self.assertIn("UNVERIFIED: rank ", done.stdout)
        self.assertIn("WRONG DATA", done.stdout)
        self.assertIn(f"{len(wrong)} unverified", done.stdout)

    def stopped_after(self, seconds):
        """Where records lie, and those of a run of more than a minute that is stopped in order."""
        out = self.directory / f"r{seconds}"
        run = subprocess.Popen([PROGRAM, "run", *SMALL, "-o", str(out), "--preset", "official", "--progress", "none"],
                               env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        for _ in range(1200):
            if (out / "result.jsonl").exists() and (out / "result.jsonl").stat().st_size > 0:
                break
            time.sleep(0.05)
        time.sleep(seconds)
        (out / "STOP").touch()
        stdout, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 5, stdout + stderr)
        self.assertIn(f"continue with:  steelyard run --resume -o {out} -n 2", stderr)
        return out, records(out)

    def test_stop_keeps_what_was_measured_and_tells_how_to_go_on(self):
        for seconds in (5, 40):  # on a busy machine the loops of the shortest length may not be through after the first
            out, all_records = self.stopped_after(seconds)
            points = of_type(all_records, "point")
            if points:
                break
        self.assertEqual(all_records[-1]["status"], "interrupted")
        self.assertEqual({p["status"] for p in points}, {"partial"})
        self.assertEqual(steelyard("run", "--resume", "-o", out, "--plan").returncode, 0)


class Obstacles(Case):
    def test_one_process_is_too_few(self):
        out = self.directory / "r"
        done = steelyard("run", "b-eff", "--no-launch", "-o", out)
        self.assert_code(done, 4)
        self.assertIn("b_eff needs at least 2 processes", done.stdout)
        (point,) = of_type(records(out), "point")
        self.assertEqual(point["reason"]["code"], "processes")

    def test_less_than_a_mebibyte_gives_no_lengths(self):
        done = steelyard("run", "b-eff", "--memory", "512Ki", "-n", "2", "-o", self.directory / "r")
        self.assert_code(done, 4)
        self.assertIn("at least 1 MiB per process", done.stdout)

    def test_more_memory_than_there_is_is_refused(self):
        done = steelyard("run", "b-eff", "--memory", "100T", "-n", "2", "-o", self.directory / "r")
        self.assert_refused(done, 2, "--memory: ")


if __name__ == "__main__":
    main()
