#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header alone: it must include what it uses.

usage: headers_alone.py [--jobs N] BUILD ROOT [FOLDER...]

BUILD holds compile_commands.json; folders are relative to ROOT (src apps). Nothing is written. Exit code 1 and the first
error of each header that does not compile.
"""

import argparse
import pathlib
import sys

from compiling import flags, run_all, told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folders", nargs="*", default=["src", "apps"])
    words = parser.parse_args()
    compiler, options = flags(words.build)
    headers = sorted(path for folder in words.folders for path in (words.root / folder).rglob("*.hpp"))

    def compile_alone(header):
        return told([compiler, *options, "-w", "-fsyntax-only", "-x", "c++", str(header)])

    broken = 0
    for header, (code, text) in zip(headers, run_all(words.jobs, compile_alone, headers)):
        if code == 0:
            continue
        broken += 1
        error = next((line for line in text.splitlines() if "error" in line), text.strip())
        print(f"{header.relative_to(words.root)} does not compile alone: {error}")
    print(f"{len(headers)} headers, {broken} of them do not compile alone")
    return 1 if broken or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
