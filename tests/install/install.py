# SPDX-License-Identifier: Apache-2.0
"""`cmake --install`: into a prefix with spaces, twice side by side, moved, below DESTDIR, by components, and removed again."""

import json
import os
import pathlib
import re
import shutil
import subprocess

from installed import BUILD, CMAKE, Case, environment, files_of, install, main, uninstall
from program import HAS_MPI, PROGRAM, SOURCE, steelyard, tool

CLASSIC = ("IMB-MPI1", "IMB-EXT", "IMB-IO", "b_eff", "b_eff_io", "ftio", "hpcc", "hpl")
MODULES = "share/steelyard/modulefiles"
LINK = re.compile(r"\[[^][]*\]\((?!https?:)([^()\s]+)\)")


def modules_of(place, *words, **variables):
    """What Environment Modules print of modules below a directory for a shell; skips where they are not installed."""
    command = shutil.which("modulecmd") or next(map(str, pathlib.Path("/usr/lib").glob("*/modulecmd.tcl")), None)
    if command is None:
        tool("modulecmd")
    return subprocess.run([tool("tclsh"), command, "sh", *words] if command.endswith(".tcl") else [command, "sh", *words],
                          env=environment(MODULEPATH=str(place), LOADEDMODULES=None, _LMFILES_=None, **variables),
                          capture_output=True, text=True, timeout=60, check=False)


def said_after(commands, script, **variables):
    """What a shell prints that has done what a module wants."""
    return subprocess.run([tool("sh"), "-c", f"{commands}\n{script}"], env=environment(**variables), capture_output=True,
                          text=True, timeout=60, check=False).stdout


