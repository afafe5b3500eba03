#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy.

usage: tidy.py [--jobs N] [--since COMMIT] BUILD ROOT [FOLDER...]

Sources of one folder are read 16 at once, because headers take most of the time; where that cannot be (two sources give one
name to two things) each is read alone. --since takes only sources that differ from a commit. Exit code 1 with what was
found, 77 where there is no clang-tidy.
"""

import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from compiling import flags, run_all, told

AT_ONCE = 16


def chosen_sources(root, folders, since):
    found = sorted(path for folder in folders for path in (root / folder).rglob("*.cpp"))
    if since:
        said = subprocess.run(["git", "diff", "--name-only", since, "--", *folders], cwd=root, capture_output=True, text=True,
                              check=True).stdout.splitlines()
        found = [path for path in found if str(path.relative_to(root)) in said]
    return found


def batches(sources):
    for _, of_folder in itertools.groupby(sources, key=lambda path: path.parent):
        of_folder = list(of_folder)
        yield from (of_folder[i:i + AT_ONCE] for i in range(0, len(of_folder), AT_ONCE))


def findings(text, root):
    """The lines of warnings and errors about files of ours."""
    return [line.replace(f"{root}/", "") for line in text.splitlines()
            if re.search(r": (warning|error): .*\[[\w.,-]+\]$", line) and line.startswith(str(root))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--since", default="")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folders", nargs="*", default=["src", "apps"])
    words = parser.parse_args()
    root = words.root.resolve()
    program = shutil.which("clang-tidy")
    if not program:
        print("skipped: no clang-tidy (package clang-tidy)")
        return 77
    _, options = flags(words.build)
    how = [program, "--quiet", f"--config-file={root / '.clang-tidy'}"]
    tail = ["--", *options, "-w"]
    with tempfile.TemporaryDirectory() as folder:

        def look(batch):
            if len(batch) > 1:
                one = pathlib.Path(folder) / f"{batch[0].relative_to(root).as_posix().replace('/', '_')}"
                one.write_text("".join(f'#include "{path}"\n' for path in batch))
                code, text = told([*how, str(one), *tail])
                if "clang-diagnostic-error" not in text:
                    return [(code, text)]
            return [told([*how, str(path), *tail]) for path in batch]

        looked = list(batches(chosen_sources(root, words.folders, words.since)))
        said = [one for group in run_all(words.jobs, look, looked) for one in group]
    found = sorted({line for _, text in said for line in findings(text, root)})
    print("\n".join(found), end="\n" if found else "")
    broken = [text for code, text in said if code != 0 and not findings(text, root)]
    print("\n".join(broken), end="\n" if broken else "")
    print(f"{sum(map(len, looked))} sources, {len(found)} findings")
    return 1 if found or broken else 0


if __name__ == "__main__":
    sys.exit(main())
