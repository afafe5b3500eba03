# SPDX-License-Identifier: Apache-2.0
"""Installing this build and removing it, without a trace in the build: its own list of what is installed comes back."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case as ProgramCase, environment, main  # noqa: E402

BUILD = pathlib.Path(os.environ["STEELYARD_BUILD"])
CMAKE = os.environ["STEELYARD_CMAKE"]
_last = {}  # what the last installation left in the build: its list of files, and where they are


def notes():
    """The files in which a build notes what was installed from it."""
    return [*BUILD.glob("install_manifest*.txt"), *BUILD.glob("install_places.txt")]


def install(prefix, *words, after=None, **variables):
    """Installs and keeps the list of what was, with those of installations before it; the build's own list is put back."""
    lists = {path: path.read_bytes() for path in notes()}
    for path in lists:
        path.unlink()
    for name, text in (after or {}).items():
        (BUILD / name).write_text(text)
    try:
        done = subprocess.run([CMAKE, "--install", str(BUILD), "--prefix", str(prefix), *words], env=environment(**variables),
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout[-500:] + done.stderr)
        _last.clear()
        _last.update({path.name: path.read_text() for path in notes()})
    finally:
        for path in notes():
            path.unlink()
        for path, content in lists.items():
            path.write_bytes(content)
    return dict(_last)


def uninstall(directory, **variables):
    """Removes the last installation by the script of the target `uninstall`."""
    build = directory / "build"
    if directory.exists():
        build.mkdir()
        for name, text in _last.items():
            (build / name).write_text(text)
    done = uninstall_from(build, **variables)
    shutil.rmtree(build, ignore_errors=True)
    return done


def uninstall_from(build, **variables):
    return subprocess.run([CMAKE, f"-DBUILD={build}", "-P", str(SOURCE / "cmake/Uninstall.cmake")], env=environment(**variables),
                          capture_output=True, text=True, timeout=60, check=False)


def files_of(directory):
    """All files and links below a directory, by their paths there."""
    return {str(path.relative_to(directory)) for path in pathlib.Path(directory).rglob("*") if path.is_symlink() or path.is_file()}


class Case(ProgramCase):
    """Skips where the build did not make what is installed: a single target, or a cross build."""

    def setUp(self):
        super().setUp()
        if not (BUILD / "apps/steelyard/written/stamp").exists():
            self.skipTest("manual pages are not written: build the target steelyard_written, or all")


__all__ = ["BUILD", "CMAKE", "Case", "environment", "files_of", "install", "main", "uninstall", "uninstall_from"]
