# SPDX-License-Identifier: Apache-2.0
"""What headers_alone.py and tidy.py share: how sources are compiled, and several commands at once."""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess


def commands(build):
    """The entries of compile_commands.json."""
    return json.loads((pathlib.Path(build) / "compile_commands.json").read_text())


def words_of(entry):
    return entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])


def outputs(build):
    """Pairs of output, relative to the build, and C++ source, of src and apps."""
    for entry in commands(build):
        words = words_of(entry)
        output = entry.get("output", words[words.index("-o") + 1])
        if output.startswith(("src/", "apps/")) and entry["file"].endswith((".cpp", ".cxx")):
            yield output, pathlib.Path(entry["file"])


def flags(build):
    """The compiler, and folders and definitions of all C++ sources of src and apps taken together, in their order."""
    compiler, found = "", {}
    files = {str(file) for _, file in outputs(build)}
    for words in (words_of(entry) for entry in commands(build) if entry["file"] in files):
        compiler = words[0]
        for i, word in enumerate(words):
            if word == "-isystem":
                found["-isystem", words[i + 1]] = None
            elif word.startswith(("-I", "-D", "-std=", "-fopenmp")):
                found[word,] = None
    return compiler, [word for flag in found for word in flag]


def run_all(jobs, run, tasks):
    """Results of run(task), several at once, in the order of the tasks."""
    with concurrent.futures.ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(run, tasks))


def told(words, **more):
    """Exit code and all that a command says."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    return done.returncode, done.stdout
