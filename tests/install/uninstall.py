# SPDX-License-Identifier: Apache-2.0
"""The script of the target `uninstall`, on made-up installations: what was listed goes, and nothing else."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from installed import CMAKE, uninstall_from  # noqa: E402
from program import SOURCE, Case, main  # noqa: E402

FILES = ("bin/steelyard", "share/steelyard/systems.json")
HARD_NAMES = ("a prefix", "site[1]", "one[bracket", "other]bracket", "j\N{LATIN SMALL LETTER O WITH DIAERESIS}rg",
              "100%5B", "back\\slash", "bar|and*star?")


class Uninstall(Case):
    def setUp(self):
        super().setUp()
        self.build = self.directory / "build [of it"
        self.build.mkdir()

    def note(self, prefix, component="", destdir=""):
        """What the end of an installation notes of its place."""
        script = self.directory / "note.cmake"
        words = " ".join(f"[==[{word}]==]" for word in (self.build, component, destdir, prefix))
        script.write_text(f'include("{SOURCE}/cmake/InstalledList.cmake")\nsteelyard_note_installed({words})\n')
        subprocess.run([CMAKE, "-P", str(script)], capture_output=True, text=True, timeout=60, check=True)

    def put(self, prefix, *files, component="", destdir=""):
        """Installs these files by hand, as CMake would have noted it."""
        for name in files:
            file = pathlib.Path(f"{destdir}{prefix}") / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("installed")
        name = f"install_manifest_{component}.txt" if component else "install_manifest.txt"
        (self.build / name).write_text("\n".join(f"{prefix}/{file}" for file in files))
        self.note(prefix, component, destdir)

    def left(self):
        found = [path for path in self.directory.rglob("*") if path.is_file() or path.is_symlink()]
        return sorted(str(path.relative_to(self.directory)) for path in found
                      if path.name != "note.cmake" and path.parent != self.build)

    def lists(self):
        return sorted(path.name for path in self.build.glob("install_manifest*"))

    def test_names_that_are_patterns_or_lists_elsewhere(self):
        for name in HARD_NAMES:
            with self.subTest(name):
                prefix = self.directory / name / "steelyard"
                foreign = prefix / "share/steelyard/of-the-site.txt"
                foreign.parent.mkdir(parents=True)
                foreign.write_text("kept")
                self.put(prefix, *FILES)
                self.assert_code(uninstall_from(self.build), 0)
                self.assertEqual(self.left(), [str(foreign.relative_to(self.directory))])
                self.assertFalse((prefix / "bin").exists())
                self.assertEqual(self.lists(), [])
                foreign.unlink()

    def test_a_destdir_with_brackets(self):
        root = str(self.directory / "a[1] root;of it")
        self.put("/opt/steelyard", *FILES, destdir=root)
        self.assert_code(uninstall_from(self.build, DESTDIR=root), 0)
        self.assertEqual(self.left(), [])

    def test_hidden_files_and_links_keep_their_directory(self):
        prefix = self.directory / "steelyard[0]"
        self.put(prefix, *FILES)
        (prefix / "bin/.hidden").write_text("kept")
        (prefix / "elsewhere").mkdir()
        (prefix / "share/steelyard/link").symlink_to(prefix / "elsewhere")
        self.assert_code(uninstall_from(self.build), 0)
        self.assertEqual(self.left(), ["steelyard[0]/bin/.hidden", "steelyard[0]/share/steelyard/link"])
        self.assertTrue((prefix / "elsewhere").is_dir())

    def test_a_directory_in_the_place_of_a_file_is_left(self):
        prefix = self.directory / "steelyard"
        self.put(prefix, *FILES)
        (prefix / FILES[0]).unlink()
        (prefix / FILES[0]).mkdir()
        self.assert_code(uninstall_from(self.build), 0)
        self.assertTrue((prefix / FILES[0]).is_dir())

    def test_another_destdir_removes_nothing_and_keeps_the_list(self):
        root = str(self.directory / "root")
        self.put(self.directory / "steelyard", *FILES, destdir=root)
        self.put(self.directory / "steelyard", *FILES, destdir="")  # by somebody else, in the real place
        self.note(self.directory / "steelyard", destdir=root)
        before = self.left()
        self.assertEqual(len(before), 4)
        for wrong in (None, "", "/", root + "2"):
            done = uninstall_from(self.build, DESTDIR=wrong)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"DESTDIR='{root}'", re.sub(r"\s+", " ", done.stderr))
            self.assertEqual((self.left(), self.lists()), (before, ["install_manifest.txt"]))
        self.assert_code(uninstall_from(self.build, DESTDIR=root + "/"), 0)
        self.assertEqual(len(self.left()), 2)

    def test_where_nothing_is_there_the_list_is_kept(self):
        prefix = self.directory / "steelyard"
        self.put(prefix, *FILES)
        prefix.rename(self.directory / "moved")
        done = uninstall_from(self.build)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("none of the 2 files", re.sub(r"\s+", " ", done.stderr))
        self.assertEqual(self.lists(), ["install_manifest.txt"])
        (self.directory / "moved").rename(prefix)
        self.assert_code(uninstall_from(self.build), 0)
        self.assertEqual((self.left(), self.lists()), ([], []))

    def test_what_went_elsewhere_before_is_left_for_the_next_time(self):
        first, second = self.directory / "steelyard-1", self.directory / "steelyard-2"
        self.put(first, *FILES)
        self.put(second, "bin/steelyard", component="program")
        self.put(second, "share/doc/steelyard/install.md", component="documents")
        done = uninstall_from(self.build)
        self.assert_code(done, 0)
        self.assertIn(f"earlier installation in {first}", done.stdout)
        self.assertEqual(self.left(), [f"steelyard-1/{file}" for file in FILES])
        self.assertEqual(self.lists(), ["install_manifest.txt"])
        self.assert_code(uninstall_from(self.build), 0)
        self.assertEqual((self.left(), self.lists()), ([], []))
        self.assertIn("nothing was installed", uninstall_from(self.build).stderr)

    def test_the_last_one_is_that_of_the_last_installation_not_of_the_last_name(self):
        first, second = self.directory / "steelyard-1", self.directory / "steelyard-2"
        self.put(first, "bin/steelyard", component="program")
        self.put(second, "share/doc/steelyard/install.md", component="documents")
        self.put(first, "bin/steelyard", component="program")
        self.assert_code(uninstall_from(self.build), 0)
        self.assertEqual(self.left(), ["steelyard-2/share/doc/steelyard/install.md"])

    def test_a_torn_list_removes_nothing(self):
        prefix = self.directory / "steelyard"
        self.put(prefix, *FILES)
        manifest = self.build / "install_manifest.txt"
        manifest.write_text(f"{prefix}/bin/steelyard\nother/systems.json")
        self.assertIn("no whole path", re.sub(r"\s+", " ", uninstall_from(self.build).stderr))
        self.assertEqual((len(self.left()), self.lists()), (2, ["install_manifest.txt"]))

    def test_a_list_without_its_place_is_left_alone(self):
        self.put(self.directory / "steelyard", *FILES)
        (self.build / "install_places.txt").unlink()
        self.assertNotEqual(uninstall_from(self.build).returncode, 0)
        self.assertEqual((len(self.left()), self.lists()), (2, ["install_manifest.txt"]))

    def test_prefixes_that_no_list_can_hold_are_refused(self):
        script = self.directory / "refuse.cmake"
        for prefix, right in (("/a;b", False), ("/a\nb", False), ("/a[b", True), ("/a b", True)):
            script.write_text(f'include("{SOURCE}/cmake/InstalledList.cmake")\n'
                              f"steelyard_refuse_prefix([==[{prefix}]==])\n")
            done = subprocess.run([CMAKE, "-P", str(script)], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode == 0, right, prefix)


if __name__ == "__main__":
    main()
