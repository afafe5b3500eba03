# SPDX-License-Identifier: Apache-2.0
"""Campaigns with b_eff: what is planned, measured, told and kept."""

import os
import subprocess
import time

from program import PROGRAM, Case, environment, main, of_type, records, steelyard

# A memory of 16 MiB makes L_max 128 KiB.
SMALL = ["b-eff", "--memory", "16Mi", "-n", "2"]


def loops(polygons):
    """Of 46 patterns 30 are random polygons; the ping-pong has one method of the three."""
    return (46 - 30 + polygons) * 21 * 3 - 2 * 21


class Experiment(Case):
    def short_run(self, **variables):
        """A run with the shortest schedule that its budget holds; its records and points. A busy machine may hold none in
        seconds, and needs more than its budget for what it began: that is resumed."""
        for budget in ("10s", "25s", "60s", "100s", "3m", "5m"):
            out = self.directory / budget
            done = steelyard("run", *SMALL, "--budget", budget, "-o", out, "--progress", "none", **variables)
            if len(of_type(records(out), "point")) > 1:
                break
        if any(point["status"] != "ok" for point in of_type(records(out), "point")):
            done = steelyard("run", "--resume", "-o", out, "--budget", "4m", "--progress", "none", **variables)
        found = records(out)
        return done, found, list({point["key"]: point for point in of_type(found, "point")}.values())

    def test_quick_campaign_measures_a_short_schedule_and_says_that_it_is_not_official(self):
        done, all_records, points = self.short_run()
        self.assert_code(done, 0)
        own = all_records[0]["config"]["b-eff"]
        self.assertEqual(len(points), loops(own["polygons"]))
        self.assertTrue(all(point["verified"] for point in points if point["status"] == "ok"))
        self.assertIn((own["mark"], own["repetitions"], own["polygons"], own["longest_byte"]),
                      [("SHORT", 2, 6, 131072), ("SHORT", 2, 2, 131072), ("TEST", 2, 2, 131072)])
        summary = of_type(all_records, "summary")[-1]
        self.assertEqual([r["type"] for r in all_records[-2:]], ["summary", "end"])
        self.assertEqual((summary["name"], summary["verified"], summary["official"]), ("b_eff", True, False))
        self.assertIn("2 repetitions instead of 3", summary["not_official_because"])
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 40)
        self.assertIn(f"{summary['values']['b_eff_byte_s'] / 1e6:.3f} MB/s", done.stdout)
        self.assertIn("all messages right", done.stdout)
        self.assertIn("no: 2 repetitions instead of 3", done.stdout)

    def test_plan_of_the_official_schedule_is_one_block_of_all_loops(self):
        done = steelyard("run", "b-eff", "--preset", "official", "--memory", "1Gi", "-n", "8", "--plan")
        self.assert_code(done, 0)
        self.assertIn(f"estimate: {49 * 21 * 3 - 2 * 21} points in about ", done.stdout)

    def test_wrong_bytes_are_shown_and_make_the_code_one_and_the_rest_is_kept(self):
        done, all_records, points = self.short_run(LD_PRELOAD=os.environ["STEELYARD_WRONG_DATA"])
        self.assert_code(done, 1)
        wrong = [p for p in points if p.get("verified") is False]
        self.assertTrue(wrong)
        self.assertEqual({p["params"]["message_byte"] for p in wrong}, {2048})
        self.assertEqual({p["params"]["method"] for p in wrong}, {"Alltoal"})
        summary = of_type(all_records, "summary")[-1]
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
