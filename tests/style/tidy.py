#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy with the checks of .clang-tidy.

usage: tidy.py [--jobs N] [--since COMMIT] BUILD ROOT [FOLDER...]

Sources of one library are read 16 at once, because headers take most of the time; where that cannot be (two sources give one
name to two things) each is read alone. --since takes only sources that differ from a commit. Exit code 1 with what was
found, 77 where there is no clang-tidy.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from compiling import flags, outputs, run_all, told

AT_ONCE = 16


def batches(build, root, folders):
    """The sources of these folders that the build compiles, as it takes them together, or in the order of each library."""
    apart = {}
    for output, file in outputs(build):
        together = file.name.startswith("unity_")
        sources = map(pathlib.Path, re.findall(r'#include "([^"]+)"', file.read_text())) if together else [file]
        ours = [path for path in sources if any(path.is_relative_to(root / folder) for folder in folders)]
        if together:
            yield ours
        else:
            apart.setdefault(output.split(".dir/")[0], []).extend(ours)
    for sources in apart.values():
        yield from (sources[i:i + AT_ONCE] for i in range(0, len(sources), AT_ONCE))


def changed_since(root, commit):
    said = subprocess.run(["git", "diff", "--name-only", commit], cwd=root, capture_output=True, text=True, check=True)
    return {root / line for line in said.stdout.splitlines()}


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

        looked = list(batches(words.build, root, words.folders))
        if words.since:
            changed = changed_since(root, words.since)
            looked = [[path for path in sources if path in changed] for sources in looked]
        looked = [sources for sources in looked if sources]
        said = [one for group in run_all(words.jobs, look, looked) for one in group]
    found = sorted({line for _, text in said for line in findings(text, root)})
    print("\n".join(found), end="\n" if found else "")
    broken = [text for code, text in said if code != 0 and not findings(text, root)]
    print("\n".join(broken), end="\n" if broken else "")
    print(f"{sum(map(len, looked))} sources, {len(found)} findings")
    return 1 if found or broken else 0


if __name__ == "__main__":
    sys.exit(main())
