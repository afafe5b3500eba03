# SPDX-License-Identifier: Apache-2.0
"""Acceptance, history and what monitoring systems read: words, exit codes, files; no processes."""

import base64
import csv
import gzip
import json
import os
import re
import shutil
import stat
import subprocess
import unittest
import xml.etree.ElementTree as xml

import junit
from program import PROGRAM, SOURCE, Case, environment, main, steelyard

EXAMPLES = (SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines()
CRITERION = '[[criterion]]\nid = "ALL"\nselect = "imb-mpi1/Allreduce"\nat_most = "%s"\nrule = "value"\n'


IMB = """#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
# Date                  : Thu Mar  3 10:15:00 2022
# MPI_Datatype for reductions    :   MPI_FLOAT
# Benchmarking Allreduce
# #processes = 2
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         4096         1000         9.50        10.00         9.75

# All processes entering MPI_Finalize
"""


def null_device(file):
    """A device of its own for who may replace those of the system; for others a link, which they cannot follow to replace it."""
    try:
        os.mknod(file, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        file.write_text("")
    except PermissionError:
        if os.geteuid() == 0:
            raise unittest.SkipTest("no device can be made here") from None
        file.symlink_to("/dev/null")
    return file


def data_of(page):
    """What the page's script reads."""
    found = re.search(r'<script[^>]*id="data"[^>]*data-encoding="([^"]*)"[^>]*>(.*?)</script>', page.read_text(), re.S)
    if not found:
        raise unittest.SkipTest("this build has no script for the page, which then has no data")
    text = found.group(2)
    return json.loads(text if found.group(1) == "json" else gzip.decompress(base64.b64decode(text)))


def write_run(directory, run="r1", factor=1.0, started="2026-11-20T08:30:00Z", name="bench-vm", mpi=None):
    """A result directory with one run and one point whose time is `factor` times that of the example (6.2311 us)."""
    head, point = json.loads(EXAMPLES[0]), json.loads(EXAMPLES[1])
    head.update({"run": run, "started_utc": started, "name": name})
    if mpi:
        head["mpi"]["library"] = mpi
    point["run"] = run
    time = point["metrics"]["time_s"]
    time["median"] *= factor
    time["ci"] = [end * factor for end in time["ci"]]
    directory.mkdir(parents=True)
    (directory / "result.jsonl").write_text(json.dumps(head) + "\n" + json.dumps(point) + "\n")
    return directory


class Accept(Case):
    def setUp(self):
        super().setUp()
        self.result = write_run(self.directory / "result")

    def criteria(self, text):
        file = self.directory / "criteria.toml"
        file.write_text("format = 1\n" + text)
        return file

    def test_exit_codes(self):
        good, bad = CRITERION % "7 us", CRITERION % "5 us"
        self.assert_code(steelyard("accept", self.criteria(good), self.result), 0)
        self.assert_code(steelyard("accept", self.criteria(bad), self.result), 3)
        self.assert_code(steelyard("accept", self.criteria(bad), self.result, "--fail-on", "none"), 0)
        self.assert_code(steelyard("accept", self.criteria("[require]\nnodes = 9\n" + good), self.result, "--fail-on", "none"), 3)
        self.assert_code(steelyard("accept", self.criteria(good), self.result, self.directory / "gone"), 1)
        self.assert_refused(steelyard("accept", self.criteria(good), self.directory / "gone"), 2, "gone")

    def test_a_sheet_that_cannot_be_written_is_four_whatever_it_says(self):
        for limit in ("7 us", "5 us"):  # met, and not
            words = ["accept", str(self.criteria(CRITERION % limit)), str(self.result)]
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([PROGRAM, *words], env=environment(), stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, steelyard(*words, "-o", "/dev/full").returncode), (4, 4), limit)
            self.assertIn("error: standard output: No space left on device", done.stderr)

    def test_a_limit_of_what_was_not_measured_tells_its_side(self):
        file = self.criteria('[[criterion]]\nid = "A"\nselect = "imb-mpi1/Bcast"\nat_most = "7 us"\n'
                             '[[criterion]]\nid = "B"\nselect = "imb-mpi1/Bcast"\nwithin = "5% of committed"\n')
        told = steelyard("accept", file, self.result).stdout
        self.assertRegex(told, r"A +missing .* at most 7 us ")
        self.assertRegex(told, r"B +missing .*  within 5% of committed  ")

    def test_a_report_takes_references_of_its_criteria(self):
        words = ["report", self.result, "--accept", self.criteria(CRITERION % "150% of reference:old"), "--format", "text", "-o", "-"]
        done = steelyard(*words, "--accept-reference", f"old={self.result}")
        self.assert_code(done, 0)
        self.assertIn("Accepted: 1 passed", done.stdout)
        self.assert_refused(steelyard(*words), 2, "nothing was given as reference 'old' (--accept-reference old=RESULT)")
        self.assert_refused(steelyard("report", self.result, "--accept-reference", "old=x"), 2, "--accept-reference: belongs to --accept")

    def test_bad_words_are_refused_with_their_place(self):
        words = self.criteria('[[criterion]]\nid = "A"\nfigure = "hpll"\nat_least = "1 Gflop/s"\n')
        self.assert_refused(steelyard("accept", words, self.result), 2, "criteria.toml:4:", "did you mean hpl?")
        self.assert_refused(steelyard("accept", self.criteria(CRITERION % "7 GB/s"), self.result), 2, "ALL", "byte/s")
        self.assert_refused(steelyard("accept", self.criteria(CRITERION % "7 us"), self.result, "--fail-on", "fial"), 2, "'fial' is not one of", "did you mean fail?")
        self.assert_refused(steelyard("accept", self.criteria(CRITERION % "7 us"), self.result, "--fail-on", ""), 2, "--fail-on: names nothing")
        self.assert_refused(steelyard("accept", self.directory / "none.toml", self.result), 2, "none.toml")
        self.assert_refused(steelyard("accept"), 2, "CRITERIA is missing")

    def test_a_run_that_is_given_again_is_no_other_launch(self):
        copy = shutil.copytree(self.result, self.directory / "copy")
        file = self.criteria("min_launches = 3\n" + CRITERION % "7 us")
        self.assert_refused(steelyard("accept", file, self.result, copy, self.result), 2, "r1 is given twice")
        reference = self.criteria('[[criterion]]\nid = "A"\nselect = "imb-mpi1/Allreduce"\nat_most = "110% of reference:x"\n')
        self.assert_refused(steelyard("accept", reference, self.result, "--reference", f"x={copy},{copy}"), 2, "given twice")
        text = self.directory / "imb.txt"
        text.write_text(IMB)
        kept = self.directory / "kept"
        self.assert_code(steelyard("import", text, "-o", kept), 0)
        self.assert_refused(steelyard("accept", file, text, kept), 2, "given twice")

    def test_forms_agree(self):
        file = self.criteria(CRITERION % "7 us")
        told = json.loads(steelyard("accept", file, self.result, "--format", "json").stdout)
        one = told["criteria"][0]
        self.assertEqual((told["verdict"], one["verdict"], one["launches"]), ("accepted", "pass", 1))
        self.assertAlmostEqual(one["margin"], 7 / 6.2311 - 1, places=6)
        self.assertEqual(len(told["inputs"][0]["sha256"]), 64)
        row = next(csv.DictReader(steelyard("accept", file, self.result, "--format", "csv").stdout.splitlines()))
        self.assertEqual((row["limit_is"], one["limit_is"]), ("at most", "at most"))
        suites = xml.fromstring(steelyard("accept", file, self.result, "--format", "junit").stdout)
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("1", "0"))
        self.assertIn("6.231 us", suites.find("testsuite/testcase/properties/..").get("name") + steelyard("accept", file, self.result).stdout)
        self.assertIn("Acceptance", steelyard("report", self.result, "--accept", file, "--format", "text").stdout)

    def test_confidence_is_told_as_it_was_said_up_to_the_limit(self):
        file = self.criteria(CRITERION % "7 us")
        for word, told in (("99.5%", "99.5 %"), ("99.9%", "99.9 %"), ("0.999", "99.9 %"), ("95%", "95 %")):
            said = " ".join(steelyard("accept", file, self.result, "--confidence", word).stdout.split())
            self.assertIn(f"intervals at {told} confidence", said)
        self.assert_refused(steelyard("accept", file, self.result, "--confidence", "99.95%"), 2, "from 50% to 99.9%")

    def test_references_and_systems_that_mean_nothing_are_refused(self):
        limit = '[[criterion]]\nid = "A"\nselect = "imb-mpi1/Allreduce"\nat_most = "110%% of %s"\n'
        other = write_run(self.directory / "other", run="r2")
        file = self.criteria(limit % "reference:first")
        self.assert_refused(steelyard("accept", file, self.result, "--reference", f"frist={other}"), 2, "criteria.toml:2", "did you mean frist?")
        self.assert_refused(steelyard("accept", file, self.result, "--reference", f"first={other}", "--reference", f"frist={other}"), 2,
                            "--reference frist=", "did you mean first?")
        self.assert_refused(steelyard("accept", self.criteria(limit.replace("Allreduce", "Bcast") % "system:nosuch"), self.result), 2,
                            "criteria.toml:2", "'nosuch' is no published system")

    def test_what_counts_is_a_failure_of_junit(self):
        file = self.criteria((CRITERION % "6.3 us").replace('rule = "value"\n', ""))
        words = ["accept", file, self.result, "--format", "junit"]
        done = steelyard(*words)
        self.assert_code(done, 3)
        self.assertEqual([xml.fromstring(done.stdout).get(name) for name in ("failures", "skipped")], ["1", "0"])
        done = steelyard(*words, "--fail-on", "fail")
        self.assert_code(done, 0)
        self.assertEqual([xml.fromstring(done.stdout).get(name) for name in ("failures", "skipped")], ["0", "1"])

    def test_the_head_and_the_labels_tell_machine_nodes_and_library(self):
        head = json.loads(EXAMPLES[0])
        file = self.criteria(CRITERION % "7 us")
        library = head["mpi"]["library"].split(",")[0]
        nodes = head["nodes"]
        said = " ".join(steelyard("accept", file, self.result).stdout.split())
        self.assertIn(f"1 launch, bench-vm, {nodes} node{'s' if nodes != 1 else ''}, {library}; intervals", said)
        sample = steelyard("accept", file, self.result, "--format", "prometheus").stdout
        self.assertIn(f'steelyard_verdict{{name="bench-vm",nodes="{nodes}",processes="{head["processes"]}",judge="accept"', sample)

    def test_a_reference_of_another_machine_is_told(self):
        other = write_run(self.directory / "other", run="r2", name="hare")
        file = self.criteria('[[criterion]]\nid = "A"\nselect = "imb-mpi1/Allreduce"\nat_most = "110% of reference:first"\n')
        done = steelyard("accept", file, self.result, "--reference", f"first={other}")
        self.assertIn("reference first is of another machine: hare", done.stdout)

    def test_a_proposal_is_met_by_its_reference(self):
        file = self.directory / "proposed.toml"
        self.assert_code(steelyard("accept", "--propose", self.result, "--select", "imb-mpi1/Allreduce", "-o", file), 0)
        self.assertIn("# reference 6.231 us, 1 launch", file.read_text())
        self.assert_code(steelyard("accept", file, self.result, "--fail-on", "fail"), 0)
        self.assertIn("steelyard run -n 2 imb-mpi1/Allreduce", steelyard("accept", "--plan", file).stdout)

    def test_a_proposal_of_points_that_were_not_measured_is_refused(self):
        refused = steelyard("accept", "--propose", self.result, "--select", "imb-mpi1/Allreduce", "--select", "imb-mpi1/Bcast")
        self.assert_refused(refused, 2, "--select imb-mpi1/Bcast: the reference has no value of such a point")

    def test_sections_are_shown_where_there_are_any(self):
        file = self.directory / "criteria.toml"
        for section, shown in (("", False), ('section = "4.2 Network"\n', True)):
            file.write_text("format = 1\n" + CRITERION % "1 s" + section)
            for form in ("text", "markdown", "html"):
                told = steelyard("accept", file, self.result, "--format", form).stdout
                self.assertEqual("4.2 Network" in told, shown, form)
                self.assertEqual(re.search(r"(?<![</\w])section(?![\w-])", told.split("<body", 1)[-1]) is not None, shown, (form, told))
            self.assertIn("section", steelyard("accept", file, self.result, "--format", "csv").stdout.splitlines()[0])

    def test_a_plan_can_be_copied_into_a_shell(self):
        file = self.directory / "criteria.toml"
        file.write_text('format = 1\n[[criterion]]\nid = "A"\nselect = "imb-mpi1/*;message_byte=8"\nat_most = "1 s"\nevery = "point"\n'
                        'official = true\n[[criterion]]\nid = "B"\nfigure = "b_eff.b_eff_byte_s"\nat_least = "1 kB/s"\n')
        plan = steelyard("accept", "--plan", file).stdout
        self.assertIn("measured by: steelyard run --preset official b-eff 'imb-mpi1/*'\n", plan)

    def test_a_plan_has_the_processes_that_are_asked_for(self):
        point = '[[criterion]]\nid = "%s"\nselect = "imb-mpi1/%s"\nat_most = "1 s"\n%s'
        first, second = point % ("A", "Bcast;message_byte=8;processes=4", ""), point % ("B", "Reduce", 'where = "processes=2 nodes=1"\n')
        for words, runs in (("", ["steelyard run -n 2 imb-mpi1/Reduce", "steelyard run -n 4 imb-mpi1/Bcast"]),
                            ("[require]\nprocesses = 16\nmachine = \"lion*\"\n",
                             ["steelyard run -n 2 imb-mpi1/Reduce", "steelyard run -n 16 imb-mpi1/Bcast"]),
                            ("[require]\nprocesses = \"1*\"\n", ["steelyard run imb-mpi1/Bcast", "steelyard run -n 2 imb-mpi1/Reduce"])):
            plan = steelyard("accept", "--plan", self.criteria(words + first + second)).stdout
            self.assertEqual(re.findall("measured by: (.*)", plan), runs)
            self.assertEqual("of runs with: processes=16 machine=lion*" in plan or "of runs with: machine=lion* processes=16" in plan,
                             "lion" in words, plan)

    def test_examples_are_understood(self):
        for name in ("delivery", "operation", "this-machine"):
            self.assert_code(steelyard("accept", "--plan", SOURCE / f"examples/{name}.toml"), 0)


