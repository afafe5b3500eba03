# SPDX-License-Identifier: Apache-2.0
"""`./quickstart --no-install` on systems with and without what it needs: their commands are stand-ins that note their words."""

import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case, main, tool  # noqa: E402

# Of the shell; all else is a stand-in or not there.
REAL = ("awk", "basename", "cat", "dirname", "env", "grep", "head", "id", "mkdir", "nproc", "sed", "sh", "sort", "tail")
BUILDING = ("cmake", "ninja", "cc", "c++")
FETCHING = ("apt-get", "sudo", "npm", "git", "curl")


class Quickstart(Case):
    def setUp(self):
        super().setUp()
        self.noted = self.directory / "noted.txt"
        self.path = self.directory / "bin"
        self.path.mkdir()
        for name in REAL:
            (self.path / name).symlink_to(tool(name))
        for file in ("quickstart", "cmake/shell/common.sh"):
            (self.directory / "tree" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / file, self.directory / "tree" / file)

    def stand_in(self, *names, says=""):
        for name in names:
            file = self.path / name
            file.write_text(f"#!/bin/sh\necho \"{name} $*\" >>'{self.noted}'\necho '{says}'\n")
            file.chmod(0o755)

    def quickstart(self, *words, install=("--no-install",), cwd=None):
        """What it says, and the words that stand-ins were called with; there is never a program that it could run."""
        done = subprocess.run([str(self.directory / "tree/quickstart"), *install, *words], env={"PATH": str(self.path)},
                              cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False)
        return done, self.noted.read_text().splitlines() if self.noted.exists() else []

    def test_what_nothing_is_built_without_is_named_in_one_line(self):
        self.stand_in("c++", "gcc")
        done, noted = self.quickstart()
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "not found: cmake ninja; docs/install.md names the packages")
        self.assertEqual(noted, [])

    def test_an_old_cmake_is_named_with_its_version(self):
        self.stand_in(*BUILDING, says="cmake version 3.22.1")
        done, _ = self.quickstart()
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("not found: cmake 3.25 (this one is 3.22.1);", done.stdout)

    def test_it_builds_with_the_library_that_is_there(self):
        self.stand_in(*BUILDING, says="cmake version 4.1.0")
        done, noted = self.quickstart("--mpi", "mpich")
        self.assertIn("no mpicc.mpich here: building with the MPI library that CMake finds", done.stdout)
        self.assertIn("cmake --preset release -DSTEELYARD_TESTS=OFF -DSTEELYARD_WEB=AUTO", noted)
        self.stand_in("mpicc.mpich")
        done, noted = self.quickstart("--mpi", "mpich", "--prefix", "/nowhere")
        self.assertIn("\nbuilding with mpich ...", done.stdout)
        self.assertIn("cmake --preset release-mpich -DSTEELYARD_TESTS=OFF -DSTEELYARD_WEB=AUTO", noted)
        self.assertIn("cmake --install build/release-mpich --prefix /nowhere", noted)

    def test_without_charts_nothing_is_fetched(self):
        self.stand_in(*BUILDING, "dpkg-query", *FETCHING, says="cmake version 3.25.1")
        done, noted = self.quickstart("--no-report")
        self.assertIn("not installed: g++ cmake ninja-build ", done.stdout)
        self.assertIn("cmake --preset release -DSTEELYARD_TESTS=OFF -DSTEELYARD_WEB=OFF", noted)
        self.assertFalse([line for line in noted if line.split(" ")[0] in FETCHING], noted)

    def test_a_prefix_is_below_where_the_user_stands(self):
        self.stand_in(*BUILDING, says="cmake version 3.25.1")
        place = self.directory / "where the user stands"
        place.mkdir()
        done, noted = self.quickstart("--prefix", "an inst", cwd=place)
        self.assertIn(f"cmake --install build/release --prefix {place}/an inst", noted)
        self.assertIn(f"installed under {place}/an inst\n", done.stdout)

    def test_a_release_has_its_charts_without_node(self):
        self.stand_in(*BUILDING, "dpkg-query", "apt-get", says="cmake version 3.25.1")
        _, noted = self.quickstart("--no-report")
        self.assertIn("cmake --preset release -DSTEELYARD_TESTS=OFF -DSTEELYARD_WEB=OFF", noted)
        self.assertIn("nodejs npm", self.quickstart()[0].stdout)
        page = self.directory / "tree/web/built/template.html"
        page.parent.mkdir(parents=True)
        page.write_text("page")
        for words in ((), ("--no-report",)):
            self.noted.unlink()
            done, noted = self.quickstart(*words)
            self.assertNotIn("nodejs", done.stdout)
            self.assertIn("cmake --preset release -DSTEELYARD_TESTS=OFF -DSTEELYARD_WEB=AUTO", noted)

    def test_without_root_rights_it_tells_how_to_go_on(self):
        self.stand_in(*BUILDING, "dpkg-query", "apt-get", says="cmake version 3.25.1")
        (self.path / "id").unlink()
        self.stand_in("id", says="1000")
        done, _ = self.quickstart(install=())
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stdout, r"no root rights; please install: g\+\+ .*--no-install")


if __name__ == "__main__":
    main()
