# SPDX-License-Identifier: Apache-2.0
"""Runs a script of this folder as ctest would, with words of one's own, in one build after the other.

    by_hand.py BUILD[,BUILD...] alone.py|kills.py WORD...
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def environment_of(build):
    """What the tests of this folder are told in a build."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-R", r"^faults\."], capture_output=True, text=True,
                           check=True)
    for test in json.loads(shown.stdout)["tests"]:
        for one in test["properties"]:
            if one["name"] == "ENVIRONMENT":
                return dict(variable.split("=", 1) for variable in one["value"])
    sys.exit(f"by_hand.py: {build} has no tests of faults")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    builds, script, *words = sys.argv[1:]
    codes = [subprocess.run([sys.executable, "-B", str(HERE / script), *words], env={**os.environ, **environment_of(build)},
                            check=False).returncode for build in builds.split(",")]
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