class Junit(Case):
    """What accept, compare and history write, by the rules of the servers that read it."""

    SOUND = (
        '<testsuites tests="1" failures="1" errors="0"><testsuite name="s" tests="1" failures="1" errors="0" skipped="0" time="0.000">'
        '<testcase classname="c" name="n" time="0.000"><properties><property name="p" value="1"/></properties>'
        '<failure message="m" type="t"/></testcase></testsuite></testsuites>'
    )

    def assert_sound(self, text, **counts):
        self.assertEqual(junit.faults(text), [])
        root = xml.fromstring(text)
        self.assertEqual({name: root.get(name) for name in counts}, {name: str(count) for name, count in counts.items()})

    def test_the_checker_finds_what_is_planted(self):
        self.assert_sound(self.SOUND)
        for was, planted, fault in (
            ('failures="1" errors="0">', 'failures="2" errors="0">', "says failures 2 and holds 1"),
            ('<testcase classname="c"', "<testcase", "lacks classname"),
            (' type="t"', "", "lacks type"),
            ('time="0.000">', 'time="never">', "time of testsuite is never"),
            ("</testcase>", "<skipped/></testcase>", "several outcomes"),
            ("</testcase>", "<properties/></testcase>", "in that order"),
            ("</testcase>", "<note/></testcase>", "holds note"),
            ('name="s"', 'name="s" colour="red"', "has colour"),
        ):
            found = junit.faults(self.SOUND.replace(was, planted, 1))
            self.assertTrue(any(fault in one for one in found), (fault, found))

    def test_accept(self):
        result = write_run(self.directory / "result")
        file = self.directory / "criteria.toml"
        file.write_text(
            'format = 1\ntitle = "a <\\"&> \\u0001 b"\n' + CRITERION % "7 us" + CRITERION.replace("ALL", "SLOW") % "5 us" + CRITERION.replace("ALL", "NONE").replace("Allreduce", "Bcast") % "1 us" +
            CRITERION.replace("ALL", "LATER") % "5 us" + 'waived = "ticket"\n'
        )
        done = steelyard("accept", file, result, "--format", "junit")
        self.assert_sound(done.stdout, tests=4, failures=1, errors=1, skipped=1)

    def test_compare(self):
        base, slow = (write_run(self.directory / name, run=name, factor=factor) for name, factor in (("base", 1), ("slow", 1.5)))
        done = steelyard("compare", base, slow, "--format", "junit", "--launch-sd", "2%", "--fail-on", "slower")
        self.assert_sound(done.stdout, tests=1, failures=1)
        self.assertEqual([one.get("name") for one in xml.fromstring(done.stdout).iter("property")], ["ratio", "low", "high"])

    def test_history(self):
        for day in range(30):
            write_run(self.directory / f"runs/{day}", run=f"r{day:02}", started=f"2026-01-{day + 1:02}T10:00:00Z", factor=1.2 if day >= 18 else 1)
        words = ["history", self.directory / "runs", "--points", "--no-cache", "--format", "junit"]
        self.assert_sound(steelyard(*words).stdout, tests=1, failures=0)
        text = steelyard(*words, "--fail-on", "regressed").stdout
        self.assert_sound(text, tests=1, failures=1)
        self.assertAlmostEqual(float(xml.fromstring(text).find(".//property[@name='ratio']").get("value")), 1.2, places=6)
        self.assert_sound(steelyard(*words, "--to", "2026-01-05").stdout, tests=1, skipped=1)


