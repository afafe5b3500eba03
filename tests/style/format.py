#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the layout of sources with .clang-format, or that of the report's page with web/.prettierrc.

usage: format.py [--fix] [--prettier FILE] ROOT

Versions of clang-format differ in what they write; that of Debian 12 is the reference. With --prettier, the program of
web/package.json, the page's sources are looked at instead. Exit code 1 with the files that differ, 77 where the program is
missing; --fix changes the files.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = 14
FOLDERS = ["src", "apps", "tests", "bench", "examples"]


def clang_format():
    """Its name, empty where the reference is not installed."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", said):
                return name
    return ""


def run(words, root):
    return subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)


def look_at_sources(root, fix):
    """Exit code and files that differ."""
    program = clang_format()
    if not program:
        print(f"skipped: no clang-format {VERSION} (package clang-format of Debian 12)")
        return 77, []
    files = sorted(str(path.relative_to(root)) for folder in FOLDERS for ending in ("cpp", "hpp", "c")
                   for path in (root / folder).rglob(f"*.{ending}"))
    done = run([program, "--style=file", *(["-i"] if fix else ["--dry-run", "-Werror"]), *files], root)
    differing = sorted(set(re.findall(r"^([^:\n]+):\d+:\d+: error: code should be clang-formatted", done.stderr, re.M)))
    if done.returncode != 0 and not differing:
        print(done.stderr)
    return done.returncode, differing


def look_at_page(root, fix, program):
    if not program.exists() or not shutil.which("node"):
        print("skipped: the page was built without prettier (packages nodejs and npm, and a network)")
        return 77, []
    files = sorted(str(path.relative_to(root / "web")) for ending in ("ts", "mjs") for path in (root / "web").rglob(f"*.{ending}"))
    done = run(["node", str(program), "--write" if fix else "--list-different", *files], root / "web")
    if done.returncode not in (0, 1):
        print(done.stderr)
    return done.returncode, [] if fix else [f"web/{line}" for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--prettier", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    words = parser.parse_args()
    root = words.root.resolve()
    code, differing = look_at_page(root, words.fix, words.prettier.resolve()) if words.prettier else look_at_sources(root, words.fix)
    for file in differing:
        print(f"{file} is not laid out as its formatter would")
    if differing:
        print(f"{len(differing)} files; cmake --build --preset dev-openmpi --target format changes them")
    return 0 if words.fix and code == 77 else code


if __name__ == "__main__":
    sys.exit(main())
