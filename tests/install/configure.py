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
WORDS = ("STEELYARD_MPI", "STEELYARD_WEB", "STEELYARD_TESTS", "STEELYARD_WERROR")


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

    def options(self, *words):
        script = self.directory / "options.cmake"
        told = "".join(f"message(STATUS \"{option} is ${{{option}}},\")\n" for option in WORDS)
        script.write_text(f'cmake_minimum_required(VERSION 3.25)\ninclude("{SOURCE}/cmake/SteelyardOptions.cmake")\n{told}')
        return cmake(*(f"-D{word}" for word in words), "-P", script)

    def test_words_of_options(self):
        code, said = self.options()
        self.assertEqual(code, 0, said)
        for option, default in zip(WORDS, ("ON", "AUTO", "ON", "OFF")):
            self.assertIn(f"{option} is {default},", said)
        for given, kept in (("STEELYARD_MPI=SMPI", "SMPI"), ("STEELYARD_MPI=no", "OFF"), ("STEELYARD_WEB=1", "ON"),
                            ("STEELYARD_WEB=off", "OFF"), ("STEELYARD_WERROR=True", "ON")):
            code, said = self.options(given)
            self.assertEqual(code, 0, said)
            self.assertIn(f"{given.split('=')[0]} is {kept},", said)
        self.refused(self.options("STEELYARD_MPI=maybe"), "STEELYARD_MPI is one of ON, OFF, SMPI; got 'maybe'")
        self.refused(self.options("STEELYARD_MPI=smpi"), "got 'smpi'")
        self.refused(self.options("STEELYARD_WEB=MAYBE"), "STEELYARD_WEB is one of ON, OFF, AUTO; got 'MAYBE'")
        self.refused(self.options("STEELYARD_TESTS=2"), "STEELYARD_TESTS is one of ON, OFF; got '2'")
        self.refused(self.options("STEELYARD_INSTALL_LINKS=lib"), "STEELYARD_INSTALL_LINKS is one of libdir, bin; got 'lib'")


if __name__ == "__main__":
    main()