class Monitoring(Case):
    def setUp(self):
        super().setUp()
        self.result = write_run(self.directory / "result", name='a"b\\c')

    def promtool(self, text):
        """Where it is installed it has nothing to say."""
        if shutil.which("promtool"):
            done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), text)

    def test_prometheus(self):
        text = steelyard("export", self.result, "--to", "prometheus", "--select", "imb-mpi1/Allreduce").stdout
        self.assertIn('steelyard_point_seconds{name="a\\"b\\\\c",nodes="1",processes="2",suite="imb-mpi1"', text)
        self.assertIn('steelyard_points{name="a\\"b\\\\c",nodes="1",processes="2",status="ok"} 1\n', text)
        self.promtool(text)

    def test_what_failed_its_verification_is_left_out(self):
        file = self.result / "result.jsonl"
        head, point = map(json.loads, file.read_text().splitlines())
        point.update({"benchmark": "PingPong", "key": point["key"].replace("Allreduce", "PingPong")})
        for verified, is_there in ((True, self.assertIn), (False, self.assertNotIn)):
            point["verified"] = verified
            file.write_text(json.dumps(head) + "\n" + json.dumps(point) + "\n")
            for form in ("prometheus", "openmetrics"):
                text = steelyard("export", self.result, "--to", form, "--select", "imb-mpi1/*").stdout
                is_there("steelyard_figure_seconds", text)
                is_there("steelyard_point_seconds", text)

    def test_a_selection_adds_points_and_changes_nothing_else(self):
        file = self.result / "result.jsonl"
        head, point = map(json.loads, file.read_text().splitlines())
        others = [{**point, "benchmark": name, "key": point["key"].replace("Allreduce", name), "verified": verified}
                  for name, verified in (("PingPong", False), ("Barrier", True))]
        file.write_text("".join(json.dumps(one) + "\n" for one in (head, point, *others)))
        for form in ("prometheus", "openmetrics"):
            plain = steelyard("export", self.result, "--to", form).stdout
            self.assertIn('status="ok"} 3\n' if form == "prometheus" else 'status="ok"} 3 ', plain)
            for chosen, points in (("imb-mpi1/Barrier", 1), ("imb-mpi1/*", 2)):
                text = steelyard("export", self.result, "--to", form, "--select", chosen).stdout
                lines = [line for line in text.splitlines() if "steelyard_point_" not in line]
                self.assertEqual(lines, plain.splitlines())
                self.assertEqual(text.count("\nsteelyard_point_seconds{"), points)

    def test_a_textfile_is_replaced_whole(self):
        file = self.directory / "steelyard.prom"
        for _ in range(2):
            self.assert_code(steelyard("export", self.result, "--textfile", file), 0)
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["result", "steelyard.prom"])
        self.promtool(file.read_text())
        self.assert_refused(steelyard("export", self.result, "--to", "csv", "--textfile", file), 2, "--textfile")
        self.assert_refused(steelyard("export", self.result, "--to", "csv", "--all"), 2, "--all")

    def test_a_device_or_a_link_stays_what_it_is(self):
        device, link = null_device(self.directory / "device"), self.directory / "link"
        kept = self.directory / "kept.prom"
        kept.write_text("old")
        link.symlink_to(kept)
        for form in ("prometheus", "openmetrics", "csv"):
            self.assert_code(steelyard("export", self.result, "--to", form, "-o", device), 0)  # loses nothing
            self.assert_refused(steelyard("export", self.result, "--to", form, "-o", link), 4, "--overwrite")
        for file in (device, link):
            self.assert_code(steelyard("export", self.result, "--textfile", file), 0)
            self.assert_code(steelyard("export", self.result, "--to", "prometheus", "-o", file, "--overwrite"), 0)
        self.assertTrue(device.is_char_device() and link.is_symlink())
        self.assertEqual(kept.read_text(), steelyard("export", self.result, "--to", "prometheus").stdout)
        self.assertEqual(sorted(path.name for path in self.directory.iterdir()), ["device", "kept.prom", "link", "result"])

    def test_a_pipe_of_a_shell_is_written_to(self):
        for form in ("prometheus", "csv"):
            done = subprocess.run(["bash", "-c", f"'{PROGRAM}' export '{self.result}' --to {form} -o >(cat) | cat"],
                                  env=environment(), capture_output=True, text=True, timeout=60, check=False)
            self.assert_code(done, 0)
            self.assertEqual(done.stdout, steelyard("export", self.result, "--to", form).stdout)

    def test_open_metrics_has_one_value_of_a_series_at_a_time(self):
        write_run(self.directory / "again", run="r9", name='a"b\\c')
        with (self.result / "result.jsonl").open("a") as file:
            file.write((self.directory / "again" / "result.jsonl").read_text())
        text = steelyard("export", self.result, "--to", "openmetrics", "--run", "all").stdout
        series = [line.rsplit(" ", 2) for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(len(series), len({(name, at) for name, _, at in series}), text)

    def test_what_a_text_does_not_tell_is_no_number(self):
        old = self.directory / "old.txt"
        old.write_text(IMB)
        text = steelyard("export", old, "--to", "openmetrics").stdout
        self.assertIn('processes="2"', text)
        self.assertNotIn("nodes=", text)
        self.assertNotIn("steelyard_run_duration_seconds", text)

    def test_open_metrics_has_times_and_an_end(self):
        text = steelyard("export", self.result, "--to", "openmetrics").stdout
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn(" 1795163400.000\n", text)
        if shutil.which("promtool"):
            file = self.directory / "old.om"
            file.write_text(text)
            done = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", file, self.directory / "blocks"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


class Findings(Case):
    """--fail-on: a tree for each of its words, in which nothing else is to be found."""

    def tree(self, factor, newest=lambda point: None):
        """Thirty days of two sizes of a benchmark; `newest` changes the last point of the first."""
        for day in range(30):
            started = f"2026-01-{day + 1:02}T10:00:00Z"
            file = write_run(self.directory / str(day), run=f"r{day:02}", started=started, factor=factor(day)) / "result.jsonl"
            head, point = map(json.loads, file.read_text().splitlines())
            other = {**point, "key": point["key"].replace("4096", "8192")}
            if day == 29:
                newest(point)
            file.write_text("".join(json.dumps(one) + "\n" for one in (head, point, other) if one.get("key") != "gone"))

    def assert_found(self, verdict):
        for word in ("regressed", "suspect", "failing", "missing", "drifts"):
            done = steelyard("history", self.directory, "--points", "--no-cache", "--fail-on", word)
            self.assertEqual(done.returncode, 3 if word == verdict else 0, (word, done.stdout))
        self.assertIn(verdict, done.stdout)

    def test_regressed(self):
        self.tree(lambda day: 1.2 if day >= 18 else 1)
        self.assert_found("regressed")

    def test_suspect(self):
        self.tree(lambda day: 1.4 if day == 29 else 1)
        self.assert_found("suspect")

    def test_failing(self):
        self.tree(lambda day: 1, lambda point: point.update(verified=False))
        self.assert_found("failing")

    def test_missing(self):
        self.tree(lambda day: 1, lambda point: point.update(key="gone"))
        self.assert_found("missing")

    def test_drifts(self):
        self.tree(lambda day: (1 + 0.0022 * day) * (1 + 0.03 * (day % 2)))
        self.assert_found("drifts")


class History(Case):
    def setUp(self):
        super().setUp()
        self.tree = self.directory / "results"
        for day in range(30):
            wobble = 1 + 0.004 * ((day * 7) % 5)
            write_run(self.tree / f"deep/{day}", run=f"r{day:02}", started=f"2026-01-{day + 1:02}T10:00:00Z",
                      factor=wobble * (1.2 if day >= 20 else 1), mpi="Open MPI v5.0.3" if day >= 20 else None)

    def history(self, *words):
        return steelyard("history", self.tree, "--points", *words, XDG_CACHE_HOME=str(self.directory / "cache"))

    def test_a_change_is_found_with_its_cause(self):
        done = self.history()
        self.assert_code(done, 0)
        self.assertIn("regressed", done.stdout)
        self.assertIn("with it changed: MPI library Open MPI v4.1.4 -> Open MPI v5.0.3", " ".join(done.stdout.split()))
        told = json.loads(self.history("--format", "json").stdout)
        self.assertEqual((told["runs"], told["series"][0]["verdict"]), (30, "regressed"))
        rows = list(csv.DictReader(self.history("--format", "csv").stdout.splitlines()))
        self.assertEqual(len(rows), 30)
        self.assertEqual((rows[0]["benchmark"], rows[0]["metric"], rows[29]["stretch"]), ("Allreduce", "time_s", "2"))
        for row, folder in ((rows[0], "0"), (rows[29], "29")):
            ends = json.loads((self.tree / "deep" / folder / "result.jsonl").read_text().splitlines()[1])["metrics"]["time_s"]["ci"]
            for name, end in zip(("low", "high"), ends):
                self.assertAlmostEqual(float(row[name]) / end, 1, places=8)
        self.assertEqual(len(self.history("--format", "jsonl").stdout.splitlines()), 30)
        self.assertIn("| regressed |", self.history("--format", "markdown").stdout)
        self.assertIn("<td>regressed</td>", self.history("--format", "html").stdout)
        self.assertEqual(xml.fromstring(self.history("--format", "junit", "--fail-on", "regressed").stdout).get("failures"), "1")

    def test_exit_codes(self):
        self.assert_code(self.history("--fail-on", "regressed"), 3)
        self.assert_code(self.history("--fail-on", "regressed", "--since", "2026-01-25"), 0)
        self.assert_code(self.history("--fail-on", "regressed", "--since", "last"), 0)
        self.assert_code(self.history("--fail-on", "regressed", "--since", "r10"), 3)
        self.assert_refused(self.history("--since", "never"), 2, "'never' is no date")
        self.assert_refused(self.history("--where", "nods=1"), 2, "did you mean nodes?")
        self.assert_refused(self.history("--from", "yesterday"), 2, "no date")
        self.assert_refused(self.history("--where", "machine=lion"), 2, "no run is left")
        self.assert_refused(self.history("--fail-on", "slower"), 2, "'slower' is not one of")
        self.assert_refused(self.history("--fail-on", "regresed"), 2, "'regresed' is not one of none, regressed", "did you mean regressed?")
        self.assert_refused(self.history("--fail-on", ","), 2, "--fail-on: names nothing")
        for option in ("--where", "--by", "--since", "--metric", "--select"):
            self.assert_refused(self.history(option, ""), 2, option + ": must not be empty")
        known = self.directory / "known.toml"
        known.write_text('[[known]]\nselect = "imb-mpi1/*"\nafter = 2026-01-20\nreason = "new library"\n')
        self.assert_code(self.history("--fail-on", "regressed", "--known", known), 0)
        for dates in ('after = "2026-xx-yy"', 'after = "2026-02-30"', 'after = 2026-01-20\nuntil = "soon"'):
            known.write_text(f'[[known]]\nselect = "imb-mpi1/*"\n{dates}\nreason = "new library"\n')
            self.assert_refused(self.history("--known", known), 2, "known.toml:", "is no date such as 2026-05-12")
        known.write_text('[[known]]\nselct = "imb-mpi1/*"\n')
        self.assert_refused(self.history("--known", known), 2, "known.toml:2:1", "did you mean select?")

    def test_what_is_wrong_for_long_fails_no_nightly_job(self):
        for day in range(12, 30):
            file = self.tree / f"deep/{day}/result.jsonl"
            head, point = map(json.loads, file.read_text().splitlines())
            file.write_text(json.dumps(head) + "\n" + json.dumps({**point, "verified": False}) + "\n")
        self.assert_code(self.history("--fail-on", "failing"), 3)
        self.assert_code(self.history("--fail-on", "failing", "--since", "last"), 0)
        self.assert_code(self.history("--fail-on", "failing", "--since", "2026-01-20"), 0)
        self.assert_code(self.history("--fail-on", "failing", "--since", "r12"), 3)

    def test_without_a_folder_it_reads_where_run_leaves_results(self):
        self.assert_refused(steelyard("history", "--no-cache", cwd=self.directory), 2, "no steelyard-results here")
        self.tree.rename(self.directory / "steelyard-results")
        self.assertIn("30 runs", steelyard("history", "--no-cache", cwd=self.directory).stdout)

    def test_another_metric_is_followed_by_its_name(self):
        def series(*words):
            return [one["name"] for one in json.loads(self.history("--format", "json", *words).stdout)["series"]]

        primary = series()[0]
        for _ in range(2):  # the second time from the cache, which has the primary metric too
            self.assertEqual(series("--metric", "time_s.p99"), [primary + ".p99"])
            self.assertEqual(series(), [primary])
        self.assertEqual(json.loads(self.history("--format", "json", "--metric", "time_s.p99").stdout)["series"][0]["unit"], "s")
        self.assert_refused(self.history("--metric", "bandwith_byte_s"), 2, "no point of these runs", "did you mean bandwidth_byte_s?")
        self.assert_refused(self.history("--metric", "time_s", "--figures"), 2, "--figures does not go with --metric")

    def test_dates_to_come_and_words_that_fit_nothing_are_told(self):
        write_run(self.tree / "deep/future", run="r45", started="2045-01-01T00:00:00Z")
        self.assertIn("30 runs", self.history().stdout)
        self.assert_refused(self.history("--select", "imb-mpi1/Allreduze"), 2, "no point of these runs fits", "did you mean imb-mpi1/Allreduce?")
        self.assert_refused(self.history("--select", "imb-mpi"), 2, "--select", "did you mean imb-mpi1?")
        self.assert_code(self.history("--select", "imb-mpi1"), 0)

    def test_damaged_files_are_left_out_and_told(self):
        file = self.tree / "deep/3/result.jsonl"
        whole = file.read_text()
        file.write_text(re.sub('"format_version": ?1', '"format_version": 99', whole))
        done = self.history()
        self.assert_code(done, 1)
        self.assertIn("deep/3", done.stderr)
        self.assertIn("29 runs", done.stdout)

    def test_damaged_lines_are_left_out_and_told_each_time(self):
        plain = self.history().stdout
        file = self.tree / "deep/3/result.jsonl"
        head, *rest = file.read_text().splitlines(keepends=True)
        file.write_text(head + "{ no\n" + "".join(rest))
        for _ in range(2):
            done = self.history()
            self.assert_code(done, 1)
            self.assertRegex(done.stderr, r"deep/3/result.jsonl:2: .*; that line is left out")
            self.assertEqual(done.stdout, plain)

    def test_line_that_a_kill_has_torn_is_told_each_time(self):
        plain = self.history().stdout
        file = self.tree / "deep/3/result.jsonl"
        file.write_text(file.read_text() + '{"type":"po')
        for words in ((), (), ("--no-cache",)):
            done = self.history(*words)
            self.assert_code(done, 0)
            self.assertIn("deep/3/result.jsonl: the last line is cut off after 11 bytes", done.stderr)
            self.assertEqual(done.stdout, plain)

    def test_the_cache_changes_nothing(self):
        plain = self.history("--no-cache").stdout
        cache = self.directory / "cache/steelyard/history"
        self.assertEqual(self.history().stdout, plain)
        self.assertEqual(len([one for one in cache.iterdir() if not one.name.startswith("keys-")]), 30)
        self.assertEqual(self.history().stdout, plain)
        self.assertEqual(self.history("--verify-cache").stdout, plain)
        rows = self.history("--no-cache", "--format", "csv").stdout
        self.assertEqual(self.history("--format", "csv").stdout, rows)
        one = min(path for path in cache.iterdir() if not path.name.startswith("keys-"))
        whole = one.read_bytes()
        for size in range(0, len(whole), 97 * 8):
            one.write_bytes(whole[:size])
            self.assertEqual(self.history().stdout, plain, size)
        one.write_bytes(whole[:200] + b"x" + whole[201:])
        self.assertEqual(self.history().stdout, plain)
        for path in cache.glob("keys-*"):
            path.unlink()
        self.assertEqual(self.history().stdout, plain)
        write_run(self.tree / "deep/new", run="r99", started="2026-02-01T10:00:00Z", factor=1.2)
        self.assertIn("31 runs", self.history().stdout)

    def test_the_report_shows_it(self):
        done = steelyard("report", self.tree / "deep/29", "--history", self.tree, "--format", "text", XDG_CACHE_HOME=str(self.directory / "cache"))
        self.assertIn("30 runs", done.stdout)

    def test_the_page_has_what_its_charts_draw(self):
        page = self.directory / "page.html"
        self.assert_code(
            steelyard("report", self.tree / "deep/29", "--history", self.tree, "-o", page, XDG_CACHE_HOME=str(self.directory / "cache")), 0
        )
        data = data_of(page)["history"]
        self.assertEqual(len(data["entries"]), 30)
        self.assertIn("data-charts=\"history\"", page.read_text())

    def test_it_begins_with_a_text_of_another_program(self):
        text = self.directory / "old.txt"
        text.write_text(IMB)
        self.assertIn("30 runs", self.history().stdout)
        told = json.loads(self.history(str(text), "--format", "json").stdout)
        self.assertEqual(told["runs"], 31)
        first = [one for one in told["series"] if one["name"].startswith("imb-mpi1/Allreduce")]
        self.assertEqual(first[0]["values"][0], [0, 1e-05])
        self.assertIn("1 series are of means over time of the slowest rank", " ".join(self.history(str(text)).stdout.split()))
        self.assert_refused(self.history(str(text), "--set", "nodes=x"), 2, "'x' is no number of nodes")
        text.write_text("\n".join(line for line in IMB.splitlines() if not line.startswith("# Date")) + "\n")
        self.assertIn("1 run without a usable date is set aside", " ".join(self.history(str(text)).stdout.split()))
        self.assertEqual(json.loads(self.history(str(text), "--date", "2020-05-01", "--format", "json").stdout)["runs"], 31)


if __name__ == "__main__":
    main()
