# SPDX-License-Identifier: Apache-2.0
"""The looks of the sources: layout, headers, shell, rooms; and that the scripts which look at them find what is wrong."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case, main, tool  # noqa: E402

HERE = SOURCE / "tests/style"
BUILD = pathlib.Path(os.environ["STEELYARD_BUILD"])
PRETTIER = BUILD / "web/node_modules/prettier/bin/prettier.cjs"


GROUND = ("units", "stats", "record", "fourier", "mpi")  # rooms that clang-tidy looks at in ./check --all


def script(path, *words):
    """Runs a script of ours; ends the test as skipped, with its sentence, where the script says so."""
    done = subprocess.run([sys.executable, "-B", str(path), *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise unittest.SkipTest(done.stdout.strip())
    return done


class Tree(Case):
    """A tree of sources that a test writes."""

    def write(self, path, text):
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def write_commands(self, *sources):
        compiler = [tool("g++"), f"-I{self.directory / 'src'}", "-std=c++20", "-c"]
        entries = [{"directory": "/", "file": str(self.directory / source),
                    "arguments": [*compiler, str(self.directory / source), "-o", f"src/room.dir/{source}.o"]} for source in sources]
        self.write("compile_commands.json", json.dumps(entries))


class Format(Tree):
    def test_sources_are_laid_out_as_clang_format_says(self):
        self.assert_code(script(HERE / "format.py", SOURCE), 0)

    def test_another_layout_is_found_and_mended(self):
        self.write(".clang-format", (SOURCE / ".clang-format").read_text())
        self.write("src/right.cpp", "int right = 1;\n")
        self.write("src/wrong.cpp", "int   wrong=1 ;\n")
        found = script(HERE / "format.py", self.directory)
        self.assert_code(found, 1)
        self.assertIn("src/wrong.cpp is not laid out", found.stdout)
        self.assertNotIn("right.cpp", found.stdout)
        self.assert_code(script(HERE / "format.py", "--fix", self.directory), 0)
        self.assertEqual((self.directory / "src/wrong.cpp").read_text(), "int wrong = 1;\n")


class Page(Case):
    def test_the_page_is_laid_out_as_prettier_says(self):
        self.assert_code(script(HERE / "format.py", "--prettier", PRETTIER, SOURCE), 0)


class Shell(Case):
    def test_shellcheck_has_nothing_to_say(self):
        scripts = [SOURCE / "check", SOURCE / "quickstart"]
        scripts += sorted((SOURCE / "tests").rglob("*.sh"))  # what they share is read with them
        scripts += [*sorted((SOURCE / "packaging").glob("*.sh")), SOURCE / "packaging/debian/tests/installed"]
        done = subprocess.run([tool("shellcheck"), "-x", *map(str, scripts)], cwd=SOURCE, capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout, done.returncode), ("", 0))


class Api(Case):
    # A slip of doxygen about code, not about comments.
    NOT_OURS = "while parsing initializer list"

    def pages_of(self, *names):
        """Warnings of doxygen about these folders and pages."""
        settings = (SOURCE / "docs/Doxyfile").read_text() + f"INPUT = {' '.join(map(str, names))}\n"
        done = subprocess.run([tool("doxygen"), "-"], input=settings, cwd=SOURCE, capture_output=True, text=True, check=False,
                              env={**os.environ, "STEELYARD_API": str(self.directory)})
        self.assert_code(done, 0)
        return [line for line in done.stderr.splitlines() if self.NOT_OURS not in line]

    def test_comments_make_pages_without_a_warning(self):
        self.assertEqual(self.pages_of("src", "apps/steelyard", "docs/architecture.md"), [])
        self.assertIn("Step by step", (self.directory / "html/index.html").read_text())
        suite = (self.directory / "html/classsteelyard_1_1suites_1_1Suite.html").read_text()
        self.assertIn("Every benchmark, in the order of the definition.", suite)

    def test_a_comment_that_makes_no_page_is_found(self):
        header = self.directory / "wrong.hpp"
        header.write_text("#pragma once\n/// Other paths become <path>.\nstruct Wrong {};\n")
        self.assertRegex(" ".join(self.pages_of(header)), "wrong.hpp:2: warning: .*<path>")


class Headers(Case):
    def test_every_header_compiles_alone(self):
        done = script(HERE / "headers_alone.py", BUILD, SOURCE)
        print(done.stdout)
        self.assert_code(done, 0)


class PlantedHeader(Tree):
    def test_a_header_that_misses_an_include_is_found(self):
        self.write_commands("src/any.cpp")
        self.write("src/whole.hpp", "#pragma once\n#include <string>\ninline std::string whole;\n")
        self.write("src/lacks.hpp", "#pragma once\ninline std::string lacking;\n")
        self.write("src/lucky.hpp", '#pragma once\n#include "whole.hpp"\ninline std::string lucky;\n')
        done = script(HERE / "headers_alone.py", self.directory, self.directory, "src")
        self.assert_code(done, 1)
        self.assertIn("src/lacks.hpp does not compile alone", done.stdout)
        self.assertIn("3 headers, 1 of them", done.stdout)


class Tidy(Case):
    """Of the rooms at the ground: all of them take several minutes (the target tidy)."""

    def test_clang_tidy_has_nothing_to_say(self):
        done = script(HERE / "tidy.py", BUILD, SOURCE, *(f"src/{room}" for room in GROUND))
        print(done.stdout)
        self.assert_code(done, 0)


class PlantedFault(Tree):
    def test_a_fault_in_one_of_several_sources_is_found(self):
        self.write_commands("src/right.cpp", "src/wrong.cpp")
        self.write(".clang-tidy", (SOURCE / ".clang-tidy").read_text())
        self.write("src/right.cpp", "int right() { return 1; }\n")
        self.write("src/wrong.cpp", "int* wrong() { return 0; }\n")
        self.write("src/not_compiled.cpp", "int* other() { return 0; }\n")
        done = script(HERE / "tidy.py", self.directory, self.directory, "src")
        self.assert_code(done, 1)
        self.assertIn("src/wrong.cpp:1:", done.stdout)
        self.assertIn("modernize-use-nullptr", done.stdout)
        self.assertIn("2 sources, 1 findings", done.stdout)


class Rooms(Tree):
    def test_the_picture_is_that_of_the_includes_and_no_arrow_leads_up(self):
        self.assert_code(script(SOURCE / "docs/draw_rooms.py", "--check"), 0)

    def draw(self, *words):
        return script(SOURCE / "docs/draw_rooms.py", *words, self.directory)

    def write_tree(self):
        self.write("src/units/size.hpp", "")
        self.write("src/stats/order.hpp", '#include "units/size.hpp"\n')
        self.write("src/mpi/world.cpp", '#include "stats/order.hpp"\n#include "units/size.hpp"\n')
        self.write("docs/architecture.md", "Above.\n<!-- drawn by docs/draw_rooms.py -->\n<!-- end of what is drawn -->\nBelow.\n")

    def test_arrows_that_follow_from_others_are_not_drawn(self):
        self.write_tree()
        self.assert_code(self.draw("--check"), 1)
        self.assert_code(self.draw(), 0)
        self.assert_code(self.draw("--check"), 0)
        page = (self.directory / "docs/architecture.md").read_text()
        self.assertIn("flowchart TD\n  mpi --> stats\n  stats --> units\n```\n", page)
        self.assertIn("| `mpi` | stats, units |\n", page)
        self.assertTrue(page.startswith("Above.\n") and page.endswith("\nBelow.\n"))

    def test_an_arrow_that_leads_up_is_found(self):
        self.write_tree()
        self.write("src/units/size.cpp", '#include "mpi/world.hpp"\n')
        self.write("src/mpi/world.hpp", "")
        done = self.draw()
        self.assert_code(done, 1)
        self.assertEqual(done.stdout, "units -> mpi leads up: src/units/size.cpp includes src/mpi/world.hpp\n")

    def test_folders_of_the_program_have_their_order_too(self):
        self.write_tree()
        self.write("apps/steelyard/run/job.hpp", '#include "options/values.hpp"\n')
        self.write("apps/steelyard/options/values.hpp", "")
        self.assert_code(self.draw(), 0)
        self.assertIn("| `run` | options |\n", (self.directory / "docs/architecture.md").read_text())
        self.write("apps/steelyard/options/values.hpp", '#include "run/job.hpp"\n')
        done = self.draw()
        self.assert_code(done, 1)
        self.assertEqual(done.stdout, "options -> run leads up: apps/steelyard/options/values.hpp includes apps/steelyard/run/job.hpp\n")

    def test_suites_that_know_one_another_are_found(self):
        self.write_tree()
        self.write("src/suites/imb/plan.hpp", "")
        self.write("src/suites/ftio/plan.cpp", '#include "suites/imb/plan.hpp"\n')
        done = self.draw()
        self.assert_code(done, 1)
        self.assertIn("src/suites/ftio/plan.cpp includes imb/plan.hpp", done.stdout)


if __name__ == "__main__":
    main()
