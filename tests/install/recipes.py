# SPDX-License-Identifier: Apache-2.0
"""Recipes of packages agree with what they package: version, names of packages, syntax. Building them: packaging/test.sh."""

import ast
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case, main, tool  # noqa: E402

PACKAGING = SOURCE / "packaging"


def text_of(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def version():
    return re.search(r"^project\(steelyard VERSION ([0-9.]+)", text_of("CMakeLists.txt"), re.MULTILINE)[1]


def packages_of_debian():
    """What quickstart installs to build with Open MPI and MPICH."""
    words = re.search(r"^packages_build='([^']+)'", text_of("cmake/shell/common.sh"), re.MULTILINE)[1].split()
    return [word for word in words if word.startswith("lib") or word in ("nlohmann-json3-dev", "zlib1g-dev")]


class Versions(Case):
    def test_every_recipe_has_the_version_of_the_program(self):
        self.assertRegex(text_of("packaging/debian/changelog"), rf"^steelyard \({re.escape(version())}-\d+\)")
        self.assertIn(f"\nVersion:        {version()}\n", text_of("packaging/rpm/steelyard.spec"))
        easyconfigs = list((PACKAGING / "easybuild").glob("*.eb"))
        self.assertTrue(easyconfigs)
        for file in easyconfigs:
            self.assertTrue(file.name.startswith(f"steelyard-{version()}-"), file)
            self.assertIn(f"version = '{version()}'", file.read_text())
        for file in ("packaging/docker/Dockerfile", "packaging/apptainer/steelyard.def"):
            self.assertIn(f"steelyard-{version()}.tar.gz", text_of(file), file)
        self.assertIn(f"## {version()}", text_of("CHANGELOG.md"))


class Packages(Case):
    def test_what_is_needed_is_named_everywhere(self):
        page, control = text_of("docs/install.md"), text_of("packaging/debian/control")
        for package in packages_of_debian():
            self.assertIn(package, page)
            self.assertIn(package, control)
            for file in ("packaging/docker/Dockerfile", "packaging/apptainer/steelyard.def"):
                self.assertIn(package, text_of(file), file)

    def test_every_file_of_debian_belongs_to_a_package(self):
        packages = set(re.findall(r"^Package: (\S+)", text_of("packaging/debian/control"), re.MULTILINE))
        self.assertEqual(packages, {"steelyard", "steelyard-mpich", "steelyard-readers", "steelyard-common"})
        chosen = {file.stem for file in (PACKAGING / "debian").glob("*.alternatives")}
        self.assertEqual(chosen, packages - {"steelyard-common"})
        priorities = [re.search(r"Priority: (\d+)", file.read_text())[1] for file in (PACKAGING / "debian").glob("*.alternatives")]
        self.assertEqual(len(priorities), len(set(priorities)))

    def test_pages_of_debian_keep_the_names_that_links_have(self):
        self.assertIn("\tdh_compress -X.md\n", text_of("packaging/debian/rules"))

    def test_archives_know_their_commit(self):
        self.assertRegex(text_of("cmake/commit.txt"), r"^(\$Format:%H\$|[0-9a-f]{40})\n$")  # git fills it in
        self.assertIn("/cmake/commit.txt export-subst", text_of(".gitattributes"))


class Syntax(Case):
    def test_recipes_in_python_are_python(self):
        files = [*PACKAGING.rglob("*.py"), *PACKAGING.rglob("*.eb"), *(SOURCE / "integrations").rglob("*.py")]
        self.assertGreaterEqual(len(files), 5)
        for file in files:
            ast.parse(file.read_text(encoding="utf-8"), str(file))

    def test_the_specification_for_rpm_is_understood(self):
        done = subprocess.run([tool("rpmspec"), "-q", "--qf", "%{NAME} %{VERSION}\n", str(PACKAGING / "rpm/steelyard.spec")],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assert_code(done, 0)
        self.assertEqual(done.stdout.split("\n")[:-1], [f"{name} {version()}" for name in
                                                        ("steelyard", "steelyard-common", "steelyard-openmpi", "steelyard-mpich")])


class Release(Case):
    def refused(self, *words):
        done = subprocess.run([str(PACKAGING / "release.sh"), "--output", str(self.directory), *words], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assert_code(done, 2)
        self.assertEqual(list(self.directory.iterdir()), [])
        return done.stderr

    def test_wrong_words_make_nothing(self):
        if not (SOURCE / ".git").exists():
            self.skipTest("not a checkout")
        tool("git")
        self.assertIn("'--nonsense' is not understood", self.refused("--nonsense"))
        self.assertIn("'none' is no commit", self.refused("none"))
        self.assertIn("--page wants a value", self.refused("--page"))
        self.assertIn("is not there or empty", self.refused("--draft", "--page", "/none"))


if __name__ == "__main__":
    main()
