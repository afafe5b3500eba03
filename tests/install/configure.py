# SPDX-License-Identifier: Apache-2.0
"""What is refused or told when a build tree is configured: places, generators, words of options, libraries that were named."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case, environment, main  # noqa: E402

CMAKE = os.environ["STEELYARD_CMAKE"]


def cmake(*words):
    """Exit code, and what CMake says in one line."""
    done = subprocess.run([CMAKE, *map(str, words)], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=240, check=False)
    return done.returncode, re.sub(r"\s+", " ", done.stdout)


class Configure(Case):
    def refused(self, answer, *sentences):
        self.assertNotEqual(answer[0], 0, answer[1])
        for sentence in sentences:
            self.assertIn(sentence, answer[1])

    def test_sources_below_a_folder_whose_name_is_a_pattern(self):
        for i, name in enumerate(("a[1]", "a[", "a]", "a*", "a?", "a;b")):
            tree = self.directory / name
            tree.mkdir()
            shutil.copy(SOURCE / "CMakeLists.txt", tree)
            self.refused(cmake("-S", tree, "-B", self.directory / f"build{i}"), "cannot be built from a folder with one of")

    def test_generators_of_several_configurations(self):
        answer = cmake("-S", SOURCE, "-B", self.directory / "build", "-G", "Ninja Multi-Config")
        self.refused(answer, "one configuration per build folder", "not Ninja Multi-Config")


if __name__ == "__main__":
    main()
