# SPDX-License-Identifier: Apache-2.0
"""The command screen on made-up results, and small screenings by run: words, forms, exit codes."""

import json
import os
import re
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

import junit
from program import HAS_MPI, PROGRAM, SANITIZED, SOURCE, Case, environment, kill_tree, main, of_type, records, steelyard

HEAD = json.loads((SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines()[0])
POINT = json.loads((SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines()[1])
HOSTS = 8


def write_screening(directory, slow=(), wrong=(), run="s1", prefix="lion", version=None, name=None, models=None):
    """A result directory with a test of eight nodes, two visits."""
    names = [f"{prefix}{number:03}" for number in range(1, HOSTS + 1)]
    head = {**HEAD, "run": run, "processes": HOSTS, "nodes": HOSTS,
            "layout": {"hosts": names, "ranks": [[number, 1] for number in range(HOSTS)]}}
    if name:
        head["name"] = name
    if models:  # the second half of the nodes has the second model
        head["layout"].update({"kinds": [{"processor": model} for model in models], "kind_of": [0] * 4 + [1] * 4})
    if version:
        head["program"] = {**head["program"], "version": version}
    columns = {name: [] for name in ("host", "benchmark", "visit", "value", "verified", "processes")}
    for visit in (1, 2):
        for host in range(HOSTS):
            value = 1e11 * (1 + host / 1000 + visit / 2000) * (0.8 if host in slow else 1)
            for name, cell in zip(columns, (host, "triad", visit, value, host not in wrong, 1)):
                columns[name].append(cell)
    frame = {name: HEAD[name] for name in ("format", "format_version") if name in HEAD}
    table = {**frame, "type": "table", "run": run, "session": 1, "seq": 1, "at_s": 1.0, "name": "screen_nodes", "suite": "screen", "key": "screen", "part": 1, "parts": 1, "columns": columns}
    directory.mkdir(parents=True)
    (directory / "result.jsonl").write_text(json.dumps(head) + "\n" + json.dumps(table) + "\n")
    return directory


class Judged(Case):
    def test_names_the_slow_node_in_every_form(self):
        out = write_screening(self.directory / "r", slow=[2])
        done = steelyard("screen", out)
        self.assert_code(done, 3)
        self.assertRegex(done.stdout, r"lion003 +slow +triad +-\d+\.\d %")
        self.assertIn("scontrol update nodename=lion003 state=drain", done.stdout)
        self.assertEqual(steelyard("screen", out, "--format", "hostlist").stdout, "lion003\n")
        told = json.loads(steelyard("screen", out, "--format", "json").stdout)
        self.assertEqual((told["counts"]["slow"], told["counts"]["ok"]), (1, HOSTS - 1))
        self.assertIn("| lion003 |", steelyard("screen", out, "--format", "markdown").stdout)
        suite = xml.fromstring(steelyard("screen", out, "--format", "junit").stdout)
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), (str(HOSTS), "1", "0"))
        self.assertEqual(suite.find(".//failure").get("type"), "slow")
        self.assertLess(float(suite.find(".//property[@name='percent']").get("value")), -15)
        wrong = write_screening(self.directory / "wrong", slow=[2], wrong=[4, 5])
        for result, errors in ((out, "0"), (wrong, "2")):
            text = steelyard("screen", result, "--format", "junit").stdout
            self.assertEqual((junit.faults(text), xml.fromstring(text).get("errors")), ([], errors))

    def test_exit_code_follows_what_was_asked(self):
        well = write_screening(self.directory / "well")
        self.assert_code(steelyard("screen", well), 0)
        slow = write_screening(self.directory / "slow", slow=[0, 5])
        self.assert_code(steelyard("screen", slow), 3)
        self.assert_code(steelyard("screen", slow, "--fail-on", "wrong,missing"), 0)
        self.assert_code(steelyard("screen", slow, "--tolerance", "triad=40%"), 0)
        half = [write_screening(self.directory / "half", run="s1"),
                write_screening(self.directory / "slow half", slow=range(HOSTS), run="s2", prefix="puma")]
        done = steelyard("screen", *half)
        self.assert_code(done, 3)
        self.assertIn("the worse: puma[001-008]\nok: 16, in two groups by triad\n", done.stdout)
        self.assert_code(steelyard("screen", *half, "--fail-on", "slow,wrong,missing"), 0)
        cases = xml.fromstring(steelyard("screen", *half, "--format", "junit").stdout)
        self.assertEqual((cases.get("tests"), cases.get("failures")), (str(2 * HOSTS + 1), "1"))
        wrong = write_screening(self.directory / "wrong", wrong=[1])
        self.assert_code(steelyard("screen", wrong), 3)
        self.assert_code(steelyard("screen", wrong, "--fail-on", "none"), 0)

    def test_reference_finds_a_machine_that_is_slow_as_a_whole(self):
        good = write_screening(self.directory / "good")
        bad = write_screening(self.directory / "bad", slow=range(HOSTS))
        self.assert_code(steelyard("screen", bad), 0)
        self.assert_code(steelyard("screen", bad, "--reference", good), 3)
        file = self.directory / "nodes.toml"
        self.assert_code(steelyard("screen", good, "--write-reference", file), 0)
        self.assertIn("[triad]", file.read_text())
        exact = file.read_text()
        for unit, factor in (("Gbyte/s", 1e9), ("GiB/s", 2**30), ("kB/s", 1e3)):
            value = float(re.search("value = (.*)", exact)[1]) / factor
            file.write_text(re.sub("value = .*", f"value = {value!r}", exact).replace("byte/s", unit))
            self.assert_code(steelyard("screen", good, "--reference", file), 0)
            self.assert_code(steelyard("screen", bad, "--reference", file), 3)
        file.write_text(exact)
        self.assert_code(steelyard("screen", good, "--reference", file), 0)
        done = steelyard("screen", bad, "--reference", file)
        self.assert_code(done, 3)
        self.assertIn("below the reference", done.stdout)

    def test_reference_of_another_machine_is_told(self):
        out = write_screening(self.directory / "r")
        other = write_screening(self.directory / "other", name="hare")
        self.assertIn("the reference is of another machine: hare", steelyard("screen", out, "--reference", other).stdout)
        self.assertNotIn("another machine", steelyard("screen", out, "--reference", out).stdout)
        file = self.directory / "nodes.toml"
        file.write_text('[triad]\nprocessor = "Model 7"\nvalue = 1e11\n')
        self.assertIn("another machine: Model 7, not", steelyard("screen", out, "--reference", file).stdout)

    def test_reference_has_a_value_for_each_processor_model(self):
        out = write_screening(self.directory / "r", slow=range(4, 8), models=("Model A", "Model B"))
        file = self.directory / "nodes.toml"
        self.assert_code(steelyard("screen", out, "--write-reference", file), 0)
        self.assertEqual((file.read_text().count("[[triad]]"), file.read_text().count("Model B")), (2, 1))
        done = steelyard("screen", out, "--reference", file)
        self.assert_code(done, 0)
        self.assertNotIn("below the reference", done.stdout)
        self.assert_code(steelyard("screen", out, "--reference", out), 0)

    def test_parts_of_a_machine_are_judged_together_if_they_may_be(self):
        one = write_screening(self.directory / "one", run="s1")
        two = write_screening(self.directory / "two", slow=range(HOSTS), run="s2", prefix="puma")
        self.assertIn("two groups: 8 at", steelyard("screen", one, two, "--fail-on", "none").stdout)
        self.assert_refused(steelyard("screen", one, one), 2, "run s1 is given twice")
        old = write_screening(self.directory / "old", run="s3", version="0.0.9")
        self.assert_refused(steelyard("screen", one, old), 2, "different versions")

    def test_bad_words_are_refused_with_the_nearest_one(self):
        out = write_screening(self.directory / "r")
        self.assert_refused(steelyard("screen"), 2, "a result is missing")
        self.assert_refused(steelyard("screen", out, "--fail-on", "slwo"), 2, "'slwo'", "did you mean slow?")
        self.assert_refused(steelyard("screen", out, "--tolerance", "traid=5%"), 2, "'traid'", "did you mean triad?")
        self.assert_refused(steelyard("screen", out, "--tolerance", "triad"), 2, "triad=5%")
        self.assert_refused(steelyard("screen", out, "--tolerance", "triad=500%"), 2, "500%")
        self.assert_refused(steelyard("screen", self.directory / "none"), 2, "none")
        file = self.directory / "nodes.toml"
        for text, words in (("[traid]\nvalue = 1\n", ["nodes.toml:1", "did you mean triad?"]),
                            ("[triad]\nvlaue = 1\n", ["nodes.toml:2", "did you mean value?"]),
                            ("[triad]\nvalue = -1\n", ["nodes.toml:2", "above 0"]),
                            ('[triad]\nvalue = 1\nunit = "flop/s"\n', ["nodes.toml:3", "triad is in byte/s"]),
                            ('[triad]\nvalue = 1\nunit = "Gbit/s"\n', ["nodes.toml:3", "are bits"]),
                            ("[triad]\nvalue = 1\ntolerance = 3\n", ["nodes.toml:3", "between 0 and 1"]),
                            ("[[triad]]\nvalue = 1\n", ["nodes.toml:1", "needs its processor"]),
                            ('triad = [{processor = "a", value = 1}, 5]\n', ["nodes.toml:1", "[[triad]] is expected"]),
                            ("", ["no quantity"])):
            file.write_text(text)
            self.assert_refused(steelyard("screen", out, "--reference", file), 2, *words)
        file = self.directory / "topology"
        for text, words in (("nodes=a[1-3]\n", ["topology:1", "a switch is missing"]), ("switch=s nodes=a[1-\n", ["topology:1"]),
                            ("switch=s ndoes=a1\n", ["topology:1", "'ndoes'"]), ("# none\n", ["no node is at a switch"]),
                            ("switch=s\n", ["topology:1", "nodes are missing"]), ("switch=a/b nodes=n1\n", ["topology:1", "no /"]),
                            ("switch=s nodes=n1\nswitch=t switches=s\nswitch=u switches=s\n", ["topology:3", "below t and below u"]),
                            ("switch=s switches=t\nswitch=t switches=s\n", ["topology:2", "above itself"])):
            file.write_text(text)
            self.assert_refused(steelyard("screen", out, "--topology", file), 2, *words)
        plain = self.directory / "plain"
        plain.mkdir()
        (plain / "result.jsonl").write_text(json.dumps(HEAD) + "\n")
        self.assert_refused(steelyard("screen", plain), 2, "no result holds a screening")
        point = {**POINT, "run": HEAD["run"], "suite": "screen", "benchmark": "triad", "key": "screen/triad;processes=8", "status": "skipped",
                 "reason": {"code": "time", "text": "needs --budget 14m"}, "metrics": {}, "classic": {}}
        (plain / "result.jsonl").write_text(json.dumps(HEAD) + "\n" + json.dumps(point) + "\n")
        self.assert_refused(steelyard("screen", plain), 2, "nothing of the screening was measured: triad: needs --budget 14m")

    def test_words_of_local_are_checked_before_anything_is_measured(self):
        out = write_screening(self.directory / "r")
        file = self.directory / "nodes.toml"
        self.assert_code(steelyard("screen", out, "--write-reference", file), 0)
        self.assert_refused(steelyard("screen", "--local"), 2, "--reference")
        self.assert_refused(steelyard("screen", out, "--local", "--reference", file), 2, "reads no result")
        self.assert_refused(steelyard("screen", out, "--threads", "2"), 2, "--threads belongs to --local")
        self.assert_refused(steelyard("screen", "--local", "--reference", file, "--topology", file), 2, "--topology")
        file.write_text("[bandwidth]\nvalue = 1\n")
        self.assert_refused(steelyard("screen", "--local", "--reference", file), 2, "nothing of a node")

    def test_a_run_that_died_is_judged_with_a_doubt(self):
        out = write_screening(self.directory / "r", slow=[2])
        self.assertIn("has no end: what it had measured until then is judged", steelyard("screen", out).stdout)

    def test_monitoring_hears_of_slow_nodes(self):
        text = steelyard("export", write_screening(self.directory / "r", slow=[2]), "--to", "prometheus").stdout
        self.assertRegex(text, r'steelyard_slow_node\{.*node="lion003",test="triad"\} -\d+')
        self.assertRegex(text, r'steelyard_verdict\{.*judge="screen",verdict="slow"\} 1\n')
        self.assertRegex(text, r'steelyard_verdict\{.*judge="screen",verdict="ok"\} 7\n')

    def test_report_and_acceptance_read_the_tables(self):
        out = write_screening(self.directory / "r", slow=[2])
        self.assertIn("lion003", steelyard("report", out, "--format", "text").stdout)
        criteria = self.directory / "criteria.toml"
        criteria.write_text('format = 1\n[[criterion]]\nid = "N"\ntable = "screen_nodes.triad"\nat_least = "95% of median"\n'
                            'every = "node"\nrule = "value"\n')
        done = steelyard("accept", criteria, out)
        self.assert_code(done, 3)
        self.assertIn("lion003", done.stdout)


