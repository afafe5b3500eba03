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

from program import HAS_MPI, LIMIT_S, PROGRAM, SOURCE, Case, environment, main, steelyard, tool  # noqa: E402

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


class Python(Results):
    def read(self, *words):
        return run(sys.executable, "-B", HERE / "python/steelyard_results.py", *words)

    def test_figures_of_merit(self):
        done = self.read(self.directory)
        self.assert_code(done, 0)
        self.assertRegex(done.stdout, r"(?m)^pingpong_latency +1\.008e-06 s  9\.072e-07 \.\. 1\.1088e-06  noisy$")
        self.assertRegex(done.stdout, r"(?m)^pingpong_bandwidth +9\.99\d+e\+08 byte/s")

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


class R(Results):
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
    def test_two_processes_by_the_real_program(self):
        reframe = tool("reframe")
        if not HAS_MPI:
            self.skipTest("this build has no MPI")
        check = self.directory / "check.py"
        check.write_text(f"""import sys
sys.path.insert(0, {str(HERE / 'reframe')!r})
import reframe as rfm
from steelyard_check import SteelyardBase

@rfm.simple_test
class Mine(SteelyardBase):
    select = ['imb-mpi1/PingPong']
    words = ['--sizes', '8,1Mi', '--schedule', 'fixed:5', '-n', '2'{", '--allow-root'" if os.geteuid() == 0 else ""}]
    budget = ''
    num_tasks = 1
    executable = {PROGRAM!r}
    figures = ['pingpong_latency', 'pingpong_bandwidth']
    reference = {{'*': {{'pingpong_latency': (1.0, None, 0.0, 's')}}}}
""")
        done = run(reframe, "-c", check, "-n", "Mine", "-r", "--prefix", self.directory / "runs", "--performance-report")
        self.assert_code(done, 0)
        self.assertIn("pingpong_latency", done.stdout)
        self.assertIn("byte/s", done.stdout)


class Ramble(Results):
    def application(self):
        """The class, against stand-ins that note what they are told."""
        noted = {"figures": [], "executables": {}, "variables": []}
        kit = types.ModuleType("ramble.appkit")
        kit.ExecutableApplication = object
        for name in ("tags", "define_compiler", "software_spec", "required_package", "workload"):
            setattr(kit, name, lambda *_, **__: None)
        kit.executable = lambda name, template, **more: noted["executables"].update({name: (template, more)})
        kit.workload_variable = lambda name, **more: noted["variables"].append(name)
        kit.figure_of_merit = lambda name, **more: noted["figures"].append((name, more))
        kit.success_criteria = lambda name, **more: noted.update(success=more)
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
        self.assertTrue(any(re.match(noted["success"]["match"], row) for row in rows))

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


if __name__ == "__main__":
    main()
