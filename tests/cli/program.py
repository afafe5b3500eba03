# SPDX-License-Identifier: Apache-2.0
"""What the tests of the whole program share: starting it and looking at what comes back."""

import atexit
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["STEELYARD_PROGRAM"]
SOURCE = pathlib.Path(os.environ["STEELYARD_SOURCE"])
LAUNCHER = os.environ.get("STEELYARD_TEST_LAUNCHER", "")
HAS_MPI = os.environ.get("STEELYARD_TEST_MPI") == "1"
SANITIZED = os.environ.get("STEELYARD_TEST_SANITIZED") == "1"
LIMIT_S = 500 if SANITIZED else 250
CACHE = tempfile.mkdtemp(prefix="steelyard-cache-")  # rates of surveys: not those of the user
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)


# Component osc/ucx of Open MPI 4.1 adds floats of MPI_Fetch_and_op as whole numbers; osc/pt2pt hangs with many under way,
# and gives wrong data where several fetch. osc/rdma needs processes that may read one another's memory.
SOUND_WINDOWS = {"OMPI_MCA_osc": "rdma,sm", "OMPI_MCA_btl_vader_single_copy_mechanism": "cma"}


def environment(**variables):
    """The tests' own environment without what a user's settings would change. What is preloaded comes before what lets
    processes sleep while they wait."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("STEELYARD_")}
    kept.update({"LC_ALL": "C", "TERM": "xterm", "COLUMNS": "100", "XDG_CACHE_HOME": CACHE})
    kept.update(variables)
    if variables.get("LD_PRELOAD") and os.environ.get("LD_PRELOAD"):
        kept["LD_PRELOAD"] = f"{variables['LD_PRELOAD']}:{os.environ['LD_PRELOAD']}"
    return {k: v for k, v in kept.items() if v is not None}


def steelyard(*words, program=PROGRAM, cwd=None, stdin=None, **variables):
    """Runs the program to its end."""
    return subprocess.run([program, *map(str, words)], env=environment(**variables), cwd=cwd, input=stdin,
                          capture_output=True, text=True, timeout=LIMIT_S)


def under_launcher(processes, *words, **variables):
    """Runs the program under the launcher."""
    return subprocess.run([LAUNCHER, "-n", str(processes), PROGRAM, *map(str, words)], env=environment(**variables),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S)


def records(directory):
    """The records of a result directory; a torn last line is an error."""
    text = (pathlib.Path(directory) / "result.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")] if text else []


def median_of(point, metric):
    """A metric of a record: a number, or the median of statistics."""
    held = point["metrics"][metric]
    return held["median"] if isinstance(held, dict) else held


def of_type(all_records, kind):
    return [record for record in all_records if record["type"] == kind]


def tool(name):
    """Path of a foreign program; ends the test as skipped where it is missing."""
    found = shutil.which(name)
    if found is None:
        raise unittest.SkipTest(f"{name} is not installed")
    return found


def kill_tree(run):
    """Kills what we started, children first; they are found by their parents."""
    family = [run.pid]
    for pid in family:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
        family += map(int, children.read_text().split()) if children.exists() else []
    for pid in reversed(family):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    run.communicate(timeout=30)


class Case(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def assert_code(self, done, code):
        self.assertEqual(done.returncode, code, f"stdout: {done.stdout[-2000:]}\nstderr: {done.stderr[-2000:]}")

    def assert_of_schema(self, all_records):
        """Ends the test as skipped where what checks that is missing."""
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        validator = jsonschema.Draft202012Validator(json.loads((SOURCE / "src/record/result.schema.json").read_text()))
        for record in all_records:
            self.assertEqual([error.message for error in validator.iter_errors(record)], [], record["type"])

    def assert_refused(self, done, code, *lines):
        """The code, nothing on standard output, and these lines of our own on standard error."""
        self.assert_code(done, code)
        self.assertEqual(done.stdout, "")
        for line in lines:
            self.assertIn(line, done.stderr)


def main():
    """Runs the tests of a script; 77 if all of them were skipped."""
    # Where the tests run in the background of a shell it is ignored, and programs that they start would keep it so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    program = unittest.main(exit=False, verbosity=2)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun > 0 and len(result.skipped) == result.testsRun else 0)