class Again(Case):
    """Several screenings in a history."""

    def screened(self, day, *named):
        out = write_screening(self.directory / "tree" / str(day), run=f"s{day}")
        file = out / "result.jsonl"
        head, table = map(json.loads, file.read_text().splitlines())
        head["started_utc"] = f"2026-01-{day:02}T10:00:00Z"
        columns = {name: [] for name in ("host", "other", "quantity", "verdict", "percent", "limit_percent", "again_percent", "note")}
        for host, other, quantity, percent in named:
            for name, cell in zip(columns, (host, other, quantity, "slow", percent, 5, None, "")):
                columns[name].append(cell)
        verdicts = {**table, "seq": 2, "name": "screen_verdicts", "columns": columns}
        file.write_text("".join(json.dumps(record) + "\n" for record in (head, table, verdicts)))

    def test_names_the_nodes_that_were_named_before(self):
        self.screened(1, (2, None, "triad", -18.0))
        self.screened(2)
        self.screened(3, (2, None, "triad", -19.5), (2, None, "fma", -8.0), (4, 6, "bandwidth", -50.0))
        self.screened(4, (2, None, "triad", -18.5))
        words = ["history", self.directory / "tree", "--cache", self.directory / "cache"]
        first, again = steelyard(*words), steelyard(*words)
        self.assert_code(first, 0)
        self.assertEqual(first.stdout, again.stdout)  # the second time from the cache
        self.assertEqual(first.stdout, steelyard(*words[:2], "--no-cache").stdout)
        self.assertIn("4 screenings: 1 node or link named more than once, 1 once.", first.stdout)
        self.assertRegex(first.stdout, r"lion003 .* 3 +4 +2 +slow +-19\.5 ")
        told = json.loads(steelyard(*words, "--format", "json").stdout)["screened"]
        self.assertEqual((told["screenings"], [node["node"] for node in told["nodes"]]), (4, ["lion003", "lion005 - lion007"]))
        self.assertEqual(told["nodes"][0]["quantities"], {"fma": 1, "triad": 3})
        page = steelyard("report", self.directory / "tree/4", "--history", self.directory / "tree", "--format", "text")
        self.assertIn("Nodes and links that screenings name again", page.stdout)