def headings_of(page):
    """What links call the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class Installed(Case):
    def setUp(self):
        super().setUp()
        self.prefix = self.directory / "a prefix with spaces"

    def test_what_is_installed_where(self):
        install(self.prefix)
        found = files_of(self.prefix)
        libdir = next((p.parent.parent.relative_to(self.prefix) for p in self.prefix.rglob("steelyard/bin")), None)
        wanted = {"bin/steelyard", "share/man/man1/steelyard.1", "share/man/man1/steelyard-report.1",
                  "share/bash-completion/completions/steelyard", "share/zsh/site-functions/_steelyard",
                  "share/fish/vendor_completions.d/steelyard.fish", "share/steelyard/systems.json",
                  "share/steelyard/result.schema.json", "share/steelyard/integrations/python/steelyard_results.py",
                  "share/steelyard/integrations/reframe/steelyard_check.py", "share/steelyard/examples/delivery.toml",
                  "share/steelyard/examples/points.py", "share/doc/steelyard/install.md",
                  "share/doc/steelyard/reference/steelyard-export.md", "share/doc/steelyard/LICENSE"}
        if HAS_MPI:
            wanted |= {f"{libdir}/steelyard/bin/{name}" for name in CLASSIC}
        self.assertLessEqual(wanted, found, wanted - found)
        self.assertFalse([name for name in found if "__pycache__" in name])
        self.assertFalse([name for name in found if name.startswith("bin/") and name != "bin/steelyard"])
        json.loads((self.prefix / "share/steelyard/result.schema.json").read_text())

    def test_the_installed_program_is_the_built_one_and_can_be_moved(self):
        install(self.prefix)
        moved = self.directory / "moved, again with spaces"
        self.prefix.rename(moved)
        program = moved / "bin/steelyard"
        self.assertEqual(steelyard("--version", "--verbose", program=program).stdout, steelyard("--version", "--verbose").stdout)
        self.assert_code(steelyard("systems", program=program), 0)
        for link in moved.rglob("steelyard/bin/*"):
            self.assertEqual(link.resolve(), program.resolve(), link)
            self.assert_code(steelyard("--version", program=link), 0)

    def test_the_installed_program_looks_for_libraries_where_the_built_one_does(self):
        install(self.prefix, "--component", "program")
        looked = []
        for program in (PROGRAM, self.prefix / "bin/steelyard"):
            done = subprocess.run([tool("readelf"), "-d", str(program)], capture_output=True, text=True, timeout=60, check=True)
            looked.append(re.findall(r"R(?:UN)?PATH.*\[(.*)\]", done.stdout))
        self.assertEqual(looked[0], looked[1])
        for place in ":".join(looked[1]).split(":") if looked[1] else []:
            self.assertTrue(os.path.isabs(place), looked[1])  # an empty one is the folder that a user happens to be in

    def test_two_versions_stand_side_by_side(self):
        old, new = self.directory / "0.0.9", self.directory / "0.1.0"
        for prefix in (old, new):
            install(prefix)
        uninstall(self.directory)  # the last one
        self.assertEqual(files_of(new), set())
        self.assert_code(steelyard("list", program=old / "bin/steelyard"), 0)

    def module(self):
        """The installed file for modules."""
        install(self.prefix)
        [module] = (self.prefix / MODULES / "steelyard").iterdir()
        self.assertRegex(module.name, r"^\d+\.\d+\.\d+")
        return module

    def assert_loads(self, place, prefix):
        loaded = modules_of(place, "load", "steelyard")
        self.assertNotIn("ERROR", loaded.stderr)
        self.assertEqual(said_after(loaded.stdout, "command -v steelyard"), f"{prefix}/bin/steelyard\n", loaded.stderr)

    def test_modules_find_the_program_from_their_own_place(self):
        install(self.prefix)
        moved = self.directory / "moved, with spaces"
        self.prefix.rename(moved)
        self.assert_loads(moved / MODULES, moved)

    def test_linked_modules_find_the_program(self):
        module = self.module()
        for name, what, link in (("file", module, f"steelyard/{module.name}"), ("folder", module.parent, "steelyard")):
            path = self.directory / name / link
            path.parent.mkdir(parents=True)
            path.symlink_to(what)
            self.assert_loads(self.directory / name, self.prefix)
        chain = self.directory / "chain/steelyard" / module.name
        chain.parent.mkdir(parents=True)
        chain.symlink_to(os.path.relpath(self.directory / "file/steelyard" / module.name, chain.parent))
        self.assert_loads(self.directory / "chain", self.prefix)

    def test_a_copied_module_says_that_there_is_no_program(self):
        module = self.module()
        copied = self.directory / "copied/modules/of/the/site/steelyard" / module.name
        copied.parent.mkdir(parents=True)
        shutil.copy(module, copied)
        loaded = modules_of(copied.parent.parent, "load", "steelyard")
        self.assertIn(f"steelyard: there is no program {self.directory}/copied/modules/bin/steelyard.", loaded.stderr)
        self.assertNotIn("copied/modules/bin", loaded.stdout)
        self.assertIn("benchmarks of message passing", modules_of(copied.parent.parent, "whatis", "steelyard").stderr)

    def test_a_module_hides_no_manual_pages(self):
        place = self.module().parent.parent
        pages = f"{self.prefix}/share/man"
        for before, after in ((None, "not set"), ("/site/man", f"{pages}:/site/man"),
                              ("/site/man:", f"{pages}:/site/man:"), (":/site/man", f"{pages}::/site/man")):
            loaded = modules_of(place, "load", "steelyard", MANPATH=before)
            self.assertEqual(said_after(loaded.stdout, "echo ${MANPATH-not set}", MANPATH=before), f"{after}\n")
        loaded = modules_of(place, "load", "steelyard", MANPATH=None)
        tool("man")
        searched = said_after("", "man -w", MANPATH=None).strip().split(":")
        found = said_after(loaded.stdout, "man -w", MANPATH=None).strip().split(":")
        self.assertLessEqual({pages, *searched}, set(found))

    def test_removing_leaves_what_was_there_before(self):
        kept = [self.prefix / "bin/other", self.prefix / "share/steelyard/of-the-site.txt"]
        for file in kept:
            file.parent.mkdir(parents=True)
            file.write_text("kept")
        install(self.prefix)
        self.assertGreater(len(files_of(self.prefix)), 40)
        done = uninstall(self.directory)
        self.assert_code(done, 0)
        self.assertEqual(files_of(self.prefix), {str(file.relative_to(self.prefix)) for file in kept})
        self.assertEqual([path for path in self.prefix.rglob("steelyard*") if path.is_dir()], [self.prefix / "share/steelyard"])

    def test_a_component_in_another_prefix_is_removed_alone(self):
        installed = install(self.prefix)
        whole = files_of(self.prefix)
        other = self.directory / "another [1"
        install(other, "--component", "module", after=installed)
        self.assertEqual(len(files_of(other)), 1)
        done = uninstall(self.directory)
        self.assert_code(done, 0)
        self.assertIn(f"earlier installation in {self.prefix}", done.stdout)
        self.assertEqual((files_of(other), files_of(self.prefix)), (set(), whole))

    def test_a_prefix_that_no_list_can_hold_is_refused(self):
        with self.assertRaisesRegex(AssertionError, "semicolon"):
            install(self.directory / "a;b")
        self.assertEqual(files_of(self.directory), set())

    def test_removing_what_was_never_installed_is_told(self):
        done = uninstall(self.directory / "none")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing was installed", done.stderr)

    def test_destdir_stands_before_the_prefix(self):
        install("/opt/steelyard", DESTDIR=str(self.directory / "root"))
        inside = self.directory / "root/opt/steelyard"
        self.assertIn("bin/steelyard", files_of(inside))
        for link in inside.rglob("steelyard/bin/*"):
            self.assertFalse(os.path.isabs(os.readlink(link)), link)
        self.assert_code(uninstall(self.directory, DESTDIR=str(self.directory / "root")), 0)
        self.assertEqual(files_of(self.directory / "root"), set())

    def test_components_divide_what_is_installed(self):
        install(self.prefix)
        whole = files_of(self.prefix)
        parts = []
        for component in ("program", "documents", "module"):
            install(self.directory / component, "--component", component)
            parts += files_of(self.directory / component)
        self.assertEqual(sorted(parts), sorted(whole))

    def false_links(self):
        """Links of installed pages that lead to no file, or to one without the heading that they name: "page: link"."""
        found = []
        for page in self.prefix.rglob("*.md"):
            for link in LINK.findall(page.read_text(encoding="utf-8")):
                path, _, part = link.partition("#")
                target = page.parent / path if path else page
                if not target.exists() or (part and part not in headings_of(target)):
                    found.append(f"{page.relative_to(self.prefix)}: {link}")
        return found

    def test_every_link_of_installed_pages_leads_somewhere(self):
        install(self.prefix)
        install(self.prefix)  # over itself
        pages = self.prefix / "share/doc/steelyard"
        self.assertEqual(self.false_links(), [])
        self.assertIn("](../../steelyard/examples/delivery.toml)", (pages / "acceptance.md").read_text())
        self.assertIn(" bench (`bench/README.md` of the sources)", (pages / "speed.md").read_text())
        (pages / "report.md").unlink()
        self.assertTrue(self.false_links())

    def test_links_are_true_wherever_pages_go(self):
        install("/opt/steelyard", DESTDIR=str(self.directory / "root"))
        self.prefix = self.directory / "root/opt/steelyard"
        self.assertEqual(self.false_links(), [])

    def test_pages_that_the_program_names_are_installed(self):
        install(self.prefix)
        texts = [page.read_text() for page in (self.prefix / "share/man/man1").iterdir()]
        texts += [steelyard("list", "--long").stdout, (self.prefix / "share/steelyard/result.schema.json").read_text()]
        texts += [example.read_text() for example in (self.prefix / "share/steelyard/examples").glob("*.toml")]
        named = {page for text in texts for page in re.findall(r"[\w./-]+\.md\b", text)}
        self.assertLessEqual({"acceptance.md", "records.md", "screening.md"}, named)
        self.assertEqual({page for page in named if not (self.prefix / "share/doc/steelyard" / page).exists()}, set())

    def test_completion_of_the_installed_files(self):
        install(self.prefix)
        script = f". '{self.prefix}/share/bash-completion/completions/steelyard'; complete -p steelyard"
        done = subprocess.run([tool("bash"), "-c", script], capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual((done.stdout.strip(), done.stderr), ("complete -F _steelyard steelyard", ""))

    def test_manual_pages_are_found(self):
        install(self.prefix)
        man = tool("man")
        done = subprocess.run([man, "-M", str(self.prefix / "share/man"), "-w", "steelyard-report"], capture_output=True, text=True,
                              timeout=30, check=False)
        self.assertEqual(done.stdout.strip(), str(self.prefix / "share/man/man1/steelyard-report.1"), done.stderr)

    def test_wrong_suffix_is_refused_when_configured(self):
        text = (SOURCE / "apps/steelyard/install.cmake").read_text()
        script = self.directory / "suffix.cmake"
        script.write_text(text[text.index("set(program_name"):text.index("if(STEELYARD_PROGRAM_SUFFIX STREQUAL")])
        for suffix, right in (("", True), (".mpich", True), ("-0.1", True), ("_openmpi", True), ("mpich", False), ("/bin", False),
                              (".a b", False)):
            done = subprocess.run([CMAKE, f"-DSTEELYARD_PROGRAM_SUFFIX={suffix}", "-P", str(script)], capture_output=True, text=True,
                                  timeout=30, check=False)
            self.assertEqual(done.returncode == 0, right, f"'{suffix}': {done.stderr}")


class Measuring(Case):
    """Processes start from a path with spaces, and results go to one."""

    def test_two_processes(self):
        prefix = self.directory / "a prefix with spaces"
        install(prefix, "--component", "program")
        result = self.directory / "results of a run"
        words = ["run", "-n", "2", "imb-mpi1/PingPong", "--sizes", "8", "--schedule", "fixed:3", "-q", "-o", result]
        done = steelyard(*words, *(["--allow-root"] if os.geteuid() == 0 else []), program=prefix / "bin/steelyard")
        self.assert_code(done, 0)
        self.assertIn('"type":"end"', (result / "result.jsonl").read_text())


if __name__ == "__main__":
    assert (BUILD / "cmake_install.cmake").exists()
    main()
