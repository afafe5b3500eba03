# SPDX-License-Identifier: Apache-2.0
"""Files of integrations/: the readers by themselves; the classes of ReFrame and Ramble with the real program where it is
installed, and against stand-ins for its words everywhere."""

import csv
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import types
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import HAS_MPI, LAUNCHER, LIMIT_S, PROGRAM, SOURCE, Case, environment, main, steelyard, tool  # noqa: E402

HERE = SOURCE / "integrations"
EXAMPLES = [json.loads(line) for line in (SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines()]


def run(*words, **variables):
    return subprocess.run([*map(str, words)], env=environment(**variables), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT_S, check=False)


def loaded(file, name):
    """A file of ours as a module."""
    specification = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Results(Case):
    """A result with a curve of PingPong whose numbers are known: time = 1 us + size / (1 GB/s)."""

    SIZES = (1, 8, 1024, 1048576)

    def setUp(self):
        super().setUp()
        self.head, self.point = EXAMPLES[0], EXAMPLES[1]
        self.end = {"format": "steelyard.result", "format_version": 1, "type": "end", "session": 1, "seq": 99, "at_s": 1.0,
                    "status": "complete", "exit_code": 0}
        self.write()

    def of_size(self, size):
        point = json.loads(json.dumps(self.point))
        point.update(suite="imb-mpi1", benchmark="PingPong", status="ok", verified=True, flags=["noisy"], processes=2,
                     key=f"imb-mpi1/PingPong;message_byte={size};processes=2;type=MPI_BYTE",
                     params={"message_byte": size, "type": "MPI_BYTE"})
        time = 1e-6 + size * 1e-9
        point["metrics"]["time_s"].update(median=time, ci=[0.9 * time, 1.1 * time])
        point["metrics"]["bandwidth_byte_s"] = {**point["metrics"]["time_s"], "median": size / time, "ci": [0.9 * size / time, 1.1 * size / time]}
        return point

    def write(self, change=lambda point: None, end=True):
        points = [self.of_size(size) for size in self.SIZES]
        change(points[1])
        records = [self.head, *points] + ([self.end] if end else [])
        for record in records:
            record["run"] = self.head["run"]
        (self.directory / "result.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


    def write_modes(self):
        """Every size twice: of two modes, one of which takes twice as long."""
        points = []
        for times, mode in ((1, "aggregate"), (2, "non_aggregate")):
            for point in map(self.of_size, self.SIZES):
                point["key"] = point["key"].replace("processes=", f"mode={mode};processes=")
                point["params"]["mode"] = mode
                point["metrics"]["time_s"]["median"] *= times
                points.append(point)
        records = [{**record, "run": self.head["run"]} for record in (self.head, *points, self.end)]
        (self.directory / "result.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


class Python(Results):
    def read(self, *words):
        return run(sys.executable, "-B", HERE / "python/steelyard_results.py", *words)

    def test_figures_of_merit(self):
        done = self.read(self.directory)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"(?m)^imb_latency +1\.001e-06 s  9\.009e-07 \.\. 1\.1011e-06  noisy$")
        self.assertRegex(done.stdout, r"(?m)^imb_bandwidth +9\.99\d+e\+08 byte/s")

    def test_figures_of_merit_are_of_the_most_processes(self):
        points = [self.of_size(8), self.of_size(8)]
        points[1].update(key=points[1]["key"].replace("processes=2", "processes=4"), processes=4)
        points[1]["metrics"]["time_s"]["median"] = 5e-6
        for point in points:
            point.update(key=point["key"].replace("PingPong", "Allreduce"), benchmark="Allreduce")
        records = [{**record, "run": self.head["run"]} for record in (self.head, *points, self.end)]
        (self.directory / "result.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        done = self.read(self.directory)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"(?m)^allreduce_latency +5e-06 s")
        self.assert_code(self.read(self.directory, "imb-mpi1/Allreduce;message_byte=8;*", "time_s"), 2)

    def of_hpcc(self, benchmark, metric, value, *words, **changes):
        point = self.of_size(8)
        key = ";".join((f"hpcc/{benchmark}", *words, "processes=4"))
        params = dict(word.split("=") for word in words)
        point.update(suite="hpcc", benchmark=benchmark, key=key, processes=4, flags=[], params=params)
        point["metrics"] = {metric: {**point["metrics"]["time_s"], "median": value, "ci": [0.9 * value, 1.1 * value]}}
        return {**point, **changes}

    def test_figures_of_merit_mean_what_the_program_means(self):
        points = [self.of_size(size) for size in self.SIZES]
        points += [self.of_hpcc("StarSTREAM", "bandwidth_byte_s", 8e9, "elements=9", "kernel=Triad", "op=x"),
                   self.of_hpcc("LatencyBandwidth", "pingpong_max_latency_s", 3e-6, "message_byte=8"),
                   self.of_hpcc("MPIFFT", "flop_rate_flop_s", 1e9, "elements=9", flags=["not_representative"])]
        self.head = {**self.head, "processes": 4}
        records = [{**record, "run": self.head["run"]} for record in (self.head, *points, self.end)]
        (self.directory / "result.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        told = self.read(self.directory).stdout
        self.assertRegex(told, r"(?m)^stream_triad +3\.2e\+10 byte/s  2\.88e\+10 \.\. 3\.52e\+10$")  # of four processes
        self.assertRegex(told, r"(?m)^pingpong_latency +3e-06 s ")
        self.assertRegex(told, r"(?m)^imb_latency +1\.001e-06 s ")
        self.assertNotRegex(told, r"(?m)^fft ")  # it says nothing about the machine
        table = (SOURCE / "src/analysis/balance/merits.cpp").read_text()
        merits = set(re.findall(r'^    {"?(\w+)"?, "', table, re.MULTILINE))
        merits = {{"shortest_message": "imb_latency", "best_rate": "imb_bandwidth"}.get(name, name) for name in merits}
        module = loaded(HERE / "python/steelyard_results.py", "steelyard_results")
        self.assertGreater(len(merits), 10)
        self.assertEqual({one.name for one in module.FIGURES} - merits, {"allreduce_latency"})

    def test_only_the_end_of_a_line_ends_a_record(self):
        self.head = {**self.head, "note": "one\u2028two\u2029three\u0085four"}
        records = [{**record, "run": self.head["run"]} for record in (self.head, self.of_size(8), self.end)]
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (self.directory / "result.jsonl").write_text(text, encoding="utf-8")
        done = self.read(self.directory)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"(?m)^imb_latency +1\.008e-06 s ")

    def test_a_figure_by_its_key(self):
        done = self.read(self.directory / "result.jsonl", "imb-mpi1/PingPong;message_byte=1024;*", "time_s")
        self.assertIn(" 2.024e-06 s ", done.stdout)

    def test_what_cannot_be_told_is_refused(self):
        for words, sentence in ((["imb-mpi1/PingPong;*", "time_s"], "4 points fit"), (["none/*", "time_s"], "has no time_s"),
                                (["imb-mpi1/*"], "pattern and metric"), (["--curve", "imb-mpi1/Bcast"], "has no times")):
            done = self.read(self.directory, *words)
            self.assert_code(done, 2)
            self.assertIn(sentence, done.stderr)
        self.assert_code(self.read(self.directory / "none"), 2)

    def test_what_cannot_stand_is_told(self):
        def fail(point):
            point.update(status="failed", metrics={}, reason={"code": "mpi_error", "text": "MPI_ERR_TRUNCATE"})

        self.write(fail)
        done = self.read(self.directory)
        self.assert_code(done, 1)
        self.assertIn("failed: imb-mpi1/PingPong;message_byte=8;processes=2;type=MPI_BYTE: MPI_ERR_TRUNCATE", done.stderr)
        self.write(lambda point: point.update(verified=False))
        self.assertIn("wrong data: imb-mpi1/PingPong;message_byte=8", self.read(self.directory).stderr)
        self.write(end=False)
        self.assertIn("the run has no end", self.read(self.directory).stderr)

    def test_a_curve_is_a_picture(self):
        picture = self.directory / "curve.svg"
        done = self.read(self.directory, "--curve", "imb-mpi1/PingPong", "-o", picture)
        self.assert_code(done, 0)
        [line] = xml.dom.minidom.parse(str(picture)).getElementsByTagName("polyline")
        heights = [float(pair.split(",")[1]) for pair in line.getAttribute("points").split()]
        self.assertEqual(len(heights), len(self.SIZES))
        self.assertEqual(heights, sorted(heights, reverse=True))  # longer messages take longer


    def test_a_curve_is_of_one_experiment(self):
        self.write_modes()
        done = self.read(self.directory, "--curve", "imb-mpi1/PingPong", "-o", self.directory / "none.svg")
        self.assert_code(done, 2)
        self.assertIn("mode is aggregate or non_aggregate", done.stderr)
        self.assertFalse((self.directory / "none.svg").exists())
        picture = self.directory / "curve.svg"
        self.assert_code(self.read(self.directory, "--curve", "imb-mpi1/PingPong;mode=aggregate", "-o", picture), 0)
        [line] = xml.dom.minidom.parse(str(picture)).getElementsByTagName("polyline")
        self.assertEqual(len(line.getAttribute("points").split()), len(self.SIZES))


class R(Results):
    def test_a_curve_is_of_one_experiment(self):
        program = tool("Rscript")
        self.write_modes()
        table, picture = self.directory / "points.csv", self.directory / "curve.pdf"
        self.assert_code(steelyard("export", self.directory, "--to", "csv", "-o", table), 0)
        done = run(program, HERE / "r/curve.R", table, "imb-mpi1/PingPong", picture)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("several experiments fit imb-mpi1/PingPong: mode=aggregate, mode=non_aggregate", done.stderr)
        done = run(program, HERE / "r/curve.R", table, "imb-mpi1/PingPong;mode=aggregate", picture)
        self.assert_code(done, 0)
        self.assertTrue(done.stdout.startswith("4 sizes, "))

    def test_the_curve(self):
        program = tool("Rscript")
        table, picture = self.directory / "points.csv", self.directory / "curve.pdf"
        self.assert_code(steelyard("export", self.directory, "--to", "csv", "-o", table), 0)
        done = run(program, HERE / "r/curve.R", table, "imb-mpi1/PingPong", picture)
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, "4 sizes, 1.001 us at 1 byte, 1049.576 us at 1.04858e+06 byte\n")
        self.assertTrue(picture.read_bytes().startswith(b"%PDF"))
        self.assertNotEqual(run(program, HERE / "r/curve.R", table, "imb-mpi1/Bcast", picture).returncode, 0)


class ReFrame(Case):
    """A check of two processes by the real program."""

    def checked(self, *words, **changes):
        reframe = tool("reframe")
        if not HAS_MPI:
            self.skipTest("this build has no MPI")
        settings = {"select": ["imb-mpi1/PingPong"], "words": ["--sizes", "8,1Mi", "--schedule", "fixed:5", "-n", "2"], "budget": "",
                    "num_tasks": 1, "executable": PROGRAM, "figures": ["imb_latency", "imb_bandwidth"], **changes}
        if os.geteuid() == 0:
            settings["words"] += ["--allow-root"]
        check = self.directory / "check.py"
        check.write_text(f"""import sys
sys.path.insert(0, {str(HERE / 'reframe')!r})
import reframe as rfm
from steelyard_check import SteelyardBase

@rfm.simple_test
class Mine(SteelyardBase):
""" + "".join(f"    {name} = {value!r}\n" for name, value in settings.items()))
        return run(reframe, "-c", check, "-n", "Mine", "--prefix", self.directory / "runs", *words)

    def test_figures_are_compared(self):
        for limit, code in ((1.0, 0), (1e-12, 1)):
            done = self.checked("-r", "--performance-report", reference={"*": {"imb_latency": (limit, None, 0.0, "s")}})
            self.assert_code(done, code)
            self.assertIn("imb_latency", done.stdout)
            self.assertIn("byte/s", done.stdout)
        self.assertIn("performance error", done.stdout)

    def test_what_was_not_measured_fails(self):
        for changes, sentence in (({"figures": ["imb_latency", "hpl"]}, "sanity error: not measured: hpl"),
                                  ({"executable": "false"}, "sanity error: [Errno 2]")):
            done = self.checked("-r", **changes)
            self.assert_code(done, 1)
            self.assertIn(sentence, done.stdout)

    def test_what_is_not_run_wants_no_result(self):
        self.assert_code(self.checked("--dry-run"), 0)


class Ramble(Results):
    def application(self):
        """The class, against stand-ins that note what they are told."""
        noted = {"figures": [], "executables": {}, "variables": [], "criteria": {}}
        kit = types.ModuleType("ramble.appkit")
        kit.ExecutableApplication = object
        for name in ("tags", "define_compiler", "software_spec", "required_package", "workload"):
            setattr(kit, name, lambda *_, **__: None)
        kit.executable = lambda name, template, **more: noted["executables"].update({name: (template, more)})
        kit.workload_variable = lambda name, **more: noted["variables"].append(name)
        kit.figure_of_merit = lambda name, **more: noted["figures"].append((name, more))
        kit.success_criteria = lambda name, **more: noted["criteria"].update({name: more})
        sys.modules.update({"ramble": types.ModuleType("ramble"), "ramble.appkit": kit})
        loaded(HERE / "ramble/applications/steelyard/application.py", "application")
        return noted

    def test_figures_are_found_in_the_table(self):
        noted = self.application()
        names = [name for name, _ in noted["figures"]]
        self.assertEqual(len(names), len(set(names)))  # a second one of a name would take the place of the first
        rows = steelyard("export", self.directory, "--to", "csv", "--metrics", "primary").stdout.splitlines()
        found = {}
        for row in rows:
            fit = [(more["units"], match) for _, more in noted["figures"] if (match := re.match(more["fom_regex"], row))]
            self.assertLessEqual(len(fit), 1, row)  # no row is read by two units
            if fit:
                found[fit[0][1]["key"]] = (float(fit[0][1]["median"]), fit[0][0])
        self.assertEqual(len(found), len(self.SIZES))
        for told in csv.DictReader(rows):
            self.assertEqual(found[told["key"]], (float(told["median"]), told["unit"]))
        for pattern in [more["fom_regex"] for _, more in noted["figures"]]:
            self.assertNotIn("{", pattern)  # Ramble would fill it in

    def test_a_summary_is_a_figure(self):
        figures = dict(self.application()["figures"])
        [line] = [line for line in (SOURCE / "tests/record/data/examples.jsonl").read_text().splitlines() if '"type":"summary"' in line]
        self.assertEqual(float(re.match(figures["b_eff"]["fom_regex"], line)["value"]), json.loads(line)["values"]["b_eff_byte_s"])
        self.assertIsNone(re.match(figures["b_eff_io"]["fom_regex"], line))
        self.assertIsNone(re.match(figures["b_eff"]["fom_regex"], line.replace('"b_eff_byte_s":', '"b_eff_byte_s":null,"other":')))

    def test_what_cannot_stand_is_no_success(self):
        criteria = self.application()["criteria"]

        def told(change=lambda point: None):
            self.write(change)
            rows = steelyard("export", self.directory, "--to", "csv", "--metrics", "primary").stdout.splitlines()
            patterns = (criteria["measured"]["match"], criteria["sound"]["anti_match"])
            return [any(re.match(pattern, row) for row in rows) for pattern in patterns]

        self.assertEqual(told(), [True, False])
        self.assertEqual(told(lambda point: point.update(verified=False)), [True, True])
        failed = {"status": "failed", "metrics": {}, "reason": {"code": "mpi_error", "text": "-"}}
        self.assertEqual(told(lambda point: point.update(failed)), [True, True])
        self.assertTrue(re.match(criteria["ended"]["match"], json.dumps(self.end, separators=(",", ":"))))

    def test_words_are_those_of_the_program(self):
        noted = self.application()
        for template, more in noted["executables"].values():
            command = template.split()[1]
            self.assertIn(command, ("run", "export"))
            for option in re.findall(r"--[a-z]+", template):
                if command != "run" or HAS_MPI:
                    self.assertIn(option, steelyard("help", command).stdout)
            self.assertEqual(more["use_mpi"], command == "run")  # what reads a result needs no processes
            for variable in set(re.findall(r"\{(\w+)\}", template)) - {"experiment_run_dir"}:
                self.assertIn(variable, noted["variables"])

    def test_the_real_program_lists_it(self):
        ramble = tool("ramble")
        home = self.directory / "home"
        home.mkdir()
        for words in (["repo", "add", HERE / "ramble"], ["info", "steelyard"]):
            done = run(ramble, *words, HOME=str(home))
            self.assert_code(done, 0)
        self.assertIn("messages", done.stdout)

    def test_the_real_program_finds_figures_of_two_processes(self):
        ramble = tool("ramble")
        if not HAS_MPI:
            self.skipTest("this build has no MPI")
        home, place = self.directory / "home", self.directory / "workspace"
        home.mkdir()
        planted = {"good": "", "wrong": "| sed 's/,true,/,false,/'", "killed": "; sed -i '/\"type\":\"end\"/d' result.jsonl"}
        experiments = ""
        for name, then in planted.items():
            program = self.directory / name / "steelyard"
            program.parent.mkdir()
            program.write_text(f'#!/bin/sh\n{PROGRAM} "$@" {then}\n')
            program.chmod(0o755)
            experiments += f"            {name}: {{env_vars: {{prepend: [{{paths: {{PATH: {program.parent}}}}}]}}}}\n"

        def told(*words):
            done = run(ramble, *words, HOME=str(home))
            self.assert_code(done, 0)

        told("repo", "add", HERE / "ramble")
        told("workspace", "create", "-d", place)
        (place / "configs/ramble.yaml").write_text(f"""ramble:
  variables:
    mpi_command: {LAUNCHER} -n {{n_ranks}}
    batch_submit: '{{execute_experiment}}'
    steelyard_path: {pathlib.Path(PROGRAM).parent.parent}
    n_nodes: 1
    processes_per_node: 2
    additional_args: --sizes 8 --schedule fixed:5
  applications:
    steelyard:
      workloads:
        messages:
          experiments:
{experiments}""")
        for words in (["workspace", "setup"], ["on"], ["on"], ["workspace", "analyze", "--formats", "json"]):
            told("-D", place, *words)
        [log] = place.rglob("good.out")
        self.assertNotIn("not overwritten", log.read_text())  # executed again, it measures again
        results = json.loads((place / "results.latest.json").read_text())["experiments"]
        states = {found["name"].rpartition(".")[2]: found["RAMBLE_STATUS"] for found in results}
        self.assertEqual(states, {"good": "SUCCESS", "wrong": "FAILED", "killed": "FAILED"})
        [good] = [found for found in results if found["name"].endswith(".good")]
        figures = {figure["name"]: figure for context in good["CONTEXTS"] for figure in context["foms"]}
        figure = figures["imb-mpi1/PingPong;message_byte=8;processes=2;type=MPI_BYTE time_s in s"]
        self.assertGreater(float(figure["value"]), 0)
        self.assertEqual(len(figures), 2)


if __name__ == "__main__":
    main()