class Local(Case):
    """This node alone, without a launcher, in every build."""

    def here(self, text, *words):
        file = self.directory / "nodes.toml"
        file.write_text(text)
        return steelyard("screen", "--local", "--reference", file, "--memory", "16Mi", "--threads", "1", *words)

    def test_is_ok_where_it_reaches_what_is_expected(self):
        done = self.here("[triad]\nvalue = 1e6\n[chase]\nvalue = 1\n[fma]\nvalue = 1e6\n[random_access]\nvalue = 10\n")
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, "ok\n")

    def test_says_in_a_line_what_it_does_not_reach(self):
        done = self.here("[triad]\nvalue = 1e15\n[chase]\nvalue = 1\n[bandwidth]\nvalue = 1e15\n")
        self.assert_code(done, 3)
        self.assertEqual(done.stdout, f"{os.uname().nodename} triad -100.0 %\n")
        self.assert_code(self.here("[triad]\nvalue = 1e15\n", "--fail-on", "wrong"), 0)


    @unittest.skipIf(SANITIZED, "sanitizers need addresses of their own")
    def test_matrices_leave_the_blas_the_addresses_in_which_it_works(self):
        """OpenBLAS asks without end for what it is refused."""
        file = self.directory / "nodes.toml"
        file.write_text("[dgemm]\nvalue = 1\n[chase]\nvalue = 1\n")
        words = ["screen", "--local", "--reference", str(file), "--memory", "1Gi", "--threads", "1"]
        done = subprocess.run(["sh", "-c", 'ulimit -v 250000; exec "$@"', "sh", PROGRAM, *words], env=environment(),
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)


@unittest.skipUnless(HAS_MPI, "this build has no MPI")
class Run(Case):
    TESTS = ["screen/fma", "screen/triad", "screen/chase", "--memory", "16Mi", "--progress", "none"]

    def test_measures_and_prints_its_judgement(self):
        out = self.directory / "r"
        done = steelyard("run", *self.TESTS, "--visits", "3", "-n", 2, "-o", out)
        self.assert_code(done, 0)
        self.assertIn("Screening: 1 node, 3 tests, 3 visits, all at once", done.stdout)
        self.assertIn("too few to say that one stands out", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^screen/triad +1 value: ")
        points = of_type(records(out), "point")
        self.assertEqual({point["benchmark"] for point in points}, {"fma", "triad", "chase"})
        for point in points:
            self.assertEqual((point["status"], point["verified"]), ("ok", True), point)
        names = {table["name"] for table in of_type(records(out), "table")}
        self.assertEqual(names, {"screen_nodes", "screen_verdicts"})
        self.assertEqual(of_type(records(out), "summary")[0]["name"], "screen")
        self.assert_code(steelyard("screen", out), 0)
        self.assert_of_schema(records(out))

    def test_what_was_measured_is_there_when_the_processes_are_killed(self):
        out = self.directory / "r"
        words = ["run", *self.TESTS, "--visits", "100", "-n", "2", "-o", out]
        run = subprocess.Popen([PROGRAM, *map(str, words)], env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file, limit = out / "result.jsonl", time.monotonic() + 100
        while time.monotonic() < limit and not (file.exists() and file.read_text().count('"screen_nodes"') >= 6):
            time.sleep(0.1)
        kill_tree(run)
        done = steelyard("screen", out)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"Screening: 1 node, 3 tests, [2-9]\d* visits")
        self.assertIn("has no end", done.stdout)

    def test_one_process_has_no_pairs(self):
        out = self.directory / "r"
        done = steelyard("run", *self.TESTS, "screen/pairs", "--visits", "1", "--no-launch", "-o", out)
        self.assert_code(done, 0)
        self.assertEqual(len(of_type(records(out), "point")), 3)

    def test_disk_is_measured_where_a_folder_is_named(self):
        out = self.directory / "r"
        done = steelyard("run", "screen/disk", "--disk", self.directory, "--visits", "1", "--no-launch", "-o", out, "--progress",
                         "none")
        self.assert_code(done, 0)
        self.assertTrue(of_type(records(out), "point")[0]["verified"])
        self.assertEqual([file.name for file in self.directory.iterdir()], ["r"])

    def test_disk_without_room_is_told_with_the_reason(self):
        """The limit lies in the midst of a write, which the system makes in part."""
        out = self.directory / "r"
        words = ["run", "screen/disk", "--disk", self.directory, "--visits", "1", "--no-launch", "-o", out, "--progress", "none"]
        done = subprocess.run(["sh", "-c", 'ulimit -f 9000; exec "$@"', "sh", PROGRAM, *map(str, words)], env=environment(),
                              capture_output=True, text=True, timeout=60, check=False)
        told = [event["text"] for event in of_type(records(out), "event") if event["code"] == "missing_value"]
        self.assertEqual(len(told), 1, done.stdout + done.stderr)
        self.assertRegex(told[0], r"^screen/disk;\S* has no value on \S+: .*cannot write: File too large \[.*\]$")
        self.assertIn("warning: " + told[0][:60], done.stdout)

    def test_folder_that_no_node_has_is_refused(self):
        done = steelyard("run", "screen/disk", "--disk", self.directory / "none", "--no-launch", "-o", self.directory / "r")
        self.assert_refused(done, 4, f"--disk: there is no directory '{self.directory / 'none'}', and none is made")
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_words_are_checked_before_anything_starts(self):
        for words, said in ((["--pairs", "al"], "all"), (["--pairs", "shift", "--pair-rounds", "3"], "--pairs sample"),
                            (["--visits", "0"], "1"), (["--tolerance", "dgem=3%"], "did you mean dgemm?"),
                            (["--again", "200%"], "--again")):
            self.assert_refused(steelyard("run", "screen", *words, "--plan"), 2, said)

    def test_reference_of_a_run_is_judged_recorded_and_judged_again(self):
        file, out = self.directory / "nodes.toml", self.directory / "r"
        file.write_text("[triad]\nvalue = 1e15\ntolerance = 0.25\n")
        words = ["run", "screen/triad", *self.TESTS[3:], "--visits", "1", "-n", 2, "--reference", file]
        done = steelyard(*words, "--fail-on", "slow", "-o", out)
        self.assert_code(done, 3)
        self.assertRegex(done.stdout, r"slow +triad +-100\.0 % +below the reference")
        self.assertEqual(of_type(records(out), "end")[0]["exit_code"], 3)
        config = records(out)[0]["config"]["screen"]
        self.assertEqual((config["reference_triad"], config["reference_triad_tolerance"]), (1e15, 0.25))
        self.assertIn("slow_node", {event["code"] for event in of_type(records(out), "event")})
        self.assert_code(steelyard("screen", out), 3)
        file.write_text("[triad]\nvalue = 1\n")
        self.assert_code(steelyard("screen", out, "--reference", file), 0)
        self.assert_code(steelyard(*words, "--fail-on", "slow", "-o", self.directory / "well"), 0)
        file.write_text("[triad]\nvalue = 1e15\n")
        self.assert_code(steelyard(*words, "-o", self.directory / "unasked"), 0)

    def test_topology_of_a_run_is_in_its_layout(self):
        host, file = os.uname().nodename, self.directory / "topology"
        file.write_text(f"SwitchName=leaf1 Nodes={host}\nSwitchName=leaf2 Nodes=other[1-4]\nSwitchName=core Switches=leaf[1-2]\n")
        for out, words, path in (("open", [], "core/leaf1"), ("hidden", ["--anonymous"], "switch0/switch1")):
            done = steelyard("run", "screen/fma", "--progress", "none", "--visits", "1", "-n", 2, "--topology", file, *words, "-o",
                             self.directory / out)
            self.assert_code(done, 0)
            layout = records(self.directory / out)[0]["layout"]
            self.assertEqual((layout["switches"], layout["switch_of"]), ([path], [0]))

    def test_words_of_a_judgement_are_checked_before_anything_starts(self):
        file = self.directory / "file"
        file.write_text("[traid]\nvalue = 1\n")
        for words, said in ((["--fail-on", "slwo"], ["did you mean slow?"]), (["--topology", file], ["file:1", "has no ="]),
                            (["--reference", self.directory / "none.toml"], ["none.toml"]), (["--reference", self.directory], ["result.jsonl"])):
            self.assert_refused(steelyard("run", "screen", *words, "--plan"), 2, *said)
        file = self.directory / "nodes.toml"
        file.write_text("[traid]\nvalue = 1\n")
        for start in (["--plan"], ["-n", "2", "-o", self.directory / "r"], ["--no-launch", "-o", self.directory / "r"]):
            self.assert_refused(steelyard("run", "screen", "--reference", file, *start), 2, "nodes.toml:1", "did you mean triad?")
        self.assertFalse((self.directory / "r").exists())
        self.assert_refused(steelyard("run", "imb-mpi1/PingPong", "--fail-on", "slow", "--plan"), 2, "--fail-on: needs the suite screen")

    def test_rounds_are_those_of_a_sample_where_nothing_else_is_measured(self):
        for word in ("--rounds", "--pair-rounds"):
            done = steelyard("run", "screen/pairs", "--pairs", "sample", word, "3", "-n", "8", "--plan")
            self.assert_code(done, 0)
        self.assert_refused(steelyard("run", "screen/pairs", "--pairs", "all", "--rounds", "3", "-n", "8", "--plan"), 2, "--rounds belongs to --pairs sample")
        self.assert_refused(steelyard("run", "screen", "imb-mpi1/PingPong", "--rounds", "3", "-n", "8", "--plan"), 2, "--schedule suite")
        out = self.directory / "r"
        self.assert_code(steelyard("run", "screen/fma", "screen/pairs", "--pairs", "sample", "--rounds", "3", "--visits", "1", "-n", "2", "--progress", "none", "-o", out), 0)
        self.assertEqual(records(out)[0]["config"]["screen"]["rounds"], 3)


if __name__ == "__main__":
    main()
